import { plural, t } from '@lingui/core/macro'

import type { ListedProject } from '../api/projects.ts'

type Size = Pick<ListedProject, 'networkCount' | 'currencyCount' | 'hasDepositWallet'>

/** Returns how much a project accepts, or why it cannot be paid: "3 networks · 5 assets". */
export function projectSize({ networkCount, currencyCount, hasDepositWallet }: Size): string {
  if (!hasDepositWallet) return t`Not ready: no deposit wallet`
  return t`${plural(networkCount, { one: '# network', other: '# networks' })} · ${plural(currencyCount, { one: '# asset', other: '# assets' })}`
}

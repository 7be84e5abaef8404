import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { type AnyPath, paths } from '../../lib/paths.ts'

/** What each screen that does not exist yet will hold. */
const PLANNED: readonly (readonly [AnyPath, MessageDescriptor])[] = [
  [
    paths.deploySweepContract,
    msg`This page will walk through deploying the contract that sweeps deposits to your cold wallet.`,
  ],
  [paths.sweeps, msg`This page will move confirmed deposits to your cold wallet and keep the history of every sweep.`],
]

/** Returns what a planned screen will hold. */
export function plannedText(pathname: string): string {
  const [, text = msg`This page has no content yet.`] = PLANNED.find(([path]) => path.matches(pathname)) ?? []
  return t(text)
}

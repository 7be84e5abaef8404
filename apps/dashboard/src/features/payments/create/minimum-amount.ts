import { t } from '@lingui/core/macro'

import { usdExact } from '../../../lib/text/format.ts'

/** Returns why nobody could pay an amount of dollars: each payment method takes more. An amount that is none says so itself. */
export function tooLittle(amountInUSD: string, leastAmount: string | null | undefined): string | undefined {
  if (leastAmount === null || leastAmount === undefined) return undefined
  const isLess = Number(amountInUSD) > 0 && Number(amountInUSD) < Number(leastAmount)
  const least = usdExact(leastAmount)
  return isLess ? t`Nobody could pay this: no payment method here takes less than ${least}` : undefined
}

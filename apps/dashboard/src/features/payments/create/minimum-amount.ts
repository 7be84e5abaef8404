import { t } from '@lingui/core/macro'

import { usdExact } from '../../../lib/text/format.ts'

/** Returns why an amount of dollars cannot be paid: each payment method has a higher minimum. An invalid amount has its own error. */
export function tooLittle(amountInUSD: string, leastAmount: string | null | undefined): string | undefined {
  if (leastAmount === null || leastAmount === undefined) return undefined
  const isLess = Number(amountInUSD) > 0 && Number(amountInUSD) < Number(leastAmount)
  const least = usdExact(leastAmount)
  return isLess ? t`Nobody could pay this: no payment method here takes less than ${least}` : undefined
}

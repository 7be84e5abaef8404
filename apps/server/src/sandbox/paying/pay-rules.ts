import type { PayCase } from '@kassa/contract/sandbox/schemas.ts'
import { quoteStep } from '@kassa/primitives/money/rate.ts'

/** What a payer sends, in order: units of the asset asked for. */
export type Parts = readonly [bigint, ...bigint[]]

/** Clearly short and clearly over: beyond every tolerance a project can set up to its default. */
const UNDER_PERCENT = 60n
const OVER_PERCENT = 110n

/** The transfers of a case for what is still due; amounts that people could type, in whole steps of the price. */
export function partsOf(
  payCase: PayCase,
  due: bigint,
  price: { readonly price: bigint; readonly decimals: number },
): Parts {
  const step = quoteStep(price)
  const share = (percent: bigint) => atLeast(((due * percent) / 100n / step) * step, step)
  if (payCase === 'under') return [share(UNDER_PERCENT)]
  if (payCase === 'over') return [share(OVER_PERCENT)]
  if (payCase === 'two_parts' && due > step) return [share(50n), due - share(50n)]
  return [due]
}

function atLeast(units: bigint, least: bigint): bigint {
  return units > least ? units : least
}

import type { PaymentState } from '@kassa/contract/payments/machine.ts'

/** What a payer may ask back: final money only, and none that pays for what they get. */
export type Claimable = {
  readonly status: PaymentState
  readonly late: boolean
  /** Until when the rest of a partly paid request can be sent. */
  readonly payableUntil: Date
  readonly now: Date
  /** Of the money that counts, by asset, and the part of it beyond what was asked for. */
  readonly counted: readonly { readonly assetId: number; readonly overUnits: bigint }[]
  /** Of the money that counts for nothing. */
  readonly unmatched: readonly { readonly assetId: number }[]
}

/** The assets of which a payer may claim money: a surplus, late or unmatched money, and a part of a request that ended. */
export function claimableAssets({ counted, unmatched, ...payment }: Claimable): number[] {
  const isAll = payment.late || hasEnded(payment)
  const isOver = payment.status === 'OVER_FILLED'
  const claimable = counted.filter(({ overUnits }) => isAll || (isOver && overUnits > 0n))
  return [...new Set([...claimable, ...unmatched].map(({ assetId }) => assetId))]
}

function hasEnded({ status, payableUntil, now }: Pick<Claimable, 'status' | 'payableUntil' | 'now'>): boolean {
  return status === 'CANCELLED' || (status === 'PARTIALLY_FILLED' && now >= payableUntil)
}

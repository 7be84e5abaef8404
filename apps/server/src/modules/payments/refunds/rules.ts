import type { RefundKind } from '@kassa/contract/withdrawals/machine.ts'

import type { RefundableDeposit } from '../../deposits/service.ts'

/** How much of a payment can be refunded in one asset. */
export type Refundable = {
  readonly assetId: number
  /** Of its final deposits, in all. */
  readonly units: bigint
  /** Of those, beyond what was asked for. */
  readonly overUnits: bigint
}

/** A deposit and how much of it a refund takes. */
export type Part = { readonly deposit: RefundableDeposit; readonly units: bigint }

/** What a refund can be taken from: the final deposits, newest first, and the payment's surplus that no refund has taken. */
export type Sources = {
  readonly deposits: readonly RefundableDeposit[]
  readonly paymentId: bigint
  /** The payment's own asset, in which its surplus is counted. */
  readonly assetId: number | null
  readonly overUnits: bigint
}

/** The deposits that a refund may take from. */
export function admitted(
  { deposits, paymentId }: Sources,
  {
    kind,
    depositId,
    assetId,
  }: { readonly kind: RefundKind; readonly depositId: bigint | null; readonly assetId: number },
): RefundableDeposit[] {
  const ofAsset = deposits.filter((one) => one.assetId === assetId)
  if (kind === 'unapplied') return ofAsset.filter((one) => one.status === 'unapplied' && one.id === depositId)
  return ofAsset.filter((one) => one.status === 'applied' && one.paymentId === paymentId)
}

/** The most that a refund may give back. */
export function bound(
  sources: Sources,
  asked: { readonly kind: RefundKind; readonly depositId: bigint | null; readonly assetId: number },
): bigint {
  const left = admitted(sources, asked).reduce((sum, one) => sum + one.units - one.committed, 0n)
  if (asked.kind !== 'overpaid') return left
  const over = asked.assetId === sources.assetId ? sources.overUnits : 0n
  return over < left ? over : left
}

/** Divides a refund among deposits, in their order; the amount is within the bound. */
export function cut(deposits: readonly RefundableDeposit[], units: bigint): Part[] {
  const parts: Part[] = []
  let rest = units
  for (const deposit of deposits) {
    const left = deposit.units - deposit.committed
    const taken = left < rest ? left : rest
    if (taken > 0n) parts.push({ deposit, units: taken })
    rest -= taken
  }
  return parts
}

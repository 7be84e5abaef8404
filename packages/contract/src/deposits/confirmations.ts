import type { DepositState } from './machine.ts'

/** What the confirmations of a deposit depend on. */
export type Confirming = {
  readonly status: DepositState
  readonly height: number
  readonly confirmationsRequired: number
}

/** The confirmations of a deposit below `tip`; one less than required until it is final, so that no merchant ships too early (money.md C-2). */
export function confirmationsOf(deposit: Confirming, tip: number | undefined): number {
  const { confirmationsRequired: required } = deposit
  if (deposit.status === 'reverted') return 0
  if (deposit.status !== 'seen') return required
  const depth = tip === undefined ? 0 : tip - deposit.height + 1
  return Math.max(0, Math.min(depth, required - 1))
}

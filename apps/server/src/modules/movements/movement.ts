import type { OwnRole } from '../wallets/own-addresses/service.ts'

/** What an address of ours is to us. */
export type Role = 'deposit' | OwnRole

/** What a transaction of ours may be for. */
export type IntendedKind = 'payout' | 'topup' | 'sweep'

/** What a transaction of ours is for. */
export type Intent = {
  readonly blockchainId: number
  readonly txId: string
  readonly kind: IntendedKind
  readonly sendId: bigint | null
  readonly sweepId?: bigint | null
}

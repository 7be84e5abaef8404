import type { MovementKind, MovementState } from '@kassa/contract/movements/machine.ts'
import type { Transfer } from '@kassa/chains/adapter.ts'
import type { Asset } from '../blockchains/chains/service.ts'
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

/** One side of a transfer that is ours: an address of a deposit wallet, or one of any other wallet or contract. */
export type Side =
  | {
      readonly role: 'deposit'
      readonly addressId: bigint
      readonly walletId: number
      readonly projectId: number | null
    }
  | { readonly role: OwnRole; readonly addressId: null; readonly walletId: number | null; readonly projectId: null }

/** A transfer that is no deposit; at least one side is ours, and a side that is not is null. */
export type ObservedMove = {
  readonly transfer: Transfer
  readonly asset: Asset
  readonly from: Side | null
  readonly to: Side | null
}

export type NewMovement = ObservedMove & {
  readonly blockchainId: number
  readonly kind: MovementKind
  readonly sendId: bigint | null
  readonly sweepId: bigint | null
  readonly confirmationsRequired: number
  readonly rule: 'depth' | 'finalized'
}

export type Movement = {
  readonly id: bigint
  readonly blockchainId: number
  readonly assetId: number
  readonly kind: MovementKind
  readonly fromAddress: string | null
  readonly toAddress: string
  readonly from: Side | null
  readonly to: Side | null
  /** The sweep that moved it; null for every other kind. */
  readonly sweepId: bigint | null
  readonly txId: string
  readonly leg: string
  readonly units: bigint
  /** What the network took out of `units` as its fee; 0 where the sender pays the fee besides. */
  readonly fee: bigint
  readonly height: number
  readonly status: MovementState
  /** 1, then one more each time the chain returns to its block: the `:<n>` of its entries. */
  readonly revision: number
  readonly bookedAt: Date | null
}

/** The position of a blockchain: the newest block that was read, and the newest final one (−1 when it has none). */
export type Position = { readonly blockchainId: number; readonly tip: number; readonly finalized: number }

import type { Blockchain } from '@kassa/primitives/chains/blockchain.ts'

/** A blockchain as this installation runs it. */
export type BlockchainRow = {
  readonly id: number
  readonly code: string
  readonly status: 'active' | 'inactive'
  /** Why it is inactive, or why reading it does not go on; a sentence. */
  readonly reason: string | null
  readonly minConfirmations: number
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Its unchanging facts. */
  readonly definition: Blockchain
  /** The newest block that was read, and the newest one its node has; null before the first. */
  readonly cursor: {
    readonly height: number
    readonly headHeight: number
    readonly blockTime: Date
    readonly state: 'running' | 'behind' | 'halted'
  } | null
}

/** A node with its secrets: never leaves the server as it is. */
export type NodeRow = {
  readonly id: number
  readonly blockchainId: number
  readonly url: string
  readonly nodeType: string
  readonly isPreferred: boolean
  readonly isActive: boolean
  readonly priority: number
  readonly chainIdentifier: string | null
  readonly client: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** One currency on one blockchain. */
export type Asset = {
  readonly id: number
  readonly blockchainId: number
  readonly blockchainCode: string
  readonly currencyId: number
  readonly currencyCode: string
  readonly address: string
  readonly standard: string
  readonly decimals: number
  readonly isStable: boolean
  readonly minDepositUnits: bigint
  readonly visible: boolean
  readonly depositEnabled: boolean
  readonly withdrawalEnabled: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

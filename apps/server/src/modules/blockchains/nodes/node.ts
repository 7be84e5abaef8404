import type { NODE_REASONS } from '@kassa/contract/blockchains/node-reasons.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'

import type { NodeState } from './choose-node-rules.ts'

/** A node as it is stored; its secrets are in the vault. */
export type NodeRow = {
  readonly id: number
  readonly blockchainId: number
  /** Masked when it has secrets. */
  readonly url: string
  readonly secretId: number | null
  readonly nodeType: string
  readonly isPreferred: boolean
  readonly isActive: boolean
  readonly priority: number
  readonly chainIdentifier: string | null
  readonly client: string
  /** The most calls in one UTC day, or null. */
  readonly maxDailyCalls: number | null
  /** The UTC day of `callsToday`, as YYYY-MM-DD. */
  readonly callsDay: string | null
  readonly callsToday: number
  /** Health as a watcher last measured it. */
  readonly health: StoredHealth | null
  /** Why it is forked; a forked node is not used until an operator checks it. */
  readonly forked: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The health of a node, as the process that monitors it stores it for all others. */
export type StoredHealth = {
  readonly score: number
  readonly state: NodeState
  /** Why it is not healthy; absent when an older version stored the health, which has only the sentence. */
  readonly cause?: Cause<typeof NODE_REASONS> | null
  readonly reason: string | null
  readonly latencyMs: number | null
  readonly lastBlockSeen: number | null
  /** RFC 3339. */
  readonly lastBlockAt: string | null
  readonly consecutiveFails: number
  readonly checkedAt: string
}

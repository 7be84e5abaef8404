import type { NodeState } from './choose-node-rules.ts'

/** A node as it is stored; what of it is secret lies in the vault. */
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
  /** The most calls a UTC day, or null. */
  readonly maxDailyCalls: number | null
  /** The UTC day of `callsToday`, as YYYY-MM-DD. */
  readonly callsDay: string | null
  readonly callsToday: number
  /** As a watcher last saw it. */
  readonly health: StoredHealth | null
  /** Why it is not used until a person looks. */
  readonly forked: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** How a node is, as the process that looks after it tells all others. */
export type StoredHealth = {
  readonly score: number
  readonly state: NodeState
  readonly reason: string | null
  readonly latencyMs: number | null
  readonly lastBlockSeen: number | null
  /** RFC 3339. */
  readonly lastBlockAt: string | null
  readonly consecutiveFails: number
  readonly checkedAt: string
}

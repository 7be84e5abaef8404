import type { ChainSender, ChainSession } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import type { Send } from '../record/send.ts'

/** One pass of looking after the sends of a blockchain, through one node and another one's view where there is one. */
export type Pass = {
  readonly ctx: Context
  readonly row: BlockchainRow
  readonly sender: ChainSender
  readonly session: ChainSession
  /** A node of another operator; null when none can be used now. */
  readonly other: ChainSession | null
  /** Nodes of two operators are switched on, healthy or not: then nothing is decided on the word of one. */
  readonly needsSecond: boolean
  readonly memory: PassMemory
}

/** What a process remembers between passes: after a start everything is broadcast and looked at anew. */
export type PassMemory = {
  /** When each send was broadcast, and asked about, by `keyOf`. */
  readonly broadcastAt: Map<string, number>
  readonly askedAt: Map<string, number>
  /** When the ledger could not book what a send cost. */
  readonly unbookedAt: Map<string, number>
  /** When the wallets were compared with the chain; null before the first time. */
  walletsAt: number | null
}

/** What a send is remembered by: one that a reorganisation reopened is broadcast and looked at anew. */
export function keyOf({ id, decisions }: Pick<Send, 'id' | 'decisions'>): string {
  return `${id} ${decisions}`
}

/** Starts with nothing remembered. */
export function newMemory(): PassMemory {
  return { broadcastAt: new Map(), askedAt: new Map(), unbookedAt: new Map(), walletsAt: null }
}

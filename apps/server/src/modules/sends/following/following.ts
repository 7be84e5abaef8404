import type { ChainSender, ChainSession } from '@kassa/chains/adapter.ts'

import type { Context } from '../../../context.ts'
import type { ContinueOnError } from '../../../jobs/continue-on-error.ts'
import type { BlockchainRow } from '../../blockchains/chains/service.ts'
import type { Send } from '../record/send.ts'

/** One pass over the sends of a blockchain, through one node and, where there is one, a second operator's. */
export type Pass = {
  readonly ctx: Context
  readonly row: BlockchainRow
  readonly sender: ChainSender
  readonly session: ChainSession
  /** A node of another operator; null when none can be used now. */
  readonly other: ChainSession | null
  /** Nodes of two operators are switched on, healthy or not: one alone then decides nothing. */
  readonly needsSecond: boolean
  readonly memory: PassMemory
  /** Works on one send or wallet; a failure of it does not stop the others. */
  readonly attempt: ContinueOnError['attempt']
}

/** What the log calls a send. */
export function aboutSend({ id }: Pick<Send, 'id'>): { readonly sendId: string } {
  return { sendId: String(id) }
}

/**
 * What a process remembers between passes. After a start it remembers nothing, and broadcasts and asks about everything again.
 */
export type PassMemory = {
  /** When each send was broadcast, and asked about, by `keyOf`. */
  readonly broadcastAt: Map<string, number>
  readonly askedAt: Map<string, number>
  /** When the ledger could not book what a send cost. */
  readonly unbookedAt: Map<string, number>
  /** When an alarm was raised about what became of a send. */
  readonly unprovenAt: Map<string, number>
  /** When the wallets were compared with the chain; null before the first time. */
  walletsAt: number | null
}

/**
 * What a send is remembered by. A send that a reorganisation reopened has a new key, so that it is broadcast and asked about at
 * once.
 */
export function keyOf({ id, decisions }: Pick<Send, 'id' | 'decisions'>): string {
  return `${id} ${decisions}`
}

/** Starts with nothing remembered. */
export function newMemory(): PassMemory {
  return { broadcastAt: new Map(), askedAt: new Map(), unbookedAt: new Map(), unprovenAt: new Map(), walletsAt: null }
}

/**
 * Relays transactions that deposit addresses signed (approvals, transfers to the collector). The module that stores them
 * broadcasts them and asks for their outcome through here, so that bytes leave in one place (D-3).
 */
import type { BlockRef, ChainSession, SentFacts } from '@kassa/chains/adapter.ts'
import { confirmationsIn } from '@kassa/primitives/chains/blockchains.ts'

import type { Context } from '../../../context.ts'
import { adapterOf, type BlockchainRow, listBlockchains } from '../../blockchains/chains/service.ts'
import { hasSecondOperator, openSession } from '../../blockchains/nodes/service.ts'
import { isBeyondReturn, isFinalDepth } from '../record/rules.ts'
import { agreedOutcome, type Proven } from './ask-outcomes.ts'
import { broadcastAttempt } from './broadcast-sends.ts'
import { findBranchState } from './open-store.ts'
import { readPosition } from '../record/position-store.ts'

/** A blockchain through one node, and through one of another operator where there is one. */
export type Relay = {
  readonly session: ChainSession
  /** Gives nodes the bytes of a committed row; returns whether one took or knew them. Harmless to repeat. */
  readonly broadcast: (tx: { readonly txId: string; readonly raw: Buffer }) => Promise<boolean>
  /** Returns what became of a transaction; null while nothing is proven. `name` is what the log calls it. */
  readonly outcome: (name: string, facts: SentFacts) => Promise<Proven | null>
}

/**
 * Opens a blockchain for such transactions; null where it has no sender or no node.
 * @throws RetryableRpcError or NodeRejected when no node of it can be used
 */
export async function openRelay(ctx: Context, blockchainId: number): Promise<Relay | null> {
  const row = (await listBlockchains(ctx)).find(({ id }) => id === blockchainId)
  const sender = row && adapterOf(row.definition.family)?.sender
  const session = sender && row.status === 'active' ? await openSession(ctx, blockchainId) : null
  if (!sender || !session) return null
  const other = await session.another()
  const needsSecond = other === null && (await hasSecondOperator(ctx, blockchainId))
  const asking = { ctx, sender, session, other, needsSecond }
  return {
    session,
    broadcast: async (tx) => {
      const answers = await broadcastAttempt(asking, tx)
      return answers.some((answer) => answer === 'accepted' || answer === 'known')
    },
    outcome: (name, facts) => agreedOutcome(asking, { name, facts }),
  }
}

/**
 * Whether a block of our branch decides: it is deep enough for what was mined in it, or beyond any reorganisation for a proof
 * that something cannot be mined. The block stays on our branch until the transaction ends.
 */
export async function isDecided(
  tx: Context,
  row: BlockchainRow,
  { block, state }: { readonly block: BlockRef; readonly state: Proven['state'] },
): Promise<boolean> {
  const position = await readPosition(tx, row.id, 'lock')
  if (!position) return false
  const isDeep =
    state === 'mined'
      ? isFinalDepth(block.height, position, row.minConfirmations)
      : isBeyondReturn(block.height, position, confirmationsIn(tx.config.network, row.definition))
  const place = isDeep ? await findBranchState(tx, row.id, block) : 'unread'
  return place === 'ours' || place === 'gone'
}

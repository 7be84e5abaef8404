/** The word of a second source on deposits of weight, without which they are not final (money.md 2.8). */
import { type Context, inTransaction } from '../../context.ts'
import { listWithoutOpinion, updateOpinion, upsertNodeOpinion } from './opinion-store.ts'

/** A deposit that is deep enough and waits for a second source. */
export type Unproven = {
  readonly id: bigint
  readonly height: number
  readonly blockHash: string
  readonly txId: string
  readonly leg: string
  readonly assetId: number
  readonly to: string
  readonly units: bigint
  readonly evidence: string
}

export type Opinion = {
  readonly depositId: bigint
  /** The node that was asked; null when there is none to ask, or none answers. */
  readonly nodeId: number | null
  /** `alone`: nobody else can tell. `silent`: somebody could, and does not answer. */
  readonly verdict: 'agrees' | 'differs' | 'silent' | 'alone'
  /** What it said, or why the deposit waits; a sentence for people. */
  readonly details: string
}

/** Lists deposits that would be final if a second source had spoken for them, lowest block first. */
export function depositsWithoutOpinion(
  ctx: Context,
  at: { blockchainId: number; tip: number; finalized: number; limit: number },
): Promise<Unproven[]> {
  return listWithoutOpinion(ctx, at)
}

/**
 * Records what a second source said: from now on the deposit can become final, or is in doubt, or says why it waits.
 * False when the deposit does not wait any more.
 */
export async function recordOpinion(ctx: Context, opinion: Opinion): Promise<boolean> {
  const { nodeId, verdict } = opinion
  return inTransaction(ctx, async (tx) => {
    if (!(await updateOpinion(tx, opinion))) return false
    if (nodeId !== null && verdict !== 'alone') await upsertNodeOpinion(tx, { ...opinion, nodeId })
    return true
  })
}

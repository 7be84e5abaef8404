import type { Context } from '../../context.ts'
import { canonicalBlock } from '../watch/blocks/service.ts'
import type { Comparison } from './comparison.ts'
import type { Discrepancy } from './discrepancy-store.ts'
import { gainedBetween } from './facts-store.ts'
import { BLOCKS_ONLY } from '@kassa/chains/chain.ts'

/** Few enough blocks to be read again without another bisection. */
const FEW = 8

/** How far back to search when the address was never compared before: about a day. */
const DAY_SECONDS = 86_400

/**
 * Bisects the blocks in which money arrived that the ledger does not record, by reading balances in the middle of the range,
 * again and again (money.md 4.6). The whole range stays when nodes have no old states.
 */
export async function firstBlockWhere(
  ctx: Context,
  comparison: Comparison,
  discrepancy: Discrepancy,
  agreedAt: number,
): Promise<{ from: number; to: number }> {
  const { height: top, units: wanted } = discrepancy
  const blocksOfADay = Math.ceil(DAY_SECONDS / comparison.row.definition.blockSeconds)
  let from = Math.max(0, agreedAt > 0 ? Math.min(agreedAt, top) : top - blocksOfADay)
  let to = top
  const atTop = await balanceAt(ctx, comparison, discrepancy, top)
  while (atTop !== null && to - from > FEW) {
    const middle = Math.floor((from + to) / 2)
    const balance = await balanceAt(ctx, comparison, discrepancy, middle)
    if (balance === null) break
    // The part of the difference that arrived only after the middle.
    const later = atTop - balance - (await gainedBetween(ctx, discrepancy, middle, top))
    if (later >= wanted) from = middle
    else to = middle
  }
  return { from, to }
}

async function balanceAt(
  ctx: Context,
  { session, reader, source, row }: Comparison,
  { assetId, address }: Discrepancy,
  height: number,
): Promise<bigint | null> {
  if (!('balances' in source)) return null
  try {
    const [read] = await reader.blocks(session, { from: height, to: height }, BLOCKS_ONLY)
    const ours = await canonicalBlock(ctx, row.id, height)
    if (!read || (ours && ours.hash !== read.block.hash)) return null
    const [fact] = await source.balances.read(session, [{ assetId, address }], read.block)
    return fact?.units ?? null
  } catch (error) {
    if (session.signal.aborted) throw error
    return null
  }
}

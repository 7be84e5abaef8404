import type { Context } from '../../context.ts'
import { canonicalBlock } from '../watch/blocks/service.ts'
import type { Comparison } from './comparison.ts'
import { depositedBetween, type Discrepancy } from './discrepancy-store.ts'
import { BLOCKS_ONLY } from '../../../../../packages/chains/src/chain.ts'

/** Few enough blocks to be read again without halving further. */
const FEW = 8

/** How far back money is looked for when the address was never compared before: about a day. */
const DAY_SECONDS = 86_400

/**
 * Narrows down in which blocks money came that the books do not know, by asking for the balance half way, again and again
 * (money.md 4.6). Nodes without old states leave the whole range.
 */
export async function firstBlockWhere(
  ctx: Context,
  comparison: Comparison,
  finding: Discrepancy,
  agreedAt: number,
): Promise<{ from: number; to: number }> {
  const { height: top, units: wanted } = finding
  const blocksOfADay = Math.ceil(DAY_SECONDS / comparison.row.definition.blockSeconds)
  let from = Math.max(0, agreedAt > 0 ? Math.min(agreedAt, top) : top - blocksOfADay)
  let to = top
  const atTop = await balanceAt(ctx, comparison, finding, top)
  while (atTop !== null && to - from > FEW) {
    const middle = Math.floor((from + to) / 2)
    const held = await balanceAt(ctx, comparison, finding, middle)
    if (held === null) break
    // What of the difference came only after the middle.
    const later = atTop - held - (await depositedBetween(ctx, finding, middle, top))
    if (later >= wanted) from = middle
    else to = middle
  }
  return { from, to }
}

async function balanceAt(
  ctx: Context,
  { chain, reader, row }: Comparison,
  { assetId, address }: Discrepancy,
  height: number,
): Promise<bigint | null> {
  try {
    const [read] = await reader.blocks(chain, { from: height, to: height }, BLOCKS_ONLY)
    const ours = await canonicalBlock(ctx, row.id, height)
    if (!read || (ours && ours.hash !== read.block.hash)) return null
    const [fact] = await reader.balances(chain, [{ assetId, address }], read.block)
    return fact?.units ?? null
  } catch (error) {
    if (chain.signal.aborted) throw error
    return null
  }
}

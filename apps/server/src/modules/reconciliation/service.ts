/** Reconciliation: compares the ledger with itself and with the chains, and handles each discrepancy. */
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import type { Context } from '../../context.ts'
import { type Asset, type BlockchainRow, listAssets, listBlockchains } from '../blockchains/chains/service.ts'
import type { Invariant } from '../../module.ts'
import { differences, findLastSeal, verify } from '../ledger/service.ts'
import { findLastLedgerCheck, findReach, insertLedgerCheck } from './check-store.ts'
import { comparePages, type Comparison, openComparison } from './comparison.ts'
import type { Drift, LedgerReport } from './report.ts'
import { ledgerCheckView } from './view.ts'

export { bookDiscrepancy } from './book-discrepancy.ts'
/** The invariants of every module; the list is complete once the program runs. */
export type Invariants = () => readonly Invariant[]

export type { LedgerReport } from './report.ts'
export { isSound } from './report.ts'

/**
 * Checks the ledger by these invariants, and against every active blockchain; changes nothing. With `since`, covers only
 * what entries after that one are about, where an invariant allows it.
 */
export async function checkLedger(
  ctx: Context,
  invariants: readonly Invariant[],
  since: bigint | null = null,
): Promise<LedgerReport> {
  const checkedAt = ctx.now()
  const broken = await verify(ctx, invariants, since)
  const sums = await differences(ctx)
  const headHash = (await findLastSeal(ctx))?.hash ?? null
  return { checkedAt, broken, differences: sums, headHash, ...(await compareAll(ctx)) }
}

async function compareAll(ctx: Context): Promise<Pick<LedgerReport, 'drift' | 'unchecked'>> {
  const drift: Drift[] = []
  const unchecked: { blockchainCode: string; reason: string }[] = []
  const assets = await listAssets(ctx)
  for (const row of (await listBlockchains(ctx)).filter(({ status }) => status === 'active')) {
    const found = await compareOne(ctx, row, assets)
    if (typeof found === 'string') unchecked.push({ blockchainCode: row.code, reason: found })
    else drift.push(...found)
  }
  return { drift, unchecked }
}

/** The comparison, or why there is none. */
async function compareOne(ctx: Context, row: BlockchainRow, assets: readonly Asset[]): Promise<Drift[] | string> {
  try {
    const comparison = await openComparison(ctx, row, assets)
    if (!comparison) return 'It has no node.'
    return (await compareTotals(ctx, comparison)) ?? 'No block has been read yet.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The sums over every address of customers, by asset; undefined before the first block. @throws the node's failure */
async function compareTotals(ctx: Context, comparison: Comparison): Promise<Drift[] | undefined> {
  let lowest: number | undefined
  const totals = new Map(comparison.assets.map(({ id }) => [id, { ledger: 0n, chain: 0n }]))
  for await (const { height, balances } of comparePages(ctx, comparison, 'all')) {
    lowest = Math.min(lowest ?? height, height)
    for (const { assetId, booked, held } of balances) {
      const { ledger, chain } = totals.get(assetId) ?? { ledger: 0n, chain: 0n }
      totals.set(assetId, { ledger: ledger + booked, chain: chain + held })
    }
  }
  if (lowest === undefined) return undefined
  const height = lowest
  return comparison.assets.map((asset) => ({ asset, height, ...(totals.get(asset.id) ?? { ledger: 0n, chain: 0n }) }))
}

/**
 * A full check runs once a day, and whenever the ledger did not balance; in between, a check covers only new entries.
 */
const FULL_EVERY_MS = 24 * 3_600_000

/** Runs a check, a full one when that is due, and stores the result. */
export async function recordCheck(ctx: Context, invariants: readonly Invariant[]): Promise<BooksCheck> {
  const reach = await findReach(ctx)
  const isFull = reach === undefined || Math.abs(ctx.now().getTime() - reach.fullAt.getTime()) >= FULL_EVERY_MS
  // The journal is sealed before the check begins: no entry can be committed below the seal any more, so the next check may
  // start there.
  const through = (await findLastSeal(ctx))?.lastId ?? 0n
  const check = ledgerCheckView(await checkLedger(ctx, invariants, isFull ? null : reach.through))
  const { checkedAt, ...stored } = check
  await insertLedgerCheck(ctx, checkedAt, stored, { through, fullAt: isFull ? checkedAt : reach.fullAt })
  return check
}

/** The result of the last check; the first call runs a check. */
export async function lastCheck(ctx: Context, invariants: readonly Invariant[]): Promise<BooksCheck> {
  return (await findLastLedgerCheck(ctx)) ?? recordCheck(ctx, invariants)
}

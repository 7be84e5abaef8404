/** Reconciliation: the ledger compared with itself and with the chains, and what is done about a difference. */
import type { Context } from '../../context.ts'
import { type Asset, type BlockchainRow, listAssets, listBlockchains } from '../blockchains/chains/service.ts'
import type { LedgerReport, Drift } from './report.ts'
import { listDifferences, findLastSeal, verifyLedger, unhurried } from '../ledger/service.ts'
import { compareWithChain } from './compare-totals.ts'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import { findLastBookCheck, findReach, insertBookCheck } from './check-store.ts'
import { ledgerCheckView } from './view.ts'

export { bookDiscrepancy } from './book-discrepancy.ts'
export type { LedgerReport } from './report.ts'
export { isSound } from './report.ts'

/**
 * Checks every invariant, and the ledger against every active blockchain; changes nothing. With `since`, looks only at what
 * entries behind that one are about, where a rule allows it.
 */
export async function checkAll(ctx: Context, since: bigint | null = null): Promise<LedgerReport> {
  const checkedAt = ctx.now()
  const broken = await verifyLedger(ctx, since)
  const assets = await listAssets(ctx)
  const byId = new Map(assets.map((asset) => [asset.id, asset]))
  const differences = (await unhurried(ctx, listDifferences)).flatMap(({ assetId, units }) => {
    const asset = byId.get(assetId)
    return asset ? [{ asset, units }] : []
  })
  const headHash = (await findLastSeal(ctx))?.hash ?? null
  return { checkedAt, broken, differences, headHash, ...(await compareAll(ctx, assets)) }
}

async function compareAll(ctx: Context, assets: readonly Asset[]): Promise<Pick<LedgerReport, 'drift' | 'unchecked'>> {
  const drift: Drift[] = []
  const unchecked: { blockchainCode: string; reason: string }[] = []
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
    const own = assets.filter(({ blockchainId }) => blockchainId === row.id)
    return (await compareWithChain(ctx, row, own)) ?? 'No block has been read yet.'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Checks the books with each other and with every active blockchain; changes nothing. */
export function checkBooks(ctx: Context): Promise<LedgerReport> {
  return checkAll(ctx)
}

/** Everything is looked at once a day, and whenever the books were broken; in between, what came since. */
const FULL_EVERY_MS = 24 * 3_600_000

/** Checks the books, all of them when that is due, and keeps what was found. */
export async function recordCheck(ctx: Context): Promise<BooksCheck> {
  const reach = await findReach(ctx)
  const isFull = reach === undefined || ctx.now().getTime() - reach.fullAt.getTime() >= FULL_EVERY_MS
  // Sealed before the check begins: nothing can come below it any more, so the next check may start there.
  const through = (await findLastSeal(ctx))?.lastId ?? 0n
  const check = ledgerCheckView(await checkAll(ctx, isFull ? null : reach.through))
  const { checkedAt, ...kept } = check
  await insertBookCheck(ctx, checkedAt, kept, { through, fullAt: isFull ? checkedAt : reach.fullAt })
  return check
}

/** What the last check found; the first time somebody asks, a check is made. */
export async function lastCheck(ctx: Context): Promise<BooksCheck> {
  return (await findLastBookCheck(ctx)) ?? recordCheck(ctx)
}

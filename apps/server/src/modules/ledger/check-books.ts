import { type Context, inTransaction } from '../../context.ts'
import { allowLong } from '../../db/database.ts'
import { type Asset, type BlockchainRow, listAssets, listBlockchains } from '../blockchains/service.ts'
import type { BooksReport, Breach, Drift } from './books.ts'
import { findBreach, listDifferences } from './books-store.ts'
import { compareWithChain } from './compare-chain.ts'
import { EVERYTHING, INVARIANTS, touchedSince } from './invariants.ts'
import { findLastSeal } from './seal-store.ts'

/** Reading every entry of ten million payments takes minutes on a small machine. */
const CHECK_MS = 30 * 60_000

/**
 * Checks every invariant, and the ledger against every active blockchain; changes nothing. With `since`, looks only at what
 * entries behind that one are about, where a rule allows it.
 */
export async function checkAll(ctx: Context, since: bigint | null = null): Promise<BooksReport> {
  const checkedAt = ctx.now()
  const broken = await brokenRules(ctx, since)
  const assets = await listAssets(ctx)
  const byId = new Map(assets.map((asset) => [asset.id, asset]))
  const differences = (await unhurried(ctx, listDifferences)).flatMap(({ assetId, units }) => {
    const asset = byId.get(assetId)
    return asset ? [{ asset, units }] : []
  })
  const headHash = (await findLastSeal(ctx))?.hash ?? null
  return { checkedAt, broken, differences, headHash, ...(await compareAll(ctx, assets)) }
}

/** The rules that the books break, without asking any blockchain. */
export async function brokenRules(ctx: Context, since: bigint | null = null): Promise<Breach[]> {
  const broken: Breach[] = []
  const touched = since === null ? EVERYTHING : touchedSince(since)
  for (const invariant of INVARIANTS.filter(({ isFullOnly }) => since === null || !isFullOnly)) {
    const breach = await unhurried(ctx, (inner) => findBreach(inner, invariant, touched))
    if (breach) broken.push(breach)
  }
  return broken
}

function unhurried<T>(ctx: Context, read: (ctx: Context) => Promise<T>): Promise<T> {
  return inTransaction(ctx, async (inner) => {
    await allowLong(inner.db, CHECK_MS)
    return read(inner)
  })
}

async function compareAll(ctx: Context, assets: readonly Asset[]): Promise<Pick<BooksReport, 'drift' | 'unchecked'>> {
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

/** Whether the books balance, and agree with every blockchain that could be asked. */
export function isSound({ broken, differences, drift }: BooksReport): boolean {
  return (
    broken.length === 0 &&
    differences.every(({ units }) => units === 0n) &&
    drift.every(({ ledger, chain }) => ledger === chain)
  )
}

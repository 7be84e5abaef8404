import type { BalanceAsk } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../context.ts'
import { adapterOf, listAssets, listBlockchains } from '../blockchains/chains/service.ts'
import { openSession } from '../blockchains/nodes/service.ts'
import {
  type Booked,
  endDiscrepancy,
  findCompare,
  type Discrepancy,
  listBooked,
  listDiscrepancies,
  type Scope,
  updateDiscrepancyRescan,
  upsertCompare,
  upsertFinding,
} from './discrepancy-store.ts'
import { clearDiscrepancyAlarm, raiseDiscrepancy } from './discrepancy-alarms.ts'
import type { Comparison } from './comparison.ts'
import { firstBlockWhere } from './bisect-blocks.ts'
import { requestRescan } from '../watch/rescan/service.ts'

/** Addresses read in one request; every asset of each. */
const PAGE = 100

/** A pass that takes longer continues in the next one. */
const PASS_TIMEOUT_MS = 45 * 60_000

/** Compares every active blockchain with the ledger: all addresses once a day, in between those with a discrepancy. */
export async function compareAddresses(ctx: Context): Promise<void> {
  for (const row of await listBlockchains(ctx)) {
    if (row.status !== 'active') continue
    try {
      const adapter = adapterOf(row.definition.family)
      const { balances } = adapter ?? {}
      // A family whose balances cannot be read is compared with nothing; the hourly check names it.
      if (!adapter || !balances) continue
      const session = await openSession(ctx, row.id, AbortSignal.timeout(PASS_TIMEOUT_MS), 'audit')
      const assets = (await listAssets(ctx)).filter(({ blockchainId }) => blockchainId === row.id)
      if (session) await compareBlockchain(ctx, { row, session, reader: adapter.reader, balances, assets })
    } catch (error) {
      ctx.log.warn({ blockchain: row.code, err: error }, 'addresses could not be compared with the chain')
    }
  }
}

/**
 * Compares the addresses of one blockchain at the newest credited block (money.md 4.6). Where the chain holds more, a
 * rescan runs before an alarm is raised; where it holds less, the alarm is raised at once, because money may have been
 * stolen.
 * @throws the node's failure
 */
export async function compareBlockchain(ctx: Context, comparison: Comparison): Promise<void> {
  const { id } = comparison.row
  const day = ctx.now().toISOString().slice(0, 10)
  const last = await findCompare(ctx, id)
  const isDue = last === undefined || last.day < day
  const height = await comparePages(ctx, comparison, isDue ? 'all' : 'found')
  const agreedAt = last?.height ?? 0
  for (const discrepancy of await listDiscrepancies(ctx, id))
    await handleDiscrepancy(ctx, comparison, discrepancy, agreedAt)
  if (isDue && height !== null) await upsertCompare(ctx, id, day, height)
}

/** Returns the lowest block that a page was compared at; null when nothing was read yet. */
async function comparePages(ctx: Context, comparison: Comparison, only: Scope['only']): Promise<number | null> {
  const { row, session, balances, assets } = comparison
  const place = {
    blockchainId: row.id,
    familyId: findFamily(row.definition.family)?.id ?? 0,
    assetIds: assets.map(({ id }) => id),
  }
  let height: number | null = null
  for (let afterId = 0n; ;) {
    const page = await listBooked(ctx, place, { only, afterId, limit: PAGE })
    if (!page) return null
    height ??= page.block.height
    const last = page.booked.at(-1)
    if (!last) return height
    const asks = page.booked.flatMap(({ address }) => assets.map(({ id }): BalanceAsk => ({ assetId: id, address })))
    const facts = await balances.read(session, asks, page.block)
    for (const [at, one] of page.booked.entries()) {
      const balances = assets.map((_, index) => facts[at * assets.length + index]?.units)
      await noteDifferences(ctx, comparison, one, balances, page.block.height)
    }
    afterId = last.id
  }
}

async function noteDifferences(
  ctx: Context,
  { row, assets }: Comparison,
  { id: addressId, units: booked }: Booked,
  balances: readonly (bigint | undefined)[],
  height: number,
): Promise<void> {
  for (const [index, { id: assetId }] of assets.entries()) {
    const units = (balances[index] ?? 0n) - (booked.get(assetId) ?? 0n)
    if (balances[index] !== undefined && units !== 0n) {
      await upsertFinding(ctx, { blockchainId: row.id, assetId, addressId, units, height })
    }
  }
}

/** Closes a discrepancy that is gone; searches once for what the ledger lacks; raises an alarm for what stays. */
async function handleDiscrepancy(
  ctx: Context,
  comparison: Comparison,
  discrepancy: Discrepancy,
  agreedAt: number,
): Promise<void> {
  const asset = comparison.assets.find(({ id }) => id === discrepancy.assetId)
  if (!asset) return
  if (await agreesNow(ctx, comparison, discrepancy)) {
    await inTransaction(ctx, async (tx) => {
      if (await endDiscrepancy(tx, discrepancy, 'closed', null)) await clearDiscrepancyAlarm(tx, discrepancy, asset)
    })
  } else if (discrepancy.units < 0n) await raiseDiscrepancy(ctx, discrepancy, asset)
  else if (discrepancy.rescan === null) await requestRescanFor(ctx, comparison, discrepancy, agreedAt)
  else if (discrepancy.rescan !== 'open') await raiseDiscrepancy(ctx, discrepancy, asset)
}

async function agreesNow(
  ctx: Context,
  { row, session, balances, assets }: Comparison,
  discrepancy: Discrepancy,
): Promise<boolean> {
  const place = {
    blockchainId: row.id,
    familyId: findFamily(row.definition.family)?.id ?? 0,
    assetIds: assets.map(({ id }) => id),
  }
  const page = await listBooked(ctx, place, { only: 'all', afterId: discrepancy.addressId - 1n, limit: 1 })
  const [booked] = page?.booked ?? []
  if (!page || booked?.id !== discrepancy.addressId) return false
  const [fact] = await balances.read(
    session,
    [{ assetId: discrepancy.assetId, address: discrepancy.address }],
    page.block,
  )
  return fact !== undefined && fact.units === (booked.units.get(discrepancy.assetId) ?? 0n)
}

async function requestRescanFor(
  ctx: Context,
  comparison: Comparison,
  discrepancy: Discrepancy,
  agreedAt: number,
): Promise<void> {
  const { from, to } = await firstBlockWhere(ctx, comparison, discrepancy, agreedAt)
  await inTransaction(ctx, async (tx) => {
    const request = {
      blockchainId: discrepancy.blockchainId,
      from,
      to,
      reason: 'the chain holds more than the books',
      by: 'system',
    }
    const rescan = await requestRescan(tx, request)
    await updateDiscrepancyRescan(tx, [discrepancy.id], rescan.id)
  })
}

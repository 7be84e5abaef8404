import type { BalanceAsk } from '@kassa/chains/adapter.ts'
import { findFamily } from '@kassa/primitives/chains/families.ts'
import { type Context, inTransaction } from '../../context.ts'
import { adapterOf, listAssets, listBlockchains } from '../blockchains/chains/service.ts'
import { openChain } from '../blockchains/nodes/service.ts'
import {
  type Booked,
  endFinding,
  findCompare,
  type Discrepancy,
  listBooked,
  listFindings,
  type Scope,
  updateFindingRescan,
  upsertCompare,
  upsertFinding,
} from './discrepancy-store.ts'
import { endFindingAlarm, raiseDiscrepancy } from './discrepancy-alarms.ts'
import type { Comparison } from './comparison.ts'
import { firstBlockWhere } from './bisect-blocks.ts'
import { requestRescan } from '../watch/rescan/service.ts'

/** Addresses asked for at once; every asset of each. */
const PAGE = 100

/** A round that takes longer goes on in the next. */
const ROUND_MS = 45 * 60_000

/** Compares every active blockchain with the books: all addresses once a day, in between those that differed. */
export async function compareAddresses(ctx: Context): Promise<void> {
  for (const row of await listBlockchains(ctx)) {
    if (row.status !== 'active') continue
    try {
      const chain = await openChain(ctx, row.id, AbortSignal.timeout(ROUND_MS), 'audit')
      const reader = adapterOf(row.definition.family)?.reader
      const assets = (await listAssets(ctx)).filter(({ blockchainId }) => blockchainId === row.id)
      if (chain && reader) await compareBlockchain(ctx, { row, chain, reader, assets })
    } catch (error) {
      ctx.log.warn({ blockchain: row.code, err: error }, 'addresses could not be compared with the chain')
    }
  }
}

/**
 * Compares the addresses of one blockchain at the newest block that was taken in (money.md 4.6). Where the chain holds more,
 * blocks are read again before a person is asked; where it holds less, a person is asked at once.
 * @throws what the node fails with
 */
export async function compareBlockchain(ctx: Context, comparison: Comparison): Promise<void> {
  const { id } = comparison.row
  const day = ctx.now().toISOString().slice(0, 10)
  const last = await findCompare(ctx, id)
  const isDue = last === undefined || last.day < day
  const height = await comparePages(ctx, comparison, isDue ? 'all' : 'found')
  const agreedAt = last?.height ?? 0
  for (const finding of await listFindings(ctx, id)) await follow(ctx, comparison, finding, agreedAt)
  if (isDue && height !== null) await upsertCompare(ctx, id, day, height)
}

/** Returns the lowest block that a page was compared at; null when nothing was read yet. */
async function comparePages(ctx: Context, comparison: Comparison, only: Scope['only']): Promise<number | null> {
  const { row, chain, reader, assets } = comparison
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
    const facts = await reader.balances(chain, asks, page.block)
    for (const [at, one] of page.booked.entries()) {
      const held = assets.map((_, index) => facts[at * assets.length + index]?.units)
      await noteDifferences(ctx, comparison, one, held, page.block.height)
    }
    afterId = last.id
  }
}

async function noteDifferences(
  ctx: Context,
  { row, assets }: Comparison,
  { id: addressId, units: booked }: Booked,
  held: readonly (bigint | undefined)[],
  height: number,
): Promise<void> {
  for (const [index, { id: assetId }] of assets.entries()) {
    const units = (held[index] ?? 0n) - (booked.get(assetId) ?? 0n)
    if (held[index] !== undefined && units !== 0n) {
      await upsertFinding(ctx, { blockchainId: row.id, assetId, addressId, units, height })
    }
  }
}

/** What agrees again is over; what is missing in the books is looked for once; what stays is for a person. */
async function follow(ctx: Context, comparison: Comparison, finding: Discrepancy, agreedAt: number): Promise<void> {
  const asset = comparison.assets.find(({ id }) => id === finding.assetId)
  if (!asset) return
  if (await agreesNow(ctx, comparison, finding)) {
    await inTransaction(ctx, async (tx) => {
      if (await endFinding(tx, finding, 'closed', null)) await endFindingAlarm(tx, finding, asset)
    })
  } else if (finding.units < 0n) await raiseDiscrepancy(ctx, finding, asset)
  else if (finding.rescan === null) await lookForIt(ctx, comparison, finding, agreedAt)
  else if (finding.rescan !== 'open') await raiseDiscrepancy(ctx, finding, asset)
}

async function agreesNow(
  ctx: Context,
  { row, chain, reader, assets }: Comparison,
  finding: Discrepancy,
): Promise<boolean> {
  const place = {
    blockchainId: row.id,
    familyId: findFamily(row.definition.family)?.id ?? 0,
    assetIds: assets.map(({ id }) => id),
  }
  const page = await listBooked(ctx, place, { only: 'all', afterId: finding.addressId - 1n, limit: 1 })
  const [booked] = page?.booked ?? []
  if (!page || booked?.id !== finding.addressId) return false
  const [fact] = await reader.balances(chain, [{ assetId: finding.assetId, address: finding.address }], page.block)
  return fact !== undefined && fact.units === (booked.units.get(finding.assetId) ?? 0n)
}

async function lookForIt(ctx: Context, comparison: Comparison, finding: Discrepancy, agreedAt: number): Promise<void> {
  const { from, to } = await firstBlockWhere(ctx, comparison, finding, agreedAt)
  await inTransaction(ctx, async (tx) => {
    const request = {
      blockchainId: finding.blockchainId,
      from,
      to,
      reason: 'the chain holds more than the books',
      by: 'system',
    }
    const rescan = await requestRescan(tx, request)
    await updateFindingRescan(tx, [finding.id], rescan.id)
  })
}

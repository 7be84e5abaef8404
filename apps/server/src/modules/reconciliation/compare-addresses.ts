import { isSilence } from '@kassa/chains/errors.ts'

import { type Context, inTransaction } from '../../context.ts'
import { continueOnError } from '../../jobs/continue-on-error.ts'
import { listAssets, listBlockchains } from '../blockchains/chains/service.ts'
import {
  endDiscrepancy,
  findCompare,
  type Discrepancy,
  listDiscrepancies,
  updateDiscrepancyRescan,
  upsertCompare,
  upsertDiscrepancy,
} from './discrepancy-store.ts'
import type { Place, Scope } from './facts-store.ts'
import { clearDiscrepancyAlarm, raiseDiscrepancy } from './discrepancy-alarms.ts'
import { comparePage, comparePages, type Comparison, openComparison } from './comparison.ts'
import { firstBlockWhere } from './bisect-blocks.ts'
import { reverseReplaced } from './book-discrepancy.ts'
import { requestRescan } from '../watch/rescan/service.ts'

/** Compares every active blockchain with the ledger: all addresses once a day, in between those with a discrepancy. */
export async function compareAddresses(ctx: Context): Promise<void> {
  const assets = await listAssets(ctx)
  for (const row of await listBlockchains(ctx)) {
    if (row.status !== 'active') continue
    try {
      const comparison = await openComparison(ctx, row, assets)
      if (comparison) await compareBlockchain(ctx, comparison)
    } catch (error) {
      ctx.log.warn({ blockchain: row.code, err: error }, 'addresses could not be compared with the chain')
    }
  }
}

/**
 * Compares the addresses of one blockchain (money.md 4.6), once the bookings that deposits replaced are reversed. Where the
 * chain holds more, a rescan runs before an alarm is raised; where it holds less, the alarm is raised at once, because money
 * may have been stolen. One that fails does not stop the others.
 * @throws the node's failure
 */
async function compareBlockchain(ctx: Context, comparison: Comparison): Promise<void> {
  const { id } = comparison.row
  const day = ctx.now().toISOString().slice(0, 10)
  const last = await findCompare(ctx, id)
  const isDue = last === undefined || last.day < day
  await reverseReplaced(ctx, comparison.row)
  const height = await recordDiscrepancies(ctx, comparison, isDue ? 'all' : 'found')
  const agreedAt = last?.height ?? 0
  const { attempt, end } = continueOnError(ctx, isSilence)
  for (const discrepancy of await listDiscrepancies(ctx, id)) {
    const about = { blockchain: comparison.row.code, discrepancy: String(discrepancy.id) }
    await attempt(about, () => handleDiscrepancy(ctx, comparison, discrepancy, agreedAt))
  }
  // Before the day is recorded: what failed is searched for next time from the block at which all agreed.
  end()
  if (isDue && height !== null) await upsertCompare(ctx, id, day, height)
}

/** Returns the lowest block that a page was compared at; null when nothing was read yet. */
async function recordDiscrepancies(ctx: Context, comparison: Comparison, only: Scope['only']): Promise<number | null> {
  let lowest: number | null = null
  for await (const { height, balances } of comparePages(ctx, comparison, only)) {
    lowest = Math.min(lowest ?? height, height)
    for (const { place, assetId, booked, held } of balances) {
      const found = { blockchainId: comparison.row.id, assetId, place, units: held - booked, expected: booked, height }
      if (held !== booked) await upsertDiscrepancy(ctx, found)
    }
  }
  return lowest
}

/**
 * Closes a discrepancy that no longer exists, rescans once for money that the ledger lacks, and raises an alarm for what
 * remains.
 */
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
  } else if (discrepancy.units < 0n && discrepancy.place.role !== 'cold')
    await raiseDiscrepancy(ctx, discrepancy, asset)
  else if (discrepancy.rescan === null) await requestRescanFor(ctx, comparison, discrepancy, agreedAt)
  else if (discrepancy.rescan !== 'open') await raiseDiscrepancy(ctx, discrepancy, asset)
}

async function agreesNow(ctx: Context, comparison: Comparison, { place, assetId }: Discrepancy): Promise<boolean> {
  const id = place.addressId ?? place.ownAddressId
  const kind = place.role === 'deposit' ? 'deposits' : 'wallets'
  const page = await comparePage(ctx, comparison, { kind, only: 'all', afterId: id - 1n, limit: 1 })
  const now = page?.balances.find((one) => one.assetId === assetId && samePlace(one.place, place))
  return now !== undefined && now.held === now.booked
}

function samePlace(one: Place, other: Place): boolean {
  return one.addressId === other.addressId && one.ownAddressId === other.ownAddressId
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
      reason: 'the chain holds more than the ledger',
      by: 'system',
    }
    const rescan = await requestRescan(tx, request)
    await updateDiscrepancyRescan(tx, [discrepancy.id], rescan.id)
  })
}

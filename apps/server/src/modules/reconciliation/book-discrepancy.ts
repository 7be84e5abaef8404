import type { Chain } from '@kassa/chains/adapter.ts'
import { chainIn } from '@kassa/chains/chain.ts'
import { InvalidInput } from '@kassa/chains/errors.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'

import { type Context, inTransaction } from '../../context.ts'
import { adapterOf, type BlockchainRow, findBlockchain, listAssets } from '../blockchains/chains/service.ts'
import { lockMoney } from '../deposits/service.ts'
import { type Entry, Overdrawn, post, reverse } from '../ledger/service.ts'
import { bookByBalance, bookDrawn, drawnFrom, lockForBooking, revertByBalance } from '../movements/service.ts'
import { clearDiscrepancyAlarm } from './discrepancy-alarms.ts'
import { closeBooked, type Discrepancy, endDiscrepancy, listDiscrepancies } from './discrepancy-store.ts'
import { gainedBetween } from './facts-store.ts'

export type BookFound = {
  readonly chain: string
  readonly address: string
  readonly asset: string
  readonly amount: string
  /** Why the money is no customer's. */
  readonly note: string
}

/**
 * Books a discrepancy as an operator who has investigated it says (money.md 4.6), with exactly the units that the last
 * comparison found. Money that came to a customer's address without a transaction has no owner (`project:dust`), that of a
 * hot wallet to its owner. Money that left was drawn by the owner; on a customer's address that is accepted only when a
 * movement of its owner explains it.
 * @throws RangeError with what is wrong
 */
export async function bookDiscrepancy(
  ctx: Context,
  { chain, address, asset: code, amount, note }: BookFound,
): Promise<void> {
  const row = await findBlockchain(ctx, chain)
  const asset = (await listAssets(ctx)).find(
    ({ blockchainId, currencyCode }) => blockchainId === row?.id && currencyCode === code.toUpperCase(),
  )
  if (!row || !asset) throw new RangeError(`There is no asset ${code} on ${chain}.`)
  const spelled = (text: string) => spellingOf(chainIn(ctx.config.network, row.definition), text)
  if (note.trim() === '') throw new RangeError('Explain in a note what this money is.')
  await inTransaction(ctx, async (tx) => {
    await lockMoney(tx, row.id)
    const discrepancy = (await listDiscrepancies(tx, row.id)).find(
      (one) => one.assetId === asset.id && spelled(one.address) === spelled(address),
    )
    if (!discrepancy) throw new RangeError(`There is no open discrepancy on ${address}.`)
    if (discrepancy.units > 0n && discrepancy.rescan !== 'done' && discrepancy.rescan !== 'failed') {
      throw new RangeError('Kassa still searches for its transaction. Wait until the rescan has ended.')
    }
    const units = unitsOf(amount, asset.decimals)
    if (discrepancy.units !== units && discrepancy.units !== -units)
      throw new RangeError('The discrepancy has another amount. See the alarm.')
    if ((await isReplaced(tx, discrepancy)) || !(await endDiscrepancy(tx, discrepancy, 'booked', note.trim())))
      throw new RangeError('The discrepancy changed meanwhile. Check it again.')
    await book(tx, discrepancy, note.trim())
    await clearDiscrepancyAlarm(tx, discrepancy, asset)
  })
}

async function book(tx: Context, discrepancy: Discrepancy, note: string): Promise<void> {
  const { place, units } = discrepancy
  if (place.role === 'deposit' && units > 0n) return post(tx, [adjustmentOf(discrepancy)])
  const drawn =
    place.role === 'deposit' ? await drawnFrom(tx, { assetId: discrepancy.assetId, addressId: place.addressId }) : []
  if (place.role === 'deposit' && drawn.length === 0) {
    throw new RangeError('The chain holds less than the ledger, and Kassa knows no transaction that took it.')
  }
  await bookDrawn(tx, drawn, note)
  const rest = drawn.reduce((left, movement) => left + movement.units, units)
  if (place.role === 'deposit' && rest > 0n)
    throw new RangeError('More was drawn meanwhile. Wait for the next comparison.')
  if (rest !== 0n || place.role !== 'deposit') await bookByBalance(tx, { ...discrepancy, units: rest, note })
}

/** The adjustment of a discrepancy: money on an address that has no owner. */
function adjustmentOf({ id, blockchainId, assetId, place, projectId, units, height }: Discrepancy): Entry {
  const debit = { kind: 'chain:deposit-addresses', owner: `address:${place.addressId ?? 0n}`, unitId: assetId } as const
  const credit = { kind: 'project:dust', owner: `project:${projectId ?? 0}`, unitId: assetId } as const
  return {
    posting: 'deposit.found',
    source: `${bookingSource(id)}book`,
    projectId,
    at: { blockchainId, height },
    lines: [{ debit, credit, units }],
  }
}

function unitsOf(amount: string, decimals: number): bigint {
  try {
    return parseUnits(amount, decimals)
  } catch {
    throw new RangeError(`${amount} is not an amount.`)
  }
}

/** An address in its family's spelling; a text that is no address stays as it is, and is found nowhere. */
function spellingOf(chain: Chain, text: string): string {
  try {
    return adapterOf(chain.blockchain.family)?.addresses.normalize(chain, text) ?? text
  } catch (error) {
    if (error instanceof InvalidInput) return text
    throw error
  }
}

/** What the source of the entry of a booking starts with. */
function bookingSource(id: number): string {
  return `found:${id}:`
}

/**
 * Whether rows came up to the height of a discrepancy since it was found, in its direction: a transaction that explains a part of
 * it was read after all.
 */
async function isReplaced(ctx: Context, discrepancy: Discrepancy, booked = 0n): Promise<boolean> {
  const { place, units, expected, height } = discrepancy
  if (place.role === 'cold' || expected === null) return false
  const later = (await gainedBetween(ctx, discrepancy, -1, height)) - expected - booked
  return place.role === 'hot' && units < 0n ? later < 0n : later > 0n
}

/**
 * Reverses every booking whose transaction a block showed later: the deposit or the movement says the same of the same coins.
 * What it does not explain is a new discrepancy of the next comparison. Harmless to repeat.
 */
export async function reverseReplaced(ctx: Context, { id: blockchainId, code }: BlockchainRow): Promise<void> {
  for (const booked of await listDiscrepancies(ctx, blockchainId, 'booked')) {
    const { id, units, place } = booked
    // What left a customer's address is booked only where a movement explains it.
    if ((units < 0n && place.role === 'deposit') || !(await isReplaced(ctx, booked, units))) continue
    const isReversed = await reverseOne(ctx, booked).catch((error: unknown) => {
      if (error instanceof Overdrawn) return false
      throw error
    })
    // The coins have left, and the transaction that brought them is not final yet.
    if (!isReversed) ctx.log.info({ blockchain: code, discrepancy: id }, 'a booking is reversed later')
  }
}

async function reverseOne(ctx: Context, booked: Discrepancy): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    await lockForBooking(tx, booked)
    // A reorganisation may have taken the transaction meanwhile.
    if (!(await isReplaced(tx, booked, booked.units)) || !(await closeBooked(tx, booked.id))) return false
    if (booked.place.role === 'deposit') await reverse(tx, [bookingSource(booked.id)])
    else await revertByBalance(tx, booked)
    return true
  })
}

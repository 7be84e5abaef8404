/**
 * The row of a sweep, with all that belongs to a change of it: the state machine, the ledger, its addresses and the event, in
 * one transaction. The rooms above decide who may change it, and when.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { SWEEP_UNDER_WAY } from '@kassa/contract/sweeps/machine.ts'
import type { SweepCause } from '@kassa/contract/sweeps/reasons.ts'

import type { Context } from '../../../context.ts'
import { balancesOf, post } from '../../ledger/service.ts'
import { announceSweep } from './announce.ts'
import { releaseInputs } from './outputs-store.ts'
import { releaseEntry, startEntries } from './postings.ts'
import {
  findLockedUntil,
  freeAddresses,
  insertError,
  insertSweep,
  listAddressTexts,
  listItems,
  lockAddresses,
  moveItems,
  moveSweep,
  type NewItem,
  type NewSweep,
} from './store.ts'
import type { ItemRow, SweepChanges, SweepRow } from './tables.ts'

export { sourcesOf } from './postings.ts'
export type { ItemRow, PsbtRow, SweepMethod, SweepRow } from './tables.ts'

/**
 * Plans a sweep: it holds its addresses until it ends or its time is over. Nothing is booked yet.
 * @throws ADDRESS_LOCKED when another sweep holds one of them
 */
export async function planSweep(
  tx: Context,
  sweep: NewSweep & { readonly expires_at: Date },
  items: readonly NewItem[],
): Promise<SweepRow> {
  const row = await insertSweep(tx, sweep, items)
  const addressIds = items.map(({ addressId }) => addressId)
  const locked = await lockAddresses(tx, row, { addressIds, until: sweep.expires_at })
  if (locked.length === addressIds.length) return row
  const missing = addressIds.filter((id) => !locked.includes(id))
  const until = (await findLockedUntil(tx, row.asset_id, missing)) ?? tx.now()
  return fail('ADDRESS_LOCKED', { values: { time: until.toISOString() } })
}

/**
 * Initiates a sweep: what its open items hold is on its way from now on. Undefined when its state has changed meanwhile.
 * @throws Overdrawn when an address holds less than was planned: the transaction must be rolled back
 */
export async function initiateSweep(tx: Context, id: bigint, changes: SweepChanges): Promise<SweepRow | undefined> {
  const row = await moveSweep(tx, id, 'initiate', {
    ...changes,
    wait_code: null,
    wait_params: null,
    initiated_at: tx.now(),
  })
  if (!row) return undefined
  await post(tx, startEntries(row, openOf(await listItems(tx, [id]))))
  await announceSweep(tx, row, 'initiated')
  return row
}

/** Cancels a sweep that has no transaction: its addresses are free. Undefined when its state has changed meanwhile. */
export async function cancelSweep(
  tx: Context,
  before: SweepRow,
  cause: SweepCause | null,
): Promise<SweepRow | undefined> {
  const row = await moveSweep(tx, before.id, 'cancel', { wait_code: null, wait_params: null, ended_at: tx.now() })
  if (!row) return undefined
  await releaseItems(tx, before, openOf(await listItems(tx, [row.id])), { verb: 'release', causeOf: () => cause })
  await freeAddresses(tx, row, 'all')
  await releaseInputs(tx, row.id)
  if (cause) await noteError(tx, row, cause)
  await announceSweep(tx, row, 'cancelled')
  return row
}

/**
 * Fails a sweep, when the chain proves that nothing of it moved or can move: the money of every open item is back at its
 * address.
 * @throws Error when it is not under way
 */
export async function failSweep(
  tx: Context,
  before: SweepRow,
  { cause, ...changes }: SweepChanges & { readonly cause: SweepCause },
): Promise<SweepRow> {
  const row = await moveSweep(tx, before.id, 'fail', { ...changes, ended_at: tx.now() })
  if (!row) throw new Error(`Sweep ${before.id} is not under way`)
  await releaseItems(tx, before, openOf(await listItems(tx, [row.id])), { verb: 'release', causeOf: () => cause })
  await freeAddresses(tx, row, 'all')
  await releaseInputs(tx, row.id)
  await noteError(tx, row, cause)
  await announceSweep(tx, row, 'failed')
  return row
}

type Release = {
  readonly verb: 'fail' | 'release'
  readonly causeOf: (item: ItemRow) => SweepCause | null
}

/** Takes items out of a sweep; when it is under way, their money returns to their addresses. */
export async function releaseItems(
  tx: Context,
  sweep: SweepRow,
  items: readonly ItemRow[],
  { verb, causeOf }: Release,
): Promise<ItemRow[]> {
  const keys = items.map((item) => ({ sweepId: sweep.id, addressId: item.address_id, cause: causeOf(item) }))
  const released = await moveItems(tx, keys, verb)
  if (isUnderWay(sweep)) {
    await post(
      tx,
      released.map((item) => releaseEntry(sweep, item)),
    )
  }
  return released
}

/**
 * Takes out of a sweep the items whose token refuses the transfer; their addresses are free for another sweep. `messageOf` is
 * the token's error message.
 */
export async function failItems(
  tx: Context,
  sweep: SweepRow,
  items: readonly ItemRow[],
  messageOf: ((item: ItemRow) => string) | null,
): Promise<void> {
  const ids = items.map((item) => item.address_id)
  const texts = await listAddressTexts(tx, ids)
  const causeOf = (item: ItemRow): SweepCause => {
    const params = { address: texts.get(item.address_id) ?? '', message: messageOf?.(item) ?? null }
    return { code: 'TOKEN_REFUSED', params }
  }
  await releaseItems(tx, sweep, items, { verb: 'fail', causeOf })
  await freeAddresses(tx, sweep, ids)
  for (const item of items) await noteError(tx, sweep, causeOf(item), texts.get(item.address_id))
}

/** Stores an error of a sweep. */
export async function noteError(
  tx: Context,
  sweep: SweepRow,
  cause: SweepCause,
  address: string | null = null,
): Promise<void> {
  const { id: sweepId, wallet_id: walletId, asset_id: assetId, tx_id: txId } = sweep
  await insertError(tx, { sweepId, walletId, assetId, cause, address, txId })
}

/** Whether the ledger holds on every address of a sweep what it is to give. */
export async function holdsItems(tx: Context, { id, asset_id: unitId }: SweepRow): Promise<boolean> {
  const items = openOf(await listItems(tx, [id]))
  const held = await balancesOf(
    tx,
    items.map((item) => ({ kind: 'chain:deposit-addresses', owner: `address:${item.address_id}`, unitId })),
  )
  return items.length > 0 && items.every(({ units }, at) => (held[at] ?? 0n) >= BigInt(units))
}

/** Whether the ledger books money of a sweep as on its way. */
export function isUnderWay({ status }: Pick<SweepRow, 'status'>): boolean {
  return SWEEP_UNDER_WAY.some((state) => state === status)
}

/** The items that have neither arrived nor been released. */
export function openOf(items: readonly ItemRow[]): ItemRow[] {
  return items.filter(({ state }) => state === 'open')
}

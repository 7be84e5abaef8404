/**
 * What the chain says of sweeps (money.md 6.9): only the transfer that proves an address's part settles it. The watcher calls
 * this in its transaction and under its locks: blockchain, wallets, deposits and movements are locked before.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context, StoredEvent } from '../../../context.ts'
import { balancesOf, post, reverse } from '../../ledger/service.ts'
import { claimMovements, disownMovements, type Movement } from '../../movements/service.ts'
import { announceSweep, hintSweep } from '../record/announce.ts'
import { restartEntry, settleEntry, settleSource } from '../record/postings.ts'
import { holdsItems, initiateSweep, isUnderWay, releaseItems, type SweepRow } from '../record/service.ts'
import {
  countEntry,
  hasOpenSweeps,
  insertForeign,
  insertItems,
  listItems,
  listOpenItemsOf,
  lockSweep,
  lockSweeps,
  moveItems,
  moveSweep,
  noteSwept,
  relockAddresses,
  updateSweep,
} from '../record/store.ts'
import type { ItemRow } from '../record/tables.ts'
import { concludeSweep } from './conclude.ts'
import {
  deleteForeignAbove,
  insertTransaction,
  listAdoptable,
  listFinalAbove,
  listSeenOfDevices,
  listItemsOfUndone,
  listSettledAbove,
  updateReplaced,
} from './store.ts'

export { concludeSweep } from './conclude.ts'
export { insertTransaction } from './store.ts'

/**
 * Books movements of sweeps that became final: their coins are at the collector. Returns the ids of those it booked; the others
 * wait, because the ledger does not know yet of the money that moved.
 */
export async function settleSweeps(tx: Context, movements: readonly Movement[]): Promise<ReadonlySet<bigint>> {
  const booked = new Set<bigint>()
  const ids = [...new Set(movements.flatMap(({ sweepId }) => sweepId ?? []))].toSorted(byId)
  await lockSweeps(tx, ids)
  for (const id of ids) {
    const own = movements.filter(({ sweepId }) => sweepId === id)
    await noteSentByDevice(tx, id, own[0]?.txId)
    const settled = await settleSweep(tx, id, own)
    for (const movementId of settled) booked.add(movementId)
    await concludeSweep(tx, id)
    hintSweep(tx, id)
  }
  return booked
}

function byId(a: bigint, b: bigint): number {
  return a < b ? -1 : 1
}

async function settleSweep(tx: Context, id: bigint, movements: readonly Movement[]): Promise<bigint[]> {
  const sweep = await lockSweep(tx, id)
  if (!sweep) {
    await disownMovements(
      tx,
      movements.map((movement) => movement.id),
    )
    return []
  }
  // Its wallet sent it, but the ledger does not hold yet what it moved.
  if (sweep.status === 'planned') return []
  const items = new Map((await listItems(tx, [id])).map((item) => [item.address_id, item]))
  const settled: bigint[] = []
  const arrived: bigint[] = []
  for (const movement of movements) {
    const item = movement.from?.role === 'deposit' ? items.get(movement.from.addressId) : undefined
    if (!item || item.state === 'swept' || !isProof(sweep, item, movement)) {
      await disownMovements(tx, [movement.id])
      continue
    }
    if (item.state !== 'open' && !(await undo(tx, sweep, item))) continue
    const [moved] = await moveItems(
      tx,
      [{ sweepId: id, addressId: item.address_id, movementId: movement.id }],
      'settle',
    )
    if (!moved) throw new Error(`Address ${item.address_id} of sweep ${id} was settled by another transaction`)
    const { height, fee } = movement
    await post(tx, [settleEntry(sweep, moved, { coldWalletId: coldOf(movement), height, fee })])
    settled.push(movement.id)
    arrived.push(item.address_id)
  }
  await noteSwept(tx, sweep, arrived)
  return settled
}

const GONE = { code: 'DEPOSIT_GONE', params: {} } as const

/** Our contract moves exactly what it was asked to: any other transfer of the transaction is not the sweep's. */
function isProof(sweep: SweepRow, item: ItemRow, { assetId, units }: Movement): boolean {
  return assetId === sweep.asset_id && units === BigInt(item.units)
}

function coldOf({ to, id }: Movement): number {
  if (to?.role !== 'cold' || to.walletId === null) throw new Error(`Movement ${id} does not reach a cold wallet`)
  return to.walletId
}

/**
 * Takes an address back into a sweep that had left it out, because its money did move: what the chain shows decides. Another
 * sweep that waits for the same money releases it. False while the ledger does not hold that much there.
 */
async function undo(tx: Context, sweep: SweepRow, item: ItemRow): Promise<boolean> {
  const account = {
    kind: 'chain:deposit-addresses',
    owner: `address:${item.address_id}`,
    unitId: sweep.asset_id,
  } as const
  const holds = async () => ((await balancesOf(tx, [account]))[0] ?? 0n) >= BigInt(item.units)
  for (const other of await listOpenItemsOf(tx, item.address_id, sweep.asset_id)) {
    if (await holds()) break
    const holder = await lockSweep(tx, other.sweep_id)
    if (holder && holder.id !== sweep.id) {
      await releaseItems(tx, holder, [other], { verb: 'release', causeOf: () => GONE })
    }
  }
  if (!(await holds())) return false
  const [counted] = await countEntry(tx, [{ sweepId: sweep.id, addressId: item.address_id }])
  if (!counted) throw new Error(`Sweep ${sweep.id} has lost an address`)
  await post(tx, [restartEntry(sweep, counted)])
  return true
}

/**
 * Undoes what blocks above a height settled, before their movements and deposits are reverted (money.md 2.3): settled addresses
 * are on their way again, and sweeps release addresses whose money disappears. Sweeps that strangers made there are deleted;
 * they are recorded again when their transaction is mined again.
 */
export async function unsettleSweeps(
  tx: Context,
  above: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  await deleteForeignAbove(tx, above)
  const settled = await listSettledAbove(tx, above)
  const undecided = await listFinalAbove(tx, above)
  const ids = [...new Set([...settled.map((item) => item.sweep_id), ...undecided])].toSorted(byId)
  const sweeps = await lockSweeps(tx, ids)
  for (const before of sweeps) {
    const own = settled.filter((item) => item.sweep_id === before.id)
    await reopen(tx, before, own, above.toHeight)
    hintSweep(tx, before.id)
  }
  await releaseUndone(tx, above)
}

async function reopen(tx: Context, before: SweepRow, items: readonly ItemRow[], toHeight: number): Promise<void> {
  await reverse(
    tx,
    items.map((item) => settleSource(before, item)),
  )
  const keys = items.map(({ sweep_id: sweepId, address_id: addressId }) => ({ sweepId, addressId }))
  await moveItems(tx, keys, 'reopen')
  await relockAddresses(
    tx,
    before,
    items.map((item) => item.address_id),
  )
  const isUndecided = before.final_height !== null && before.final_height > BigInt(toHeight)
  const open = isUndecided ? { final_height: null, fee_units: null } : {}
  if (isUndecided) await updateSweep(tx, before.id, open)
  if (before.status !== 'completed') return
  const row = await moveSweep(tx, before.id, 'reopen', { ...open, ended_at: null })
  if (row) await announceSweep(tx, row, 'broadcast')
}

/** Items of an address that loses money are released first: its account would fall below zero. */
async function releaseUndone(
  tx: Context,
  above: { readonly blockchainId: number; readonly toHeight: number },
): Promise<void> {
  const items = await listItemsOfUndone(tx, above)
  for (const [sweepId, own] of Map.groupBy(items, (item) => item.sweep_id)) {
    const sweep = await lockSweep(tx, sweepId)
    if (!sweep || !isUnderWay(sweep)) continue
    await releaseItems(tx, sweep, own, { verb: 'release', causeOf: () => GONE })
    hintSweep(tx, sweepId)
  }
}

/**
 * Recognises transactions that an operator's wallet sent for a sweep without a report, even for a sweep that was abandoned
 * since: they move exactly what was handed out. Call it where movements were seen for the first time.
 */
export async function adoptSweeps(tx: Context, blockchainId: number): Promise<void> {
  for (const { sweepId, txId } of await listSeenOfDevices(tx, blockchainId)) await noteSentByDevice(tx, sweepId, txId)
  for (const { sweepId, txId } of await listAdoptable(tx, blockchainId)) {
    const before = await lockSweep(tx, sweepId)
    if (before) await recordFound(tx, before, txId)
  }
}

/**
 * Records that the chain holds a transaction which was handed out to a device, whether or not its signature came back: a wallet
 * may broadcast it itself. A sweep that was not started yet is started here, if the ledger holds what it moves.
 */
async function noteSentByDevice(tx: Context, id: bigint, txId: string | undefined): Promise<void> {
  const before = await lockSweep(tx, id)
  if (before?.sent_by !== 'device' || txId === undefined) return
  if (before.status === 'planned') {
    if (!(await holdsItems(tx, before))) return
    const row = await initiateSweep(tx, id, { tx_id: txId, due_at: tx.now() })
    if (row) await recordFound(tx, row, txId)
    return
  }
  const isWaiting = before.status === 'sweep-initiated' || before.status === 'sweep-cancelled'
  if (isWaiting || (before.status === 'broadcast' && before.tx_id !== txId)) await recordFound(tx, before, txId)
}

/**
 * Records the transaction of a sweep that an operator's wallet sent, in place of one that it replaced. What it moves belongs to
 * the sweep from now on, so the caller has made sure that it is what was handed out. The caller has also locked the money of
 * the blockchain: a watcher that has judged the transaction's block, and not committed yet, would take it for a stranger's.
 */
export async function recordFound(tx: Context, before: SweepRow, txId: string): Promise<SweepRow> {
  await insertTransaction(tx, before, txId)
  await updateReplaced(tx, before.id, txId)
  await claimMovements(tx, { blockchainId: before.blockchain_id, txId, sweepId: before.id })
  const changes = { tx_id: txId, wait_code: null, wait_params: null, due_at: tx.now() }
  if (before.status === 'broadcast') {
    await updateSweep(tx, before.id, changes)
    return before
  }
  const verb = before.status === 'sweep-cancelled' ? 'find' : 'broadcast'
  const row = await moveSweep(tx, before.id, verb, { ...changes, ended_at: null })
  if (!row) throw new Error(`Sweep ${before.id} does not wait for a transaction`)
  await announceSweep(tx, row, 'broadcast')
  return row
}

/** Records final sweeps that strangers made our contracts do: one sweep for each transaction, wallet and asset. */
export async function noteForeignSweeps(tx: Context, movements: readonly Movement[]): Promise<void> {
  const keyOf = ({ txId, assetId, from }: Movement) => `${txId} ${assetId} ${from?.walletId ?? 0}`
  for (const some of Map.groupBy(movements, keyOf).values()) {
    const [first] = some
    const { from } = first ?? {}
    if (!first || from?.role !== 'deposit') continue
    const row = await insertForeign(tx, {
      wallet_id: from.walletId,
      blockchain_id: first.blockchainId,
      asset_id: first.assetId,
      method: 'sweep',
      vault: '',
      collector: first.toAddress,
      units: some.reduce((sum, { units }) => sum + units, 0n),
      amount_usd: null,
      tx_id: first.txId,
      final_height: first.height,
    })
    const byAddress = Map.groupBy(some, (one) => (one.from?.role === 'deposit' ? one.from.addressId : 0n))
    const items = [...byAddress].map(([addressId, moved]) => ({
      addressId,
      projectId: moved[0]?.from?.projectId ?? null,
      itemId: 0n,
      units: moved.reduce((sum, { units }) => sum + units, 0n),
      ...(moved[0] && { movementId: moved[0].id }),
    }))
    await insertItems(tx, row, items)
    await noteSwept(
      tx,
      row,
      items.map(({ addressId }) => addressId),
    )
    await announceSweep(tx, row, 'completed')
  }
}

/** Subscriber: refuses to archive a project whose money is part of an open sweep. @throws PROJECT_HAS_OPEN_MONEY */
export async function refuseWithOpenSweeps(tx: Context, { payload, projectId }: StoredEvent): Promise<void> {
  if (payload.status !== 'archived' || projectId === null) return
  if (await hasOpenSweeps(tx, projectId)) fail('PROJECT_HAS_OPEN_MONEY')
}

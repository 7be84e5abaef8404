/**
 * Deposits: one row per incoming transfer, from the block it is seen in until its money is final and placed, or the chain
 * takes it back. The row and its journal entry move together; what the money means is decided by payments.
 */
import type { Transfer } from '@kassa/chains/adapter.ts'
import { type Context, inTransaction } from '../../context.ts'
import { depositsTotal } from '../../metrics/registry.ts'
import { postAll, reverseAll } from '../ledger/service.ts'
import {
  identityOf,
  insertDeposits,
  listDepositsOfPayments,
  listFinal,
  listFinalOwners,
  listKnown,
  listOwnersAbove,
  saveDispositions,
  moveReverted,
  moveSeenAgain,
  type ChainPosition,
  updateCounted,
} from './batch-store.ts'
import type { Deposit, NewDeposit, Disposition } from './deposit.ts'
import { updateEvidence, countSeen } from './store.ts'
import { posted } from './postings.ts'

export type { CrossCheck, Unproven } from './cross-check-store.ts'
export { broughtInBlock, depositsWithoutCrossCheck, recordCrossCheck } from './cross-checks.ts'
export type { Deposit, QuarantineReason, NewDeposit, Disposition } from './deposit.ts'
export { depositShapes, depositsOfTransaction, unappliedOfCustomer, listDeposits } from './list-deposits.ts'
export { depositView, type ShownDeposit } from './view.ts'
export { assignDeposit, getDeposit, recordValue, releaseDeposit, unassignDeposit } from './manual-moves.ts'

export type { ChainPosition } from './batch-store.ts'
export { identityOf } from './batch-store.ts'

/** A transfer that is told again, as it is known: alive, or taken back in the very block it is told to be in. */
export type Known = { readonly alive: ReadonlySet<string>; readonly takenBack: ReadonlyMap<string, Deposit> }

/** What is known of transfers of a blockchain, by `identityOf`. */
export async function knownTransfers(
  ctx: Context,
  blockchainId: number,
  transfers: readonly Transfer[],
): Promise<Known> {
  const told = transfers.map(({ txId, leg, block }) => ({ txId, leg, blockHash: block.hash }))
  const known = await listKnown(ctx, blockchainId, told)
  const isAlive = ({ status }: Deposit) => status !== 'reverted'
  return {
    alive: new Set(known.filter(isAlive).map(identityOf)),
    takenBack: new Map(known.filter((one) => !isAlive(one)).map((one) => [identityOf(one), one])),
  }
}

/** A deposit as it was recorded; `isNew` is false for one that had been taken back and returned with its block. */
export type Recorded = { readonly deposit: Deposit; readonly isNew: boolean }

/**
 * Records transfers of one blockchain to addresses of ours as `seen`, with their entries, in the order given; null for each
 * that is known already. A transfer that a reorganisation had taken back returns as the same row when the chain comes back
 * to its block, else as a new one.
 */
export async function recordTransfers(ctx: Context, inputs: readonly NewDeposit[]): Promise<(Recorded | null)[]> {
  if (inputs.length === 0) return []
  return inTransaction(ctx, async (tx) => {
    const inserted = byIdentity(await insertDeposits(tx, inputs))
    const rest = inputs.filter(({ transfer }) => !inserted.has(identityOf(transfer)))
    const again = byIdentity(rest.length > 0 ? await moveSeenAgain(tx, rest) : [])
    const recorded = inputs.map(({ transfer }) => take(inserted, transfer, true) ?? take(again, transfer, false))
    const entries = recorded.flatMap((one) => (one ? [one.deposit] : []))
    depositsTotal.inc({ status: 'seen' }, entries.length)
    await postAll(
      tx,
      entries.map((deposit) => ({ posting: 'deposit.seen', deposit: posted(deposit) })),
    )
    return recorded
  })
}

function byIdentity(deposits: readonly Deposit[]): Map<string, Deposit> {
  return new Map(deposits.map((deposit) => [identityOf(deposit), deposit]))
}

/** Gives each out once: the same transfer told twice is recorded the first time. */
function take(from: Map<string, Deposit>, transfer: Transfer, isNew: boolean): Recorded | null {
  const key = identityOf(transfer)
  const deposit = from.get(key)
  from.delete(key)
  return deposit ? { deposit, isNew } : null
}

/** The customers whose deposits `finalize` would place, with those of their payments: to be locked before it. */
export function ownersOfFinal(ctx: Context, standing: ChainPosition): Promise<number[]> {
  return listFinalOwners(ctx, standing)
}

const POSTINGS = {
  applied: 'deposit.apply',
  unapplied: 'deposit.unapplied',
  ignored: 'deposit.ignored',
  quarantined: 'deposit.quarantine',
} as const

/**
 * Confirms every deposit that became final and says what its money is, with its entry; lowest block first. With `owners`,
 * those of other customers wait for the next time.
 * @throws Error when somebody else placed one of them meanwhile: nothing of this may stand
 */
export async function finalize(
  ctx: Context,
  standing: ChainPosition,
  { decide, owners }: { decide: (deposit: Deposit) => Disposition; owners?: readonly number[] },
): Promise<Deposit[]> {
  return inTransaction(ctx, async (tx) => {
    const final = await listFinal(tx, standing, owners)
    if (final.length === 0) return []
    const finalAt = tx.now()
    const placed = final.map((deposit): Deposit & Disposition => ({ ...deposit, ...decide(deposit), finalAt }))
    const moved = new Set(await saveDispositions(tx, placed))
    const lost = placed.find(({ id }) => !moved.has(id))
    if (lost) throw new Error(`Deposit ${lost.id} is not waiting to be placed`)
    await postAll(
      tx,
      placed.map((deposit) => ({ posting: POSTINGS[deposit.status], deposit: posted(deposit) })),
    )
    for (const { status } of placed) depositsTotal.inc({ status })
    return placed
  })
}

/** The customers of what `revertAbove` would take back, with those of their payments: to be locked before it. */
export function ownersAbove(
  ctx: Context,
  { blockchainId, toHeight }: { blockchainId: number; toHeight: number },
): Promise<number[]> {
  return listOwnersAbove(ctx, blockchainId, toHeight)
}

/** Takes back every deposit above a height with mirrored entries; returns them newest block first, as they are now. */
export async function revertAbove(ctx: Context, input: { blockchainId: number; toHeight: number }): Promise<Deposit[]> {
  return inTransaction(ctx, async (tx) => {
    const reverted = await moveReverted(tx, input)
    depositsTotal.inc({ status: 'reverted' }, reverted.length)
    await reverseAll(
      tx,
      reverted.map(({ id }) => `deposit:${id}:`),
    )
    return reverted
  })
}

/** Fixes what deposits count for, once a person decided whose money they are. */
export async function fixCounted(
  ctx: Context,
  counted: readonly { readonly id: bigint; readonly units: bigint }[],
): Promise<void> {
  if (counted.length > 0) await updateCounted(ctx, counted)
}

/**
 * Replaces the evidence of a deposit that only a balance showed by the transfer that was found later, in place: its money is
 * the same. False when it is not such a deposit (any more).
 */
export function proveByTrace(ctx: Context, id: bigint, transfer: Transfer): Promise<boolean> {
  return updateEvidence(ctx, id, transfer)
}

/** The deposits of a payment, oldest first, those taken back included. */
export function depositsOfPayment(ctx: Context, paymentId: bigint): Promise<Deposit[]> {
  return listDepositsOfPayments(ctx, [paymentId])
}

/** The deposits of payments, by payment, oldest first, those taken back included. */
export async function depositsOfPayments(
  ctx: Context,
  paymentIds: readonly bigint[],
): Promise<ReadonlyMap<bigint | null, Deposit[]>> {
  return Map.groupBy(await listDepositsOfPayments(ctx, paymentIds), ({ paymentId }) => paymentId)
}

/** How many deposits of a blockchain are not final yet. */
export function countWaiting(ctx: Context, blockchainId: number): Promise<number> {
  return countSeen(ctx, blockchainId)
}

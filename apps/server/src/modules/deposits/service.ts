/**
 * Deposits: one row per incoming transfer, from the block it is seen in until its disposition is final, or a
 * reorganisation reverts it. The row and its journal entry are written together; payments decide the disposition.
 */
import type { Transfer } from '@kassa/chains/adapter.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction } from '../../context.ts'
import { depositsTotal } from '../../metrics/registry.ts'
import { post, reverse } from '../ledger/service.ts'
import {
  identityOf,
  insertDeposits,
  listDepositsOfPayments,
  listFinal,
  listKnown,
  listReturned,
  saveDispositions,
  moveReverted,
  moveSeenAgain,
  type ChainPosition,
  updateCounted,
} from './batch-store.ts'
import {
  type CrossCheck,
  type Unproven,
  listWithoutCrossCheck,
  sumInBlock,
  updateCrossCheck,
  upsertCrossCheck,
} from './cross-check-store.ts'
import type { Counted, Deposit, NewDeposit, Disposition } from './deposit.ts'
import { bookLosses, returnLosses } from './losses/service.ts'
import { addCommitted, countSeen, lockMoneyOf, subtractCommitted, updateEvidence } from './store.ts'
import { finalEntry, seenEntry, sourcesOf } from './postings.ts'

export type { CrossCheck, Unproven } from './cross-check-store.ts'
export type { Counted, Deposit, NewDeposit, Disposition } from './deposit.ts'
export { countUnmatched, depositShapes, depositsOfTransaction, unappliedOfCustomer } from './list-deposits.ts'
export { sourcesOf } from './postings.ts'
export { depositView, type ShownDeposit, waitsView } from './view.ts'
export { listRefundable, type RefundableDeposit } from './store.ts'
export { assignDeposit, getDeposit, recordValue, releaseDeposit, unassignDeposit } from './manual-moves.ts'

export type { ChainPosition } from './batch-store.ts'
export { identityOf, isAbove, isFinal } from './batch-store.ts'

/** What is known of transfers that are reported again, by `identityOf`. */
export type Known = {
  readonly alive: ReadonlySet<string>
  /** Reverted in the very block that reports them. */
  readonly revertedHere: ReadonlyMap<string, Deposit>
  /** Reverted in another block while a payment had them. */
  readonly revertedElsewhere: ReadonlyMap<string, readonly Deposit[]>
}

/** What is known of transfers of a blockchain, by `identityOf`. */
export async function knownTransfers(
  ctx: Context,
  blockchainId: number,
  transfers: readonly Transfer[],
): Promise<Known> {
  const reported = transfers.map(({ txId, leg, block }) => ({ txId, leg, blockHash: block.hash }))
  const known = await listKnown(ctx, blockchainId, reported)
  const blocks = new Map(reported.map((one) => [identityOf(one), one.blockHash]))
  const isAlive = ({ status }: Deposit) => status !== 'reverted'
  const isHere = (one: Deposit) => blocks.get(identityOf(one)) === one.blockHash
  const reverted = known.filter((one) => !isAlive(one))
  return {
    alive: new Set(known.filter(isAlive).map(identityOf)),
    revertedHere: new Map(reverted.filter(isHere).map((one) => [identityOf(one), one])),
    revertedElsewhere: Map.groupBy(
      reverted.filter((one) => !isHere(one)),
      identityOf,
    ),
  }
}

/** A deposit as it was recorded; `isNew` is false for one that was reverted and returned with its block. */
export type Recorded = { readonly deposit: Deposit; readonly isNew: boolean }

/**
 * Records transfers of one blockchain to addresses of ours as `seen`, with their entries, in the order given; null for
 * each that is known already. A transfer that a reorganisation reverted returns as the same row when the chain returns
 * to its block, else as a new one.
 */
export async function recordTransfers(ctx: Context, inputs: readonly NewDeposit[]): Promise<(Recorded | null)[]> {
  if (inputs.length === 0) return []
  return inTransaction(ctx, async (tx) => {
    const inserted = byIdentity(await insertDeposits(tx, inputs))
    const rest = inputs.filter(({ transfer }) => !inserted.has(identityOf(transfer)))
    const again = byIdentity(rest.length > 0 ? await moveSeenAgain(tx, rest) : [])
    const recorded = inputs.map(({ transfer }) => take(inserted, transfer, true) ?? take(again, transfer, false))
    const seen = recorded.flatMap((one) => (one ? [one.deposit] : []))
    depositsTotal.inc({ status: 'seen' }, seen.length)
    await post(tx, seen.map(seenEntry))
    return recorded
  })
}

function byIdentity(deposits: readonly Deposit[]): Map<string, Deposit> {
  return new Map(deposits.map((deposit) => [identityOf(deposit), deposit]))
}

/** Keeps the first of transfers that are reported twice, so that each is recorded once. */
function take(from: Map<string, Deposit>, transfer: Transfer, isNew: boolean): Recorded | null {
  const key = identityOf(transfer)
  const deposit = from.get(key)
  from.delete(key)
  return deposit ? { deposit, isNew } : null
}

/**
 * Confirms every deposit that became final and saves its disposition, with its entry; lowest block first. With
 * `owners`, those of other customers wait for the next time.
 * @throws Error when another process finalized one of them meanwhile: the transaction must be rolled back
 */
export async function finalize(
  ctx: Context,
  position: ChainPosition,
  { decide, owners }: { decide: (deposit: Deposit) => Disposition; owners?: readonly number[] },
): Promise<Deposit[]> {
  return inTransaction(ctx, async (tx) => {
    const final = await listFinal(tx, position, owners)
    if (final.length === 0) return []
    const finalAt = tx.now()
    const placed = final.map((deposit) => ({ ...deposit, ...decide(deposit), finalAt }))
    const moved = new Set(await saveDispositions(tx, placed))
    const lost = placed.find(({ id }) => !moved.has(id))
    if (lost) throw new Error(`Deposit ${lost.id} is not waiting to be placed`)
    await post(tx, placed.map(finalEntry))
    await returnLosses(tx, placed)
    for (const { status } of placed) depositsTotal.inc({ status })
    return placed
  })
}

/** Reverts every deposit above a height with reversal entries; returns them newest block first, as they are now. */
export async function revertAbove(ctx: Context, input: { blockchainId: number; toHeight: number }): Promise<Deposit[]> {
  return inTransaction(ctx, async (tx) => {
    await bookLosses(tx, input)
    const reverted = await moveReverted(tx, input)
    depositsTotal.inc({ status: 'reverted' }, reverted.length)
    await reverse(tx, reverted.map(sourcesOf))
    return reverted
  })
}

/** Commits units of a final deposit to a refund. @throws REFUND_TOO_LARGE when fewer are left */
export async function commitRefund(ctx: Context, id: bigint, units: bigint): Promise<void> {
  if (!(await addCommitted(ctx, id, units))) fail('REFUND_TOO_LARGE', { values: { amount: '0' } })
}

/** Releases the units committed to a refund that ended without paying. */
export async function releaseRefund(ctx: Context, id: bigint, units: bigint): Promise<void> {
  await subtractCommitted(ctx, id, units)
}

/** Sets what deposits count for, once it is decided to which payment they belong and which others it has. */
export async function fixCounted(ctx: Context, counted: readonly Counted[]): Promise<void> {
  if (counted.length > 0) await updateCounted(ctx, counted)
}

/**
 * Replaces the evidence of a deposit that only a balance showed by the transfer that was found later, in place: the
 * units are the same. False when it is not such a deposit (any more).
 */
export function proveByTrace(ctx: Context, id: bigint, transfer: Transfer): Promise<boolean> {
  return updateEvidence(ctx, id, transfer)
}

/** The deposits of a payment, oldest first, including reverted ones. */
export function depositsOfPayment(ctx: Context, paymentId: bigint): Promise<Deposit[]> {
  return listDepositsOfPayments(ctx, [paymentId])
}

/**
 * What payments are computed from, by payment, oldest first: their deposits, including reverted ones, except those that another
 * block brought back. The money of these is missing from no payment, whichever one has it now.
 */
export async function fundingDepositsOf(
  ctx: Context,
  paymentIds: readonly bigint[],
): Promise<ReadonlyMap<bigint | null, Deposit[]>> {
  const deposits = await listDepositsOfPayments(ctx, paymentIds)
  const reverted = deposits.flatMap(({ id, status }) => (status === 'reverted' ? [id] : []))
  const returned = new Set(reverted.length > 0 ? await listReturned(ctx, reverted) : [])
  return Map.groupBy(
    deposits.filter(({ id }) => !returned.has(id)),
    ({ paymentId }) => paymentId,
  )
}

/** How many deposits of a blockchain are not final yet. */
export function countWaiting(ctx: Context, blockchainId: number): Promise<number> {
  return countSeen(ctx, blockchainId)
}

/** Lists deposits that only lack a cross-check to be final; those to check first come first. */
export function depositsWithoutCrossCheck(
  ctx: Context,
  at: { blockchainId: number; tip: number; finalized: number; limit: number },
): Promise<Unproven[]> {
  return listWithoutCrossCheck(ctx, at)
}

/** The recorded units of an asset that the block of a deposit brought to its address, including the deposit. */
export function broughtInBlock(
  ctx: Context,
  blockchainId: number,
  deposit: Pick<Unproven, 'assetId' | 'to' | 'blockHash'>,
): Promise<bigint> {
  return sumInBlock(ctx, blockchainId, deposit)
}

/**
 * Records the result of a cross-check: the deposit can become final, or gets a quarantine reason, or states why it
 * waits. False when the deposit does not wait any more.
 */
export async function recordCrossCheck(ctx: Context, check: CrossCheck): Promise<boolean> {
  const { nodeId, verdict } = check
  return inTransaction(ctx, async (tx) => {
    if (!(await updateCrossCheck(tx, check))) return false
    if (nodeId !== null && verdict !== 'alone') await upsertCrossCheck(tx, { ...check, nodeId })
    return true
  })
}

/**
 * Takes the first lock of a transaction that moves deposits or movements of a blockchain (money.md 4.3, lock order): nobody
 * else credits or reverts there until it ends.
 */
export function lockMoney(tx: Context, blockchainId: number): Promise<void> {
  return lockMoneyOf(tx, blockchainId)
}

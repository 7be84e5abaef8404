/**
 * The row of a payout, with all that belongs to a change of it: the state machine, the ledger and the event, in one
 * transaction. The rooms above decide who may change it, and when.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Context } from '../../../context.ts'
import { getAsset } from '../../blockchains/chains/service.ts'
import { Overdrawn, post } from '../../ledger/service.ts'
import { announcePayout } from './announce.ts'
import { remainingEarnings } from './earned.ts'
import { digestOfPayout } from './payload.ts'
import { holdEntry, releaseEntry } from './postings.ts'
import { countHold, findWithdrawal, hasOpenTo, listClaims, listPayerWallets, moveWithdrawal } from './store.ts'
import type { WithdrawalChanges as Changes, WithdrawalRow } from './tables.ts'

export { remainingEarnings } from './earned.ts'
export { digestOfPayout, payloadOf, wordsOf } from './payload.ts'
export { sourcesOfPayout } from './postings.ts'
export type { WithdrawalRow } from './tables.ts'

/** Whether payouts to a recipient are under way: it cannot be deleted meanwhile. */
export function isRecipientInUse(ctx: Context, recipientId: number): Promise<boolean> {
  return hasOpenTo(ctx, recipientId)
}

/** What a new decision replaces in a payout; its digest covers the version of the policy. */
export function decided(row: WithdrawalRow, changes: Changes & { readonly policy_version: number }): Changes {
  return { ...changes, digest: digestOfPayout({ ...row, policy_version: changes.policy_version }) }
}

/** A payout, without checking the caller. */
export function payoutOf(ctx: Context, id: bigint): Promise<WithdrawalRow | undefined> {
  return findWithdrawal(ctx, id, 'every')
}

/** Which of these payouts go to an address that paid for a customer whom the promoter brought. */
export function payerWallets(ctx: Context, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  return listPayerWallets(ctx, ids)
}

/** Holds the money of a payout that was decided when it was created. @throws INSUFFICIENT_FUNDS */
export async function holdNew(tx: Context, id: bigint): Promise<WithdrawalRow> {
  const row = await countHold(tx, id)
  await hold(tx, row)
  return row
}

/**
 * Decides a payout: holds its money, and lets it be signed. Undefined when its state has changed meanwhile.
 * @throws INSUFFICIENT_FUNDS
 */
export async function moveDecided(tx: Context, id: bigint, changes: Changes): Promise<WithdrawalRow | undefined> {
  const row = await moveWithdrawal(tx, id, 'decide', changes)
  if (!row) return undefined
  await hold(tx, row)
  await announcePayout(tx, row)
  return row
}

/**
 * Ends a payout before it is signed, or after it failed, and releases its hold. Undefined when its state has changed meanwhile.
 */
export async function moveReleased(
  tx: Context,
  before: WithdrawalRow,
  verb: 'askAgain' | 'cancel' | 'fail' | 'reject',
  changes: Changes,
): Promise<WithdrawalRow | undefined> {
  const row = await moveWithdrawal(tx, before.id, verb, { wait_code: null, wait_params: null, ...changes })
  if (!row) return undefined
  if (before.status !== 'pending-approval' && !isOfRewards(row)) {
    await post(tx, [releaseEntry(row, await listClaims(tx, row.id))])
  }
  await announcePayout(tx, row)
  return row
}

/**
 * Whether a payout pays out rewards. Its money is held for the promoter from the request on, and the referral module books it
 * when the payout's events arrive.
 */
export function isOfRewards({ type }: Pick<WithdrawalRow, 'type'>): boolean {
  return type === 'withdrawal'
}

const NOTHING_OF_IT = { values: { amount: '0', currency: 'of it' } } as const

async function hold(tx: Context, row: WithdrawalRow): Promise<void> {
  if (isOfRewards(row)) return
  const claims = await listClaims(tx, row.id)
  // A reorganisation reverted the deposit meanwhile: nothing can be refunded until it is mined again.
  if (claims.some(({ claim }) => claim === 'losses:reorg')) fail('INSUFFICIENT_FUNDS', NOTHING_OF_IT)
  await post(tx, [holdEntry(row, claims)]).catch((error: unknown) => {
    // Only a refund of unmatched money debits a guarded account here, so another decision has taken that money.
    if (error instanceof Overdrawn) return fail('INSUFFICIENT_FUNDS', NOTHING_OF_IT)
    throw error
  })
  const taken = claims.filter(({ claim }) => claim === 'project:balance')
  const units = claims.length === 0 ? BigInt(row.units) : taken.reduce((sum, one) => sum + BigInt(one.units), 0n)
  if (units > 0n) await requireEarned(tx, row, units)
}

/**
 * Call it after `units` were taken: that entry has locked the account until this payout is decided. @throws INSUFFICIENT_FUNDS
 */
async function requireEarned(tx: Context, row: WithdrawalRow, units: bigint): Promise<void> {
  const left = await remainingEarnings(tx, row)
  if (left === null || left >= 0n) return
  const { decimals, currencyCode: currency } = await getAsset(tx, row.asset_id)
  const before = left + units
  const amount = formatUnits(before > 0n ? before : 0n, decimals)
  fail('INSUFFICIENT_FUNDS', { values: { amount, currency }, data: { amount, currencyCode: currency } })
}

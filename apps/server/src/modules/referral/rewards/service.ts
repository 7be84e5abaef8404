/**
 * Rewards: what is owed to people of the referral programme, from the moment it is earned until it is paid or its sale is
 * reversed. For each person and currency, the ledger holds what is ready, under way and owed back; a row states what it is for.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { RewardReversal } from '@kassa/contract/referral/reasons.ts'

import type { Context } from '../../../context.ts'
import { balancesOf, type Entry, type Line, post, reverse } from '../../ledger/service.ts'
import { lockReferrers } from '../referrers/service.ts'
import { announceRewards } from './announce.ts'
import { accountOf, entriesOfMoves, heldAccounts, type Move, offsetEntry, personKey } from './postings.ts'
import { takeInOrder } from './rules.ts'
import {
  findSettled,
  insertRewards,
  insertSettlements,
  listRewardsOfSets,
  lockOpenRewards,
  moveSettlements,
  type NewReward,
  type RewardRow,
  updateReversed,
} from './store.ts'

export { currencyOf, findRewardCurrency } from './currencies.ts'
export type { NewReward, PastRow, PersonKey, RewardRow } from './store.ts'
export { listPast } from './store.ts'

/** Stores rewards with their entries, in the order given; the people are locked. */
export async function accrueRewards(tx: Context, rewards: readonly NewReward[]): Promise<RewardRow[]> {
  const rows = await insertRewards(tx, rewards)
  await announceRewards(tx, new Map(rows.map(({ id }) => [id, 'referral.reward_earned'])))
  await postMoves(
    tx,
    rows.map((row) => ({ reward: row, units: BigInt(row.units) })),
  )
  return rows
}

/** The rewards of sets: each set is a campaign with the log that completed it. */
export function rewardsOfSets(
  ctx: Context,
  sets: readonly { readonly campaignId: number; readonly setLogId: bigint }[],
): Promise<RewardRow[]> {
  return listRewardsOfSets(ctx, sets)
}

/** What reversals left of a reward. */
export function leftOfReward({ units, reversed_units }: Pick<RewardRow, 'units' | 'reversed_units'>): bigint {
  return BigInt(units) - BigInt(reversed_units)
}

/** The new amount left of a reward, and why it changes. */
export type Left = { readonly row: RewardRow; readonly left: bigint; readonly reason: RewardReversal }

/**
 * Sets what is left of rewards whose sales were reversed, or came back; the people are locked. What was already paid or is
 * under way is owed back, and settled from what the person has ready, now or later.
 */
export async function setLeft(tx: Context, lefts: readonly Left[]): Promise<void> {
  const changed = lefts.flatMap(({ row, left, reason }) => {
    const [units, reversed] = [left - leftOfReward(row), BigInt(row.units) - left]
    return units === 0n ? [] : [{ id: row.id, units, reversed, reason: reversed === 0n ? null : reason }]
  })
  const moved = new Map(changed.map(({ id, units }) => [id, units]))
  const moves = (await updateReversed(tx, changed)).map((row) => ({ reward: row, units: moved.get(row.id) ?? 0n }))
  const events = moves.map(({ reward, units }) => {
    return [reward.id, units > 0n ? 'referral.reward_earned' : 'referral.reward_reversed'] as const
  })
  await announceRewards(tx, new Map(events))
  await postMoves(tx, moves)
}

/** Posts moves together: the accounts of a project and its people are locked last and briefly. */
async function postMoves(tx: Context, moves: readonly Move[]): Promise<void> {
  const people = [...new Map(moves.map(({ reward }) => [personKey(reward), reward])).entries()]
  const units = await balancesOf(
    tx,
    people.flatMap(([, person]) => heldAccounts(person)),
  )
  const held = people.map(([key], at) => {
    return [key, { ready: units[2 * at] ?? 0n, owing: units[2 * at + 1] ?? 0n }] as const
  })
  await post(tx, entriesOfMoves(moves, new Map(held)))
}

type Hold = {
  readonly referrerId: number
  readonly unitId: number
  readonly units: bigint
  readonly withdrawalId: bigint
}

/** Takes rewards of a person for a withdrawal, oldest first. @throws INSUFFICIENT_FUNDS when fewer are ready */
export async function holdRewards(tx: Context, { referrerId, unitId, units, withdrawalId }: Hold): Promise<void> {
  const [person] = await lockReferrers(tx, [referrerId])
  if (!person) return fail('REFERRER_NOT_FOUND')
  const owner = { referrer_id: referrerId, unit_id: unitId }
  const payable = accountOf('referral:payable', owner)
  const [ready = 0n] = await balancesOf(tx, [payable])
  if (ready < units) return fail('INSUFFICIENT_FUNDS')
  const open = await lockOpenRewards(tx, referrerId, unitId)
  const parts = takeInOrder(
    open.map((row) => ({ id: row.id, open: leftOfReward(row) - BigInt(row.held_units) - BigInt(row.paid_units) })),
    units,
  )
  await insertSettlements(tx, withdrawalId, parts)
  await post(tx, [
    entryOf({ withdrawalId, event: 'hold', projectId: person.project_id }, [
      { debit: payable, credit: accountOf('referral:held', owner), units },
    ]),
  ])
}

/** Releases what a withdrawal took that ends without paying; does nothing when it took no rewards. */
export async function releaseRewards(tx: Context, withdrawalId: bigint): Promise<void> {
  const settled = await lockSettled(tx, withdrawalId)
  if (!settled) return
  const units = await moveSettlements(tx, withdrawalId, { from: 'held', to: 'released' })
  if (units === 0n) return
  const payable = accountOf('referral:payable', settled)
  const release = entryOf({ withdrawalId, event: 'release', projectId: settled.project_id }, [
    { debit: accountOf('referral:held', settled), credit: payable, units },
  ])
  const [owing = 0n] = await balancesOf(tx, [accountOf('referral:receivable', settled)])
  const offset = owing < units ? owing : units
  const lines = offset === 0n ? [] : offsetEntry({ ...settled, id: 0n, revision: 0 }, offset).lines
  await post(tx, [
    release,
    ...(lines.length === 0
      ? []
      : [
          {
            ...entryOf({ withdrawalId, event: 'offset', projectId: settled.project_id }, lines),
            posting: 'reward.offset',
          },
        ]),
  ])
}

type Settlement = {
  /** Units of the coin that paid: exchange:position → chain:hot-held. */
  readonly lines: readonly Line[]
  readonly at: Entry['at']
  /** Counts settlements of the withdrawal: when its block is dropped and mined again, it settles twice. */
  readonly settlement: number
}

/** Books what a withdrawal took as paid. */
export async function settleRewards(
  tx: Context,
  withdrawalId: bigint,
  { lines, at, settlement }: Settlement,
): Promise<void> {
  const settled = await lockSettled(tx, withdrawalId)
  if (!settled) return
  const units = await moveSettlements(tx, withdrawalId, { from: 'held', to: 'paid' })
  if (units === 0n) return
  const position = {
    kind: 'exchange:position',
    owner: `project:${settled.project_id}`,
    unitId: settled.unit_id,
  } as const
  const paid = { debit: accountOf('referral:held', settled), credit: position, units }
  const event = `settle:${settlement}`
  await post(tx, [
    {
      ...entryOf({ withdrawalId, event, projectId: settled.project_id }, [paid, ...lines]),
      posting: 'reward.settle',
      at,
    },
  ])
}

/** Undoes a payment whose block was dropped: what it took is under way again. */
export async function reopenRewards(tx: Context, withdrawalId: bigint, settlement: number): Promise<void> {
  if (!(await lockSettled(tx, withdrawalId))) return
  const units = await moveSettlements(tx, withdrawalId, { from: 'paid', to: 'held' })
  if (units > 0n) await reverse(tx, [`reward-payout:${withdrawalId}:settle:${settlement}`])
}

async function lockSettled(tx: Context, withdrawalId: bigint) {
  const settled = await findSettled(tx, withdrawalId)
  if (settled) await lockReferrers(tx, [settled.referrer_id])
  return settled
}

function entryOf(
  {
    withdrawalId,
    event,
    projectId,
  }: { readonly withdrawalId: bigint; readonly event: string; readonly projectId: number },
  lines: readonly Line[],
): Entry {
  return { posting: `reward.${event}`, source: `reward-payout:${withdrawalId}:${event}`, projectId, at: null, lines }
}

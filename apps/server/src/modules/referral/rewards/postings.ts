/** What rewards post to the ledger (money.md 4.3): one account per person and currency, so that nobody withdraws another's. */
import type { Account, Entry, Line } from '../../ledger/service.ts'

export type PostedReward = {
  readonly id: bigint
  readonly project_id: number
  readonly referrer_id: number
  readonly unit_id: number
  /** Accruals, reversals and returns so far, this one included. */
  readonly revision: number
}

type Person = Pick<PostedReward, 'referrer_id' | 'unit_id'>

/** An account of one person in one currency. */
export function accountOf(
  kind: 'referral:payable' | 'referral:held' | 'referral:receivable',
  { referrer_id: id, unit_id: unitId }: Person,
): Account {
  return { kind, owner: `referrer:${id}`, unitId }
}

function expenseOf({ project_id: id, unit_id: unitId }: PostedReward): Account {
  return { kind: 'referral:expense', owner: `project:${id}`, unitId }
}

/**
 * A reward is owed, for the first time or again; `owing` is what the person owes back, which it makes up for at once as far as
 * it goes.
 */
export function accrueEntries(reward: PostedReward, units: bigint, owing: bigint): Entry[] {
  const payable = accountOf('referral:payable', reward)
  const offset = smaller(units, owing)
  return [
    entryOf(reward, 'accrue', [{ debit: expenseOf(reward), credit: payable, units }]),
    ...(offset > 0n ? [offsetEntry(reward, offset)] : []),
  ]
}

/** Makes up for what a person owes back, by what they have ready. */
export function offsetEntry(reward: PostedReward, units: bigint): Entry {
  const receivable = accountOf('referral:receivable', reward)
  return entryOf(reward, 'offset', [{ debit: accountOf('referral:payable', reward), credit: receivable, units }])
}

/**
 * Units of a reward are not owed any more: taken from what the person has `ready`, and what is beyond that, because it was paid
 * or is under way, is owed back.
 */
export function reverseEntry(reward: PostedReward, units: bigint, ready: bigint): Entry {
  const expense = expenseOf(reward)
  const fromReady = smaller(units, ready)
  const lines: Line[] = [
    { debit: accountOf('referral:payable', reward), credit: expense, units: fromReady },
    { debit: accountOf('referral:receivable', reward), credit: expense, units: units - fromReady },
  ]
  return entryOf(
    reward,
    'reverse',
    lines.filter((line) => line.units > 0n),
  )
}

function entryOf(reward: PostedReward, event: string, lines: readonly Line[]): Entry {
  return {
    posting: `reward.${event}`,
    source: `reward:${reward.id}:${event}:${reward.revision}`,
    projectId: reward.project_id,
    at: null,
    lines,
  }
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

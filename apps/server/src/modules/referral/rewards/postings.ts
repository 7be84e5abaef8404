/** What rewards post to the ledger (money.md 4.3): one account per person and currency, so that no one withdraws another person's. */
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

/** A change of what is owed of a reward: more by these units, or less when they are negative. */
export type Move = { readonly reward: PostedReward; readonly units: bigint }

/** What a person has ready, or what they owe back; never both. */
type Held = { readonly ready: bigint; readonly owing: bigint }

/** The two accounts that say so, in the order of `Held`. */
export function heldAccounts(person: Person): readonly [Account, Account] {
  return [accountOf('referral:payable', person), accountOf('referral:receivable', person)]
}

/** One person in one currency, as text. */
export function personKey({ referrer_id: id, unit_id: unitId }: Person): string {
  return `${id} ${unitId}`
}

/**
 * The entries of moves, in their order, each based on what the moves before it left of the person's balance. An increase first
 * settles what they owe back. A decrease takes from what they have ready; the rest was paid or is under way, and is owed back.
 */
export function entriesOfMoves(moves: readonly Move[], held: ReadonlyMap<string, Held>): Entry[] {
  const now = new Map(held)
  return moves.flatMap(({ reward, units }) => {
    const key = personKey(reward)
    const { ready, owing } = now.get(key) ?? { ready: 0n, owing: 0n }
    if (units > 0n) {
      const offset = smaller(units, owing)
      now.set(key, { ready: ready + units - offset, owing: owing - offset })
      return accrueEntries(reward, units, offset)
    }
    const fromReady = smaller(-units, ready)
    now.set(key, { ready: ready - fromReady, owing: owing - units - fromReady })
    return [reverseEntry(reward, -units, fromReady)]
  })
}

function accrueEntries(reward: PostedReward, units: bigint, offset: bigint): Entry[] {
  const payable = accountOf('referral:payable', reward)
  return [
    entryOf(reward, 'accrue', [{ debit: expenseOf(reward), credit: payable, units }]),
    ...(offset > 0n ? [offsetEntry(reward, offset)] : []),
  ]
}

/** Settles what a person owes back from what they have ready. */
export function offsetEntry(reward: PostedReward, units: bigint): Entry {
  const receivable = accountOf('referral:receivable', reward)
  return entryOf(reward, 'offset', [{ debit: accountOf('referral:payable', reward), credit: receivable, units }])
}

function reverseEntry(reward: PostedReward, units: bigint, fromReady: bigint): Entry {
  const expense = expenseOf(reward)
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

import type { DepositState } from '@kassa/contract/deposits/machine.ts'
import type { AccountKind, Entry, Line } from '../ledger/service.ts'
import type { Deposit, Disposition } from './deposit.ts'
import type { RefundedDeposit } from './losses/store.ts'

/** The fields of a deposit that its entries are made of. */
export type PostedDeposit = Pick<
  Deposit,
  'id' | 'revision' | 'blockchainId' | 'assetId' | 'addressId' | 'projectId' | 'units' | 'height'
>

type FinalState = Disposition['status']

/** The account whose claim final money of a deposit is, in each state. */
const CLAIMS = {
  applied: 'project:balance',
  unapplied: 'customer:unapplied',
  ignored: 'project:dust',
  quarantined: 'project:quarantine',
} as const satisfies Record<FinalState, AccountKind>

/** The event of each disposition, as sources and postings name it. */
const DISPOSED = {
  applied: 'apply',
  unapplied: 'unapplied',
  ignored: 'ignored',
  quarantined: 'quarantine',
} as const satisfies Record<FinalState, string>

/** How an operator moves a final deposit from one disposition to another. */
export const MANUAL_MOVES = {
  assign: { from: 'unapplied', to: ['applied'] },
  unassign: { from: 'applied', to: ['unapplied'] },
  release: { from: 'quarantined', to: ['applied', 'unapplied'] },
} as const satisfies Record<string, { from: DepositState; to: readonly DepositState[] }>

/** What the sources of all entries of a deposit start with. */
export function sourcesOf({ id }: Pick<Deposit, 'id'>): string {
  return `deposit:${id}:`
}

/** The entry of a deposit that was seen: apart from final money. */
export function seenEntry(deposit: PostedDeposit): Entry {
  return entryOf(deposit, 'seen', [unconfirmed(deposit)])
}

/** The entry of a deposit that became final: its coins are at its address, and its disposition says whose they are. */
export function finalEntry(deposit: PostedDeposit & { readonly status: FinalState }): Entry {
  const { assetId: unitId, addressId, projectId, units, status } = deposit
  const { debit, credit } = unconfirmed(deposit)
  return entryOf(deposit, DISPOSED[status], [
    { debit: credit, credit: debit, units },
    {
      debit: { kind: 'chain:deposit-addresses', owner: `address:${addressId}`, unitId },
      credit: { kind: CLAIMS[status], owner: `project:${projectId}`, unitId },
      units,
    },
  ])
}

/** The entry of a final deposit that an operator moved. */
export function movedEntry(deposit: PostedDeposit, move: keyof typeof MANUAL_MOVES, to: FinalState): Entry {
  const claim = (state: FinalState) =>
    ({ kind: CLAIMS[state], owner: `project:${deposit.projectId}`, unitId: deposit.assetId }) as const
  return entryOf(deposit, move, [{ debit: claim(MANUAL_MOVES[move].from), credit: claim(to), units: deposit.units }])
}

/**
 * The entry for a deposit whose claim a refund has paid out: `loss` when the deposit is reverted, `return` when it is final
 * again. Its source is not one of the deposit's, so that reversing the deposit leaves it alone.
 */
export function lossEntry(
  { id, revision, projectId, status, assetId: unitId, taken: units }: RefundedDeposit,
  event: 'loss' | 'return',
): Entry {
  const owner = `project:${projectId}` as const
  const claim = { kind: CLAIMS[status], owner, unitId }
  const losses = { kind: 'losses:reorg', owner, unitId } as const
  const [debit, credit] = event === 'loss' ? [losses, claim] : [claim, losses]
  return {
    posting: event === 'loss' ? 'deposit.loss' : 'deposit.loss-return',
    source: `deposit-loss:${id}:${event}:${revision}`,
    projectId,
    at: null,
    lines: [{ debit, credit, units }],
  }
}

function unconfirmed({ blockchainId, projectId, assetId: unitId, units }: PostedDeposit): Line {
  return {
    debit: { kind: 'chain:unconfirmed', owner: `blockchain:${blockchainId}`, unitId },
    credit: { kind: 'project:unconfirmed', owner: `project:${projectId}`, unitId },
    units,
  }
}

/** From the second revision on, the source ends with its number, because each revision posts the same events. */
function entryOf(deposit: PostedDeposit, event: string, lines: readonly Line[]): Entry {
  const { revision, projectId, blockchainId, height } = deposit
  return {
    posting: `deposit.${event}`,
    source: `${sourcesOf(deposit)}${event}${revision > 1 ? `:${revision}` : ''}`,
    projectId,
    at: { blockchainId, height },
    lines,
  }
}

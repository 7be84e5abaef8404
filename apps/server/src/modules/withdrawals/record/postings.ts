/** What payouts post to the ledger (money.md 4.3): the hold of the decision, its release, and the settlement. */
import type { Account, Entry } from '../../ledger/service.ts'
import type { RefundClaimNow, WithdrawalRow } from './tables.ts'

type Posted = Pick<
  WithdrawalRow,
  'id' | 'project_id' | 'asset_id' | 'units' | 'blockchain_id' | 'holds' | 'settlements' | 'refund_payment_id'
>

/** The claims that pay a payout: the parts of a refund, else the project's balance alone. */
export type Claims = readonly { readonly claim: RefundClaimNow; readonly units: string }[]

/** What the sources of all entries of a payout start with. */
function sourcesOf({ id }: Pick<WithdrawalRow, 'id'>): string {
  return `withdrawal:${id}:`
}

/** What the sources of all entries about a payout start with; for payouts of rewards the referral programme writes them. */
export function sourcesOfPayout(row: Pick<WithdrawalRow, 'id'>): string[] {
  return [sourcesOf(row), `reward-payout:${row.id}:`]
}

/** The source of the hold in force. */
function holdSource(row: Pick<WithdrawalRow, 'id' | 'holds'>): string {
  return `${sourcesOf(row)}hold:${row.holds}`
}

/** The source of the settlement in force. */
export function settleSource(row: Pick<WithdrawalRow, 'id' | 'settlements'>): string {
  return `${sourcesOf(row)}settle:${row.settlements}`
}

/** The entry of the hold when the payout is decided; `holds` counts it already. */
export function holdEntry(row: Posted, claims: Claims): Entry {
  return {
    posting: row.refund_payment_id === null ? 'payout.hold' : 'refund.hold',
    source: holdSource(row),
    projectId: row.project_id,
    at: null,
    lines: linesOf(row, claims).map(({ claim, units }) => ({ debit: claim, credit: held(row), units })),
  }
}

/** The entry that releases the hold: the payout was cancelled, failed, or needs approval again. */
export function releaseEntry(row: Posted, claims: Claims): Entry {
  return {
    posting: row.refund_payment_id === null ? 'payout.release' : 'refund.release',
    source: `${sourcesOf(row)}release:${row.holds}`,
    projectId: row.project_id,
    at: null,
    lines: linesOf(row, claims).map(({ claim, units }) => ({ debit: held(row), credit: claim, units })),
  }
}

/** The settlement when the transaction is final; `settlements` counts it already. */
export function settleEntry(row: Posted, { walletId, height }: { walletId: number; height: number }): Entry {
  return {
    posting: row.refund_payment_id === null ? 'payout.settle' : 'refund.settle',
    source: settleSource(row),
    projectId: row.project_id,
    at: { blockchainId: row.blockchain_id, height },
    lines: [
      {
        debit: held(row),
        credit: { kind: 'chain:hot-held', owner: `wallet:${walletId}`, unitId: row.asset_id },
        units: BigInt(row.units),
      },
    ],
  }
}

function held({ project_id, asset_id }: Posted): Account {
  return { kind: 'project:held', owner: `project:${project_id}`, unitId: asset_id }
}

function linesOf(row: Posted, claims: Claims): { claim: Account; units: bigint }[] {
  const parts = claims.length > 0 ? claims : [{ claim: 'project:balance' as const, units: row.units }]
  const sums = Map.groupBy(parts, ({ claim }) => claim)
  return [...sums].map(([kind, some]) => ({
    claim: { kind, owner: `project:${row.project_id}`, unitId: row.asset_id },
    units: some.reduce((sum, { units }) => sum + BigInt(units), 0n),
  }))
}

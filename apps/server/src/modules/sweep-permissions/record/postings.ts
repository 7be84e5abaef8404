/**
 * What permissions post to the ledger (money.md 4.3): the gas brought to an address, and what the address's own transactions
 * cost.
 */
import type { Account, Entry } from '../../ledger/service.ts'

type Place = { readonly addressId: bigint; readonly coinId: number; readonly projectId: number | null }

/** What the sources of all entries of a top-up start with. */
export function topUpSource(approvalId: bigint): string {
  return `topup:${approvalId}:`
}

/** What the sources of all entries of a permission start with. */
export function permissionSource(permissionId: bigint): string {
  return `permission:${permissionId}:`
}

/** A top-up is final: the address has what the hot wallet held for it. `nth` counts how often it became final. */
export function topUpEntry(
  { addressId, coinId, projectId }: Place,
  topUp: { readonly approvalId: bigint; readonly walletId: number; readonly units: bigint; readonly nth: number },
  at: NonNullable<Entry['at']>,
): Entry {
  const credit: Account = { kind: 'chain:hot-held', owner: `wallet:${topUp.walletId}`, unitId: coinId }
  return {
    ...{ posting: 'gas.topup', source: `${topUpSource(topUp.approvalId)}settle:${topUp.nth}`, projectId, at },
    lines: [{ debit: coinsOf(addressId, coinId), credit, units: topUp.units }],
  }
}

/** The cost of a deposit address's transaction is final. `nth` counts how often it became final. */
export function feeEntry(
  { addressId, coinId, projectId }: Place,
  fee: { readonly permissionId: bigint; readonly units: bigint; readonly nth: number },
  at: NonNullable<Entry['at']>,
): Entry {
  const owner = projectId === null ? ('install:0' as const) : (`project:${projectId}` as const)
  const debit: Account = { kind: 'fees:network', owner, unitId: coinId }
  return {
    ...{ posting: 'approval.fee', source: `${permissionSource(fee.permissionId)}fee:${fee.nth}`, projectId, at },
    lines: [{ debit, credit: coinsOf(addressId, coinId), units: fee.units }],
  }
}

function coinsOf(addressId: bigint, unitId: number): Account {
  return { kind: 'chain:deposit-addresses', owner: `address:${addressId}`, unitId }
}

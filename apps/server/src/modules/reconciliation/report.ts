import type { Asset } from '../blockchains/chains/service.ts'
import type { Breach, Unit } from '../ledger/service.ts'

/** What the ledger and a blockchain hold on our addresses, at one block. */
export type Drift = { readonly asset: Asset; readonly height: number; readonly ledger: bigint; readonly chain: bigint }

export type LedgerReport = {
  readonly checkedAt: Date
  /** Hash of the newest seal over the journal; null while nothing is sealed. */
  readonly headHash: string | null
  readonly broken: readonly Breach[]
  /** Debits minus credits of each unit of account that has accounts. */
  readonly differences: readonly { readonly unit: Unit; readonly units: bigint }[]
  /** Every asset of every blockchain that could be asked, including those that agree. */
  readonly drift: readonly Drift[]
  readonly unchecked: readonly { readonly blockchainCode: string; readonly reason: string }[]
}

/** Whether the ledger balances, and agrees with every blockchain that could be read. */
export function isSound({ broken, differences, drift }: LedgerReport): boolean {
  return (
    broken.length === 0 &&
    differences.every(({ units }) => units === 0n) &&
    drift.every(({ ledger, chain }) => ledger === chain)
  )
}

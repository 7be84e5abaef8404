import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { type LedgerReport, isSound } from './report.ts'

/** A report as it is stored and shown; blockchains only where they differ. */
export function ledgerCheckView(report: LedgerReport): BooksCheck {
  return {
    ok: isSound(report),
    checkedAt: report.checkedAt,
    debitsMinusCredits: report.differences.map(({ unit, units }) => ({
      currencyCode: unit.currencyCode,
      blockchainCode: unit.blockchainCode ?? '',
      difference: formatUnits(units, unit.decimals),
    })),
    chainDrift: report.drift
      .filter(({ ledger, chain }) => ledger !== chain)
      .map(({ asset, height, ledger, chain }) => ({
        blockchainCode: asset.blockchainCode,
        currencyCode: asset.currencyCode,
        height,
        ledger: formatUnits(ledger, asset.decimals),
        chain: formatUnits(chain, asset.decimals),
        difference: formatUnits(chain - ledger, asset.decimals),
      })),
    headHash: report.headHash,
    broken: report.broken.map(({ rule, rows, examples }) => ({ rule, rows, examples: [...examples] })),
    unchecked: [...report.unchecked],
  }
}

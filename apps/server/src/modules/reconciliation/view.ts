import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { type LedgerReport, isSound } from './report.ts'

/** A report as it is kept and shown; of the blockchains only where they differ. */
export function ledgerCheckView(report: LedgerReport): BooksCheck {
  return {
    ok: isSound(report),
    checkedAt: report.checkedAt,
    debitsMinusCredits: report.differences.map(({ asset, units }) => ({
      currencyCode: asset.currencyCode,
      blockchainCode: asset.blockchainCode,
      difference: formatUnits(units, asset.decimals),
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

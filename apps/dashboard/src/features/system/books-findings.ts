import { t } from '@lingui/core/macro'
import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'

import { assetAmount, count } from '../../lib/format.ts'
import { networkName } from '../../lib/network-name.ts'

/** One thing that is wrong with the books: what, and where to look. */
export type Finding = { readonly id: string; readonly text: string; readonly where: string }

/** Returns everything the last check found wrong: broken rules, sides that differ, chains that hold something else. */
export function booksFindings({ broken, debitsMinusCredits, chainDrift }: BooksCheck): Finding[] {
  const rules = broken.map(({ rule, rows, examples }) => ({
    id: rule,
    text: rule,
    where: t`${count(rows)} ${rows === 1 ? 'row breaks' : 'rows break'} it${examples.length === 0 ? '' : t`, such as ${examples.join(', ')}`}`,
  }))
  const sides = debitsMinusCredits
    .filter(({ difference }) => /[1-9]/.test(difference))
    .map(({ blockchainCode, currencyCode, difference }) => ({
      id: `${blockchainCode} ${currencyCode}`,
      text: t`Debits and credits of ${currencyCode} on ${networkName(blockchainCode)} differ.`,
      where: t`Debits minus credits: ${assetAmount(difference, currencyCode)}`,
    }))
  const drifts = chainDrift.map(({ blockchainCode, currencyCode, height, ledger, chain, difference }) => ({
    id: `${blockchainCode} ${currencyCode} ${height}`,
    text: t`${networkName(blockchainCode)} holds ${moreOrLess(difference, currencyCode)} than the books say.`,
    where: t`At block ${count(height)}: books ${ledger}, chain ${chain}`,
  }))
  return [...rules, ...sides, ...drifts]
}

function moreOrLess(difference: string, currencyCode: string): string {
  const isLess = difference.startsWith('-')
  return `${assetAmount(isLess ? difference.slice(1) : difference, currencyCode)} ${isLess ? 'less' : 'more'}`
}

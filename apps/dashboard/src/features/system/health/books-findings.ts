import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { assetAmount, count } from '../../../lib/text/format.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { listText } from '../../../lib/text/list-text.ts'

/** One thing that is wrong with the books: what, and where to look. */
export type Finding = { readonly id: string; readonly text: string; readonly where: string }

/** Returns everything the last check found wrong: broken rules, sides that differ, chains that hold something else. */
export function booksFindings({ broken, debitsMinusCredits, chainDrift }: BooksCheck): Finding[] {
  const rules = broken.map(({ rule, rows, examples }) => ({
    id: rule,
    text: rule,
    where: rowsText(rows, examples),
  }))
  const sides = debitsMinusCredits
    .filter(({ difference }) => /[1-9]/.test(difference))
    .map(({ blockchainCode, currencyCode, difference }) => {
      const network = networkName(blockchainCode)
      const amount = assetAmount(difference, currencyCode)
      return {
        id: `${blockchainCode} ${currencyCode}`,
        text: t`Debits and credits of ${currencyCode} on ${network} differ.`,
        where: t`Debits minus credits: ${amount}`,
      }
    })
  const drifts = chainDrift.map(({ blockchainCode, currencyCode, height, ledger, chain, difference }) => {
    const block = count(height)
    return {
      id: `${blockchainCode} ${currencyCode} ${height}`,
      text: driftText(networkName(blockchainCode), difference, currencyCode),
      where: t`At block ${block}: books ${ledger}, chain ${chain}`,
    }
  })
  return [...rules, ...sides, ...drifts]
}

function rowsText(rows: number, examples: readonly string[]): string {
  if (examples.length === 0) return plural(rows, { one: '# row breaks it', other: '# rows break it' })
  const list = listText(examples)
  return plural(rows, { one: `# row breaks it, such as ${list}`, other: `# rows break it, such as ${list}` })
}

function driftText(network: string, difference: string, currencyCode: string): string {
  const amount = assetAmount(difference.replace(/^-/, ''), currencyCode)
  return difference.startsWith('-')
    ? t`${network} holds ${amount} less than the books say.`
    : t`${network} holds ${amount} more than the books say.`
}

import type { BooksCheck } from '@kassa/contract/ledger/schemas.ts'

export const BROKEN = { kind: 'books_broken', subject: 'books' } as const

export function whyOf(broken: BooksCheck['broken'], chainDrift: BooksCheck['chainDrift']): string {
  const [rule] = broken
  const [drift] = chainDrift
  const where = drift
    ? `${drift.chain} ${drift.currencyCode} on ${drift.blockchainCode} at block ${drift.height}, the books say ${drift.ledger}.`
    : 'An asset holds other amounts than the books.'
  const why = rule ? rule.rule : where
  return `${why} Run npm run check-books to see where.`
}

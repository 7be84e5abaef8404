import { readMoment } from '@kassa/contract/kit/moments.ts'
import type { BalancesQuery, EntriesQuery } from '@kassa/contract/ledger/inputs.ts'
import type { JournalEntry, JournalRow } from '@kassa/contract/ledger/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import type * as z from 'zod/mini'

import { keyFor } from '../../config/keys.ts'
import { type Context, inSnapshot, type ProjectScope } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { readSpanFields, refuseDate, type SpanInput } from '../../paging/span.ts'
import { countEntries, type EntryFilter, listEntryPage } from './entries-store.ts'
import type { StoredEntry } from './rules.ts'

/** Entries per statement of an export: large enough for few statements, small enough for little memory. */
const EXPORT_PAGE = 1_000

type ProjectIds = ProjectScope['projectIds']
type EntryPage = { data: JournalEntry[]; total: number; limit: number; offset: number; nextCursor: string | null }

/**
 * A page of the journal, newest first; with `sources`, of entries whose source starts with one of these texts.
 * @throws VALIDATION_FAILED, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN
 */
export async function listJournal(
  ctx: Context,
  projectIds: ProjectIds,
  query: EntriesQuery & { readonly sources?: readonly string[] | undefined },
): Promise<EntryPage> {
  const asked = { ...readSpanFields(query), projectIds, account: query.account }
  const filter: EntryFilter = { ...asked, sources: query.sources }
  // A cursor is bound to the caller's filter and not to the sources: a payment may get a further deposit between two pages.
  const named = { ...asked, referenceId: query.referenceID, withdrawalId: query.withdrawalID }
  const rules = { list: 'ledger', filter: named, sorts: ['created_at'] as const, signingKey: keyFor(ctx, 'cursor') }
  const page = readPage({ ...query, sortDirection: 'DESC' }, rules)
  const rows = await listEntryPage(ctx, filter, {
    limit: page.limit + 1,
    offset: page.offset,
    ...(page.from && { beforeId: BigInt(page.from.id) }),
  })
  const cut = toPage(
    rows.map((row) => ({ ...row, sortKey: row.postedAt.toISOString() })),
    page,
    rules,
  )
  return {
    data: cut.rows.map(entryView),
    total: await countEntries(ctx, filter),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}

/** The journal of a span line by line, oldest first, as it is now: entries written meanwhile are left out. */
export function exportJournal(ctx: Context, projectIds: ProjectIds, span: SpanInput): AsyncIterable<JournalRow> {
  const filter: EntryFilter = { ...readSpanFields(span), projectIds }
  return inSnapshot(ctx, async function* (snapshot) {
    let afterId = 0n
    for (;;) {
      const page = await listEntryPage(snapshot, filter, { limit: EXPORT_PAGE, offset: 0, afterId })
      for (const entry of page) yield* rowsOf(entry)
      const last = page.at(-1)
      if (!last || page.length < EXPORT_PAGE) return
      afterId = last.id
    }
  })
}

function entryView({ id, postedAt, posting, source, lines }: StoredEntry): JournalEntry {
  return {
    id: Number(id),
    at: postedAt,
    posting,
    source,
    lines: lines.flatMap(({ debit, credit, units, unit: { currencyCode, decimals } }) => {
      const amount = formatUnits(units, decimals)
      return [
        { account: debit.kind, debit: amount, credit: null, currencyCode },
        { account: credit.kind, debit: null, credit: amount, currencyCode },
      ]
    }),
  }
}

function rowsOf({ id, postedAt, posting, source, projectId, lines }: StoredEntry): JournalRow[] {
  return lines.map(({ debit, credit, units, unit }, before) => ({
    entry: Number(id),
    line: before + 1,
    at: postedAt,
    posting,
    source,
    projectID: projectId,
    blockchainCode: unit.blockchainCode ?? '',
    currencyCode: unit.currencyCode,
    debitAccount: debit.kind,
    creditAccount: credit.kind,
    amount: formatUnits(units, unit.decimals),
  }))
}

/** Reads the moment of which balances are asked; a day alone means its last. @throws VALIDATION_FAILED */
export function readAsOf({ asOf, timezone }: z.output<typeof BalancesQuery>): Date | undefined {
  if (asOf === undefined || asOf === '') return undefined
  return readMoment(asOf, { isEnd: true, ...(timezone && { timezone }) }) ?? refuseDate('asOf')
}

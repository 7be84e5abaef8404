import { readMoment } from '@kassa/contract/kit/moments.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { EntriesQuery } from '@kassa/contract/ledger/inputs.ts'
import type { JournalEntry, JournalRow } from '@kassa/contract/ledger/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { keyFor } from '../../config/keys.ts'
import { type Context, inSnapshot } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { type Asset, listAssets } from '../blockchains/chains/service.ts'
import { countEntries, type EntryFilter, type ListedEntry, listEntryPage, type ProjectIds } from './entries-store.ts'

/** Entries per statement of an export: large enough for few statements, small enough for little memory. */
const EXPORT_PAGE = 1_000

type EntryPage = { data: JournalEntry[]; total: number; limit: number; offset: number; nextCursor: string | null }

/** A page of the journal, newest first. @throws VALIDATION_FAILED, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listJournal(ctx: Context, projectIds: ProjectIds, query: EntriesQuery): Promise<EntryPage> {
  const filter: EntryFilter = {
    ...spanOf(query),
    projectIds,
    account: query.account,
    referenceId: query.referenceID,
  }
  const rules = { list: 'ledger', filter, sorts: ['created_at'] as const, signingKey: keyFor(ctx, 'cursor') }
  const page = readPage({ ...query, sortDirection: 'DESC' }, rules)
  const rows = await listEntryPage(ctx, filter, {
    limit: page.limit + 1,
    offset: page.offset,
    ...(page.from && { beforeId: BigInt(page.from.id) }),
  })
  const cut = toPage(
    rows.map((row) => ({ ...row, sortKey: row.at.toISOString() })),
    page,
    rules,
  )
  const assets = await assetsById(ctx)
  return {
    data: cut.rows.map((row) => entryView(row, assets)),
    total: await countEntries(ctx, filter),
    limit: page.limit,
    offset: page.offset,
    nextCursor: cut.nextCursor,
  }
}

/** The journal of a span line by line, oldest first, as it is now: entries written meanwhile are left out. */
export function exportJournal(
  ctx: Context,
  projectIds: ProjectIds,
  span: { dateFrom?: string | undefined; dateTo?: string | undefined },
): AsyncIterable<JournalRow> {
  const filter: EntryFilter = { ...spanOf(span), projectIds }
  return inSnapshot(ctx, async function* (snapshot) {
    const assets = await assetsById(snapshot)
    let afterId = 0n
    for (;;) {
      const page = await listEntryPage(snapshot, filter, { limit: EXPORT_PAGE, offset: 0, afterId })
      for (const entry of page) yield* rowsOf(entry, assets)
      const last = page.at(-1)
      if (!last || page.length < EXPORT_PAGE) return
      afterId = last.id
    }
  })
}

type Assets = ReadonlyMap<number, Asset>

async function assetsById(ctx: Context): Promise<Assets> {
  return new Map((await listAssets(ctx)).map((asset) => [asset.id, asset]))
}

function entryView({ id, at, posting, source, lines }: ListedEntry, assets: Assets): JournalEntry {
  return {
    id: Number(id),
    at,
    posting,
    source,
    lines: lines.flatMap(({ assetId, units, debit, credit }) => {
      const asset = assetOf(assets, assetId)
      const amount = formatUnits(units, asset.decimals)
      const { currencyCode } = asset
      return [
        { account: debit, debit: amount, credit: null, currencyCode },
        { account: credit, debit: null, credit: amount, currencyCode },
      ]
    }),
  }
}

function rowsOf({ id, at, posting, source, projectId, lines }: ListedEntry, assets: Assets): JournalRow[] {
  return lines.map(({ line, assetId, units, debit, credit }) => {
    const asset = assetOf(assets, assetId)
    return {
      entry: Number(id),
      line,
      at,
      posting,
      source,
      projectID: projectId,
      blockchainCode: asset.blockchainCode,
      currencyCode: asset.currencyCode,
      debitAccount: debit,
      creditAccount: credit,
      amount: formatUnits(units, asset.decimals),
    }
  })
}

function assetOf(assets: Assets, id: number): Asset {
  const asset = assets.get(id)
  if (!asset) throw new Error(`The journal names an unknown asset ${id}`)
  return asset
}

function spanOf(span: { dateFrom?: string | undefined; dateTo?: string | undefined }): { from?: Date; to?: Date } {
  const from = readTime('dateFrom', span.dateFrom)
  const to = readTime('dateTo', span.dateTo)
  return { ...(from && { from }), ...(to && { to }) }
}

/**
 * Reads a time of a query; a day alone means its last moment, except where it begins a span.
 * @throws VALIDATION_FAILED
 */
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined
  const message = 'Use a date such as 2026-01-31'
  return (
    readMoment(text, { isEnd: field !== 'dateFrom' }) ??
    fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
  )
}

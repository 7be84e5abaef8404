/** Reading the activity log: a page, one entry, a file. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { AuditExportQuery, AuditQuery } from '@kassa/contract/audit/inputs.ts'
import type { AuditEntry, AuditExportRow } from '@kassa/contract/audit/schemas.ts'

import { keyFor } from '../../config/keys.ts'
import { type Context, inSnapshot, type ProjectScope } from '../../context.ts'
import { readPage, toPage } from '../../paging/paging.ts'
import { numberSetting, siteUrl } from '../settings/service.ts'
import { readFilter } from './read-filter.ts'
import { findLastSeal } from './seal-store.ts'
import { sealEntries } from './seals.ts'
import { countEntries, countSealed, findEntry, type ListedEntry, listEntries } from './store.ts'
import { entryView, exportView } from './view.ts'

/** Entries per statement of an export: few enough that the garbage collector frees them early. */
const EXPORT_PAGE = 500

type ProjectIds = ProjectScope['projectIds']

/** A page of the entries that match, newest first. @throws VALIDATION_FAILED, CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listEntryPage(ctx: Context, projectIds: ProjectIds, query: AuditQuery) {
  const filter = readFilter(query, projectIds)
  const rules = { list: 'audit', filter, sorts: ['created_at'] as const, signingKey: keyFor(ctx, 'cursor') }
  const page = readPage(query, rules)
  const cut = toPage(await listEntries(ctx, filter, page), page, rules)
  const { count, isEstimate } = await countEntries(ctx, filter)
  const site = await siteUrl(ctx)
  return {
    data: cut.rows.map((row) => entryView(row, site)),
    total_count: count,
    totalIsEstimate: isEstimate,
    nextCursor: cut.nextCursor,
    prevCursor: cut.prevCursor,
  }
}

/** One entry. @throws AUDIT_ROW_NOT_FOUND */
export async function readEntry(ctx: Context, projectIds: ProjectIds, id: number): Promise<AuditEntry> {
  const row = (await findEntry(ctx, id, projectIds)) ?? fail('AUDIT_ROW_NOT_FOUND')
  return entryView(row, await siteUrl(ctx))
}

/**
 * The sealed entries that match as a file, oldest first, as of now; when the setting's limit is exceeded, the newest of them.
 * It first seals what was just written. @throws VALIDATION_FAILED
 */
export async function exportEntries(
  ctx: Context,
  projectIds: ProjectIds,
  query: AuditExportQuery,
): Promise<AsyncIterable<AuditExportRow>> {
  const filter = readFilter(query, projectIds)
  await sealEntries(ctx, 2_000)
  const most = await numberSetting(ctx, 'activity.log.export.limit')
  return inSnapshot(ctx, async function* (snapshot) {
    const through = (await findLastSeal(snapshot))?.entryId ?? 0n
    const matching = await countSealed(snapshot, filter, through)
    let skipped = Math.max(0, matching - most)
    let remaining = matching - skipped
    let from: { id: string; isBackwards: false } | null = null
    while (remaining > 0) {
      const slice = { limit: EXPORT_PAGE, offset: skipped, isAscending: true, from }
      const rows: ListedEntry[] = (await listEntries(snapshot, filter, slice)).slice(0, EXPORT_PAGE)
      for (const row of rows) {
        if (remaining === 0) return
        remaining -= 1
        yield exportView(row, remaining)
      }
      const last = rows.at(-1)
      if (!last) return
      from = { id: String(last.id), isBackwards: false }
      skipped = 0
    }
  })
}

import { promoterMachine, type PromoterStatus } from '@kassa/contract/referral/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { beginsWith } from '../../../db/lists/begins-with.ts'
import { directionOf, type SortedBy } from '../../../db/lists/keyset.ts'
import { mergedCount, mergedPage, scopeOf, type Stretches } from '../../../db/lists/merged.ts'
import type { PageRequest } from '../../../paging/paging.ts'
import type { ReferrerRow } from '../referrers/store.ts'

export type PromoterFilter = {
  readonly projectIds: ProjectScope['projectIds']
  readonly query?: string | undefined
  readonly code?: string | undefined
  readonly status?: readonly PromoterStatus[] | undefined
  readonly isReferred?: boolean | undefined
  readonly isPromoter?: boolean | undefined
  readonly campaignIds?: readonly number[] | undefined
}

export type PromoterSort = 'created_at' | 'email' | 'referee_count' | 'total_rewards'

/** A person with what their row shows. */
export type FoundPromoter = ReferrerRow & { readonly project_name: string }

const ID = sql`person.id`
const SORTS: Readonly<Record<PromoterSort, SortedBy>> = {
  created_at: { column: sql`person.created_at`, type: 'timestamptz', id: ID },
  email: { column: sql`lower(person.email)`, type: 'text', id: ID },
  referee_count: { column: sql`person.referee_count`, type: 'int', id: ID },
  total_rewards: { column: sql`person.earned`, type: 'numeric', id: ID },
}

/** Totals are counted, and people listed by id, up to this many; no page goes further. */
const MOST_COUNTED = 10_000

/** Whom campaigns are for: everybody in these projects, and promoters attached to these campaigns. */
type Reach = { readonly projectIds: readonly number[]; readonly campaignIds: readonly number[] }

/** What is searched: people listed by id, and further conditions. */
export type PromoterSearch = {
  readonly filter: Omit<PromoterFilter, 'campaignIds'>
  readonly reach: Reach | null
  /** Ids of everybody who may match; null when they are too many to list, so that a scan finds matches soon. */
  readonly candidates: readonly number[] | null
}

/** Lists the people whom a term or campaigns stand for, where they are few, through the index of each place. */
export async function searchOf(ctx: Context, { campaignIds, ...filter }: PromoterFilter): Promise<PromoterSearch> {
  const ofTerm = filter.query ? await named(ctx, placesOf(filter.query, filter.projectIds)) : null
  const rest = ofTerm === null ? filter : { ...filter, query: undefined }
  if (!campaignIds?.length) return { filter: rest, reach: null, candidates: ofTerm }
  const reach = await reachOf(ctx, campaignIds)
  const isScoped = reach.campaignIds.length === 0
  if (isScoped) {
    const { projectIds } = rest
    const within = reach.projectIds.filter((id) => projectIds === 'every' || projectIds.includes(id))
    return { filter: { ...rest, projectIds: within }, reach: null, candidates: ofTerm }
  }
  if (ofTerm !== null || reach.projectIds.length > 0) return { filter: rest, reach, candidates: ofTerm }
  const given = sql`SELECT referrer_id AS id FROM campaign_referrers WHERE campaign_id = ANY(${[...reach.campaignIds]}::int[])`
  const candidates = await named(ctx, [given])
  return { filter: rest, reach: candidates === null ? reach : null, candidates }
}

/** The people found in all places; null when there are too many. */
async function named(ctx: Context, places: readonly RawBuilder<unknown>[]): Promise<readonly number[] | null> {
  const found = places.map((place) => sql`(${place} LIMIT ${MOST_COUNTED + 1})`)
  const { rows } = await sql<{ ids: number[] | null }>`
    SELECT CASE WHEN count(*) <= ${MOST_COUNTED} THEN coalesce(array_agg(id), '{}') END AS ids
    FROM (SELECT DISTINCT id FROM (${sql.join(found, sql` UNION ALL `)}) AS place) AS found`.execute(ctx.db)
  return rows[0]?.ids ?? null
}

function placesOf(query: string, projectIds: ProjectScope['projectIds']): RawBuilder<unknown>[] {
  const people = (condition: RawBuilder<unknown>) =>
    sql`SELECT person.id FROM ${scopeOf(projectIds)} JOIN referrers AS person ON person.project_id = scope.id AND ${condition}`
  return termConditions(query).map(people)
}

/** What a term may be: the start of an e-mail or of a reference, or a code. */
function termConditions(query: string): RawBuilder<unknown>[] {
  const start = query.toLowerCase()
  return [
    beginsWith(sql`lower(person.email)`, start),
    beginsWith(sql`lower(person.reference_id)`, start),
    sql`person.code = ${query.toUpperCase()}`,
  ]
}

/** The people of these campaigns: one for all covers its project, so that others add no one there. */
async function reachOf(ctx: Context, campaignIds: readonly number[]): Promise<Reach> {
  const { rows } = await sql<{ id: number; project_id: number; is_default: boolean }>`
    SELECT id, project_id, is_default FROM campaigns WHERE id = ANY(${[...campaignIds]}::int[])`.execute(ctx.db)
  const projectIds = [...new Set(rows.filter((row) => row.is_default).map((row) => row.project_id))]
  return { projectIds, campaignIds: rows.filter((row) => !projectIds.includes(row.project_id)).map(({ id }) => id) }
}

/** Lists people in reading order, one more than the page holds: the page is found first, and only its rows are filled in. */
export async function listFoundPromoters(
  ctx: Context,
  search: PromoterSearch,
  page: Pick<PageRequest<PromoterSort>, 'sort' | 'isAscending' | 'from' | 'limit' | 'offset'>,
): Promise<(FoundPromoter & { readonly sortKey: string })[]> {
  const direction = sql.raw(directionOf(page))
  const { rows } = await sql<FoundPromoter & { sortKey: string }>`
    WITH page AS (${mergedPage(page, SORTS[page.sort], stretchesOf(search))})
    SELECT person.*, project.name AS project_name, page.key::text AS "sortKey"
    FROM page JOIN referrers AS person ON person.id = page.id JOIN projects AS project ON project.id = person.project_id
    ORDER BY page.key ${direction}, page.id ${direction}`.execute(ctx.db)
  return rows
}

/** Counts people, at most ten thousand of them. */
export async function countFoundPromoters(ctx: Context, search: PromoterSearch): Promise<number> {
  const { rows } = await mergedCount(stretchesOf(search), MOST_COUNTED).execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Selects people by project, kind and status, as the indexes are sorted; those listed by id, by their ids. */
function stretchesOf({ filter, reach, candidates }: PromoterSearch): Stretches {
  const { projectIds, query, code, status = [] } = filter
  const kinds = kindsOf(filter)
  const states = status.length > 0 ? [...new Set(status)] : [...promoterMachine.states]
  const table = sql`referrers AS person`
  const rest = [
    ...(query ? [sql`(${sql.join(termConditions(query), sql` OR `)})`] : []),
    ...(reach ? [isReached(reach)] : []),
  ]
  if (candidates === null && !code) {
    return {
      each: sql`${scopeOf(projectIds)} CROSS JOIN unnest(${kinds}::smallint[]) AS part (kind)
        CROSS JOIN unnest(${states}::text[]) AS state (status)`,
      table,
      where: and(
        sql`person.project_id = scope.id AND person.kind = part.kind AND person.status = state.status`,
        ...rest,
      ),
    }
  }
  return {
    table,
    where: and(
      sql`person.kind = ANY(${kinds}::smallint[]) AND person.status = ANY(${states}::text[])`,
      ...(projectIds === 'every' ? [] : [sql`person.project_id = ANY(${[...projectIds]}::int[])`]),
      ...(candidates === null ? [] : [sql`person.id = ANY(${[...candidates]}::int[])`]),
      ...(code ? [sql`person.code = ${code.toUpperCase()}`] : []),
      ...rest,
    ),
  }
}

/**
 * The kinds of people (`referrers.kind`) that a filter allows: a promoter is a person who was not referred, or who referred
 * others.
 */
function kindsOf({ isReferred, isPromoter }: Pick<PromoterFilter, 'isReferred' | 'isPromoter'>): number[] {
  const [OWN, BOTH, INVITEE] = [0, 1, 2]
  return [OWN, BOTH, INVITEE].filter(
    (kind) =>
      (isReferred === undefined || isReferred === (kind !== OWN)) &&
      (isPromoter === undefined || isPromoter === (kind !== INVITEE)),
  )
}

function isReached({ projectIds, campaignIds }: Reach): RawBuilder<unknown> {
  return sql`(person.project_id = ANY(${[...projectIds]}::int[]) OR EXISTS (
    SELECT FROM campaign_referrers AS given
    WHERE given.campaign_id = ANY(${[...campaignIds]}::int[]) AND given.referrer_id = person.id))`
}

function and(...conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` AND `)
}

/** Counts the customers whom a promoter brought within a span of time. */
export async function countReferees(
  ctx: Context,
  id: number,
  { from, to }: { readonly from?: Date; readonly to?: Date },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM referrers WHERE referred_by = ${id}
      AND ${from === undefined ? sql`true` : sql`referred_at >= ${from}`}
      AND ${to === undefined ? sql`true` : sql`referred_at <= ${to}`}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

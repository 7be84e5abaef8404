import type { PromoterStatus } from '@kassa/contract/referral/machine.ts'
import { type RawBuilder, sql } from 'kysely'

import type { Context, ProjectScope } from '../../../context.ts'
import { keysetOf, type SortedBy } from '../../../db/keyset.ts'
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

/** Nobody brought them, or they brought somebody. */
const PROMOTES = sql`(person.referred_by IS NULL OR person.referee_count > 0)`

const ID = sql`person.id`
const SORTS: Readonly<Record<PromoterSort, SortedBy>> = {
  created_at: { column: sql`person.created_at`, type: 'timestamptz', id: ID },
  email: { column: sql`lower(person.email)`, type: 'text', id: ID },
  referee_count: { column: sql`person.referee_count`, type: 'int', id: ID },
  total_rewards: { column: sql`person.earned`, type: 'numeric', id: ID },
}

/** Lists people in reading order, one more than the page holds. */
export async function listFoundPromoters(
  ctx: Context,
  filter: PromoterFilter,
  page: PageRequest<PromoterSort>,
): Promise<(FoundPromoter & { readonly sortKey: string })[]> {
  const sorted = SORTS[page.sort]
  const { beyond, end } = keysetOf(page, sorted)
  const { rows } = await sql<FoundPromoter & { sortKey: string }>`
    SELECT person.*, project.name AS project_name, ${sorted.column}::text AS "sortKey"
    FROM referrers AS person JOIN projects AS project ON project.id = person.project_id
    WHERE ${conditionOf(filter)} AND ${beyond} ${end}`.execute(ctx.db)
  return rows
}

/** Totals are counted up to here: nobody pages further. */
const MOST_COUNTED = 10_000

/** Counts people, at most ten thousand of them. */
export async function countFoundPromoters(ctx: Context, filter: PromoterFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (
      SELECT FROM referrers AS person WHERE ${conditionOf(filter)} LIMIT ${MOST_COUNTED}) AS counted`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

function conditionOf({
  projectIds,
  query,
  code,
  status,
  isReferred,
  isPromoter,
  campaignIds,
}: PromoterFilter): RawBuilder<unknown> {
  const part = query && `%${query.replace(/[\\%_]/g, '\\$&')}%`
  return sql.join(
    [
      projectIds === 'every' ? sql`true` : sql`person.project_id = ANY(${[...projectIds]}::int[])`,
      ...(part
        ? [
            sql`(person.email ILIKE ${part} OR person.reference_id ILIKE ${part} OR person.code = ${query.toUpperCase()})`,
          ]
        : []),
      ...(code ? [sql`person.code = ${code.toUpperCase()}`] : []),
      ...(status?.length ? [sql`person.status = ANY(${[...status]}::text[])`] : []),
      ...(isReferred === undefined ? [] : [sql`(person.referred_by IS NOT NULL) = ${isReferred}`]),
      ...(isPromoter === undefined ? [] : [sql`${PROMOTES} = ${isPromoter}`]),
      ...(campaignIds?.length
        ? [
            sql`EXISTS (SELECT FROM campaigns AS campaign
              WHERE campaign.id = ANY(${[...campaignIds]}::int[]) AND campaign.project_id = person.project_id
                AND (campaign.is_default OR EXISTS (SELECT FROM campaign_referrers AS given
                  WHERE given.campaign_id = campaign.id AND given.referrer_id = person.id)))`,
          ]
        : []),
    ],
    sql` AND `,
  )
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

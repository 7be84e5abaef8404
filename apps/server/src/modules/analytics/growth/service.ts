/** Figures of the referral programme (api.md 8.4), computed from its rows at this moment, so that they equal the ledger. */
import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { readMoment } from '@kassa/contract/kit/moments.ts'
import { GROWTH_FIGURES, type GrowthFigureName, PROMOTER_COLUMNS } from '@kassa/contract/referral/figures.ts'
import { usd } from '@kassa/primitives/money/usd.ts'

import { type Context, inSnapshot, type ProjectScope } from '../../../context.ts'
import { countText, dollarText } from '../graphs/amount-rules.ts'
import { bar, frameOf } from '../graphs/figures.ts'
import { type Filter, readFilters } from '../graphs/filter-rules.ts'
import { listVisible } from '../graphs/service.ts'
import { bucketLength, presetSpan } from '../graphs/span-rules.ts'
import type { Moments } from '../rollups/rules.ts'
import {
  countCampaigns,
  countPeople,
  findFirstReward,
  type GivenRow,
  listNewestPromoters,
  sumPromoterRewards,
  sumRevenue,
  sumRewards,
} from './store.ts'

type Question = {
  readonly projectIds: readonly number[]
  readonly filter: Filter
  readonly own: Own
  readonly now: Date
}

/** What only figures of the programme read. */
type Own = {
  readonly status: readonly string[]
  readonly query: string
  readonly startsUntil: Date | null
}

type Data = Pick<GraphData, 'data'> & Partial<Pick<GraphData, 'attributes' | 'span'>>

const READ: Readonly<Record<GrowthFigureName, (ctx: Context, question: Question) => Promise<Data>>> = {
  promoters_count: async (ctx, { projectIds }) => counted('Promoters', (await countPeople(ctx, projectIds)).promoters),
  referee_count: async (ctx, { projectIds }) => counted('Customers', (await countPeople(ctx, projectIds)).referees),
  campaign_count: async (ctx, { projectIds, own }) => counted('Campaigns', await countCampaigns(ctx, projectIds, own)),
  reward_value: async (ctx, { projectIds }) =>
    dollars(GROWTH_FIGURES.reward_value.label, (await sumPromoterRewards(ctx, projectIds)).given),
  reward_claimed: async (ctx, { projectIds }) =>
    dollars(GROWTH_FIGURES.reward_claimed.label, (await sumPromoterRewards(ctx, projectIds)).paid),
  total_revenue: async (ctx, { projectIds }) =>
    dollars(GROWTH_FIGURES.total_revenue.label, await sumRevenue(ctx, projectIds)),
  reward_series: rewardSeries,
  promoters: promoterTable,
}

/** One figure of the programme. @throws GRAPH_NOT_FOUND, FILTER_INVALID */
export async function readGrowthFigure(
  ctx: Context,
  scope: ProjectScope,
  asked: { readonly figure: string; readonly filters: GraphFilters },
): Promise<GraphData> {
  if (!Object.hasOwn(GROWTH_FIGURES, asked.figure)) return fail('GRAPH_NOT_FOUND')
  const name = asked.figure as GrowthFigureName
  const { own, others } = ownFilters(asked.filters)
  const filter = readFilters(others, scope.projectIds)
  // All statements of a figure read the same moment, so that its buckets add up.
  for await (const data of inSnapshot(ctx, async function* (snapshot) {
    const now = snapshot.now()
    const projectIds = await listVisible(snapshot, filter.projectIds)
    const { id, type } = GROWTH_FIGURES[name]
    const read = await READ[name](snapshot, { projectIds, filter, own, now })
    yield {
      id,
      type,
      attributes: null,
      asOf: now,
      countedPercent: null,
      span: null,
      previous: null,
      ...read,
    } as GraphData
  })) {
    return data
  }
  throw new Error('A snapshot gave nothing')
}

/** Removes the filters that graphs of payments do not know; those graphs' reader handles the rest. */
function ownFilters({ status, query, startDateMax, ...others }: GraphFilters): { own: Own; others: GraphFilters } {
  const list: unknown = typeof status === 'string' ? status.split(',') : (status ?? [])
  if (!Array.isArray(list) || !list.every(isText)) return fail('FILTER_INVALID', { values: { filter: 'status' } })
  if (query !== undefined && !isText(query)) return fail('FILTER_INVALID', { values: { filter: 'query' } })
  const until = startDateMax === undefined ? null : momentOf(startDateMax)
  return { own: { status: list, query: query ?? '', startsUntil: until }, others }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 255
}

function momentOf(value: unknown): Date {
  const moment = isText(value) ? readMoment(value, { isEnd: true }) : null
  return moment ?? fail('FILTER_INVALID', { values: { filter: 'startDateMax' } })
}

function counted(label: string, count: number): Data {
  return { data: [{ label, text: countText(count), subtext: '', value: String(count) }] }
}

/** Currencies of rewards count 1 : 1 with the US dollar. */
function dollars(label: string, millionths: bigint): Data {
  return { data: [{ label, text: dollarText(millionths), subtext: '', value: usd(millionths) }] }
}

const SERIES = [
  ['Promoters', 'referrer'],
  ['Invitees', 'referee'],
] as const

async function rewardSeries(ctx: Context, { projectIds, filter, now }: Question): Promise<Data> {
  const { zone, date } = filter
  const open = date.preset === 'custom' ? date.span : presetSpan(date.preset, zone, now)
  const span: Moments = { from: open.from ?? (await beginning(ctx, projectIds, filter, open.until)), until: open.until }
  const { points, buckets } = frameOf({ span, filter })
  const given = await sumRewards(ctx, projectIds, buckets)
  const shown = SERIES.filter(([, side]) => given.some((row) => row.side === side && row.units !== '0'))
  return {
    data:
      shown.length === 0
        ? []
        : points.map((point, bucket) =>
            bar(
              point,
              shown.map(([name, side]) => [name, usd(unitsOf(given, bucket, side))]),
            ),
          ),
    attributes: { axisBottom: 'Date', axisLeft: 'USD' },
    span: { from: open.from, until: span.until, timezone: zone.name, bucket: bucketLength(span, zone) },
  }
}

/** Gives a span from the beginning its start: the day of the first reward, or the span's last day when there is none. */
async function beginning(ctx: Context, projectIds: readonly number[], { zone }: Filter, until: Date): Promise<Date> {
  const first = (await findFirstReward(ctx, projectIds)) ?? new Date(until.getTime() - 1)
  const { year, month, day } = zone.wallAt(first)
  return zone.startOf(year, month, day)
}

function unitsOf(given: readonly GivenRow[], bucket: number, side: GivenRow['side']): bigint {
  return BigInt(given.find((row) => row.bucket === bucket && row.side === side)?.units ?? 0)
}

async function promoterTable(ctx: Context, { projectIds, filter, own }: Question): Promise<Data> {
  const promoters = await listNewestPromoters(ctx, projectIds, { ...own, limit: filter.limit })
  return {
    data: promoters.map((row) => [
      { image: '', tooltip: row.email, promoterID: row.id, externalPlatformID: row.project_id },
      { name: row.email, description: row.reference_id },
      { text: row.code },
      { text: countText(row.referees) },
      { value: row.created_at },
      { text: dollarText(BigInt(row.rewards)) },
    ]),
    attributes: [...PROMOTER_COLUMNS],
  }
}

/** Rewards as people read them: pages, sums, a series over time. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Reward, RewardBalance, RewardSeriesPoint } from '@kassa/contract/referral/schemas.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context } from '../../../context.ts'
import { type PageInput, readPage, toPage } from '../../../paging/paging.ts'
import { readSpan, type Span, type SpanInput } from '../../../paging/span.ts'
import { bucketsOf, type Zone, zoneOf } from '../../analytics/graphs/service.ts'
import { currencyOf } from './currencies.ts'
import {
  countFoundRewards,
  type FoundReward,
  listBalances,
  listFoundRewards,
  listPoints,
  listSums,
  type RewardFilter,
  type SumRow,
} from './list-store.ts'
import { amountText, rewardView } from './view.ts'

export type { FoundReward, RewardFilter } from './list-store.ts'

export type PageOf<T> = {
  readonly data: T[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly nextCursor: string | null
}

/** A page of rewards, newest first, each shown by `show`. @throws CURSOR_INVALID, PAGE_TOO_DEEP, SORT_FIELD_UNKNOWN */
export async function listRewards<T = Reward>(
  ctx: Context,
  filter: RewardFilter,
  input: PageInput,
  show: (row: FoundReward) => T = rewardView as (row: FoundReward) => T,
): Promise<PageOf<T>> {
  const rules = { list: 'rewards', filter, sorts: ['created_at'], signingKey: keyFor(ctx, 'cursor') } as const
  const page = readPage(input, rules)
  const { rows, nextCursor } = toPage(await listFoundRewards(ctx, filter, page), page, rules)
  const total = await countFoundRewards(ctx, filter)
  return { data: rows.map(show), total, limit: page.limit, offset: page.offset, nextCursor }
}

/** What a person was given in one currency and the present state of it, in millionths. */
export type Balance = {
  readonly unitId: number
  readonly currencyCode: string
  readonly earned: bigint
  readonly available: bigint
  readonly held: bigint
  readonly paid: bigint
  readonly owed: bigint
}

/** What a person was given and the present state of it, by currency. */
export async function balancesOfReferrer(ctx: Context, referrerId: number): Promise<Balance[]> {
  return (await listBalances(ctx, referrerId)).map((row) => ({
    unitId: row.unit_id,
    currencyCode: currencyOf(row.unit_id),
    earned: BigInt(row.earned),
    available: BigInt(row.available),
    held: BigInt(row.held),
    paid: BigInt(row.paid),
    owed: BigInt(row.owed),
  }))
}

/** The same, as the contract shows it. */
export async function showBalances(ctx: Context, referrerId: number): Promise<RewardBalance[]> {
  return (await balancesOfReferrer(ctx, referrerId)).map(balanceView)
}

/** One balance as the contract shows it. */
export function balanceView({ currencyCode, earned, available, held, paid, owed }: Balance): RewardBalance {
  return {
    currencyCode,
    earned: amountText(earned),
    available: amountText(available),
    held: amountText(held),
    paid: amountText(paid),
    owed: amountText(owed),
  }
}

/** The rewards of a person by state: in one currency, or in US dollars, in which all of them count. */
export async function rewardSums(
  ctx: Context,
  filter: RewardFilter,
  currencyCode: string | undefined,
): Promise<{
  total: string
  currencyCode: string
  pending: string
  held: string
  processed: string
  reversed: string
}> {
  const wanted = currencyCode?.toUpperCase()
  const rows = (await listSums(ctx, filter)).filter(({ unit_id }) => !wanted || currencyOf(unit_id) === wanted)
  const sum = (of: (row: SumRow) => string) => amountText(rows.reduce((total, row) => total + BigInt(of(row)), 0n))
  return {
    total: sum(({ total }) => total),
    currencyCode: wanted || 'USD',
    pending: sum(({ pending }) => pending),
    held: sum(({ held }) => held),
    processed: sum(({ processed }) => processed),
    reversed: sum(({ reversed }) => reversed),
  }
}

const DAY_MS = 86_400_000
/** Longest spans with a point per day, and per week (api.md G16). */
const MOST_DAYS = 33
const MOST_DAYS_BY_WEEK = 190
/** The span without dates. */
const USUAL_DAYS = 30
/** Ten years by month. */
const MOST_DAYS_AT_ALL = 3_660

/**
 * The rewards of a person over time, by days, weeks or months of the zone asked for.
 * @throws FILTER_INVALID when the span ends before it begins, or is longer than ten years
 */
export async function rewardSeries(ctx: Context, referrerId: number, input: SpanInput): Promise<RewardSeriesPoint[]> {
  const zone = zoneOf(input.timezone || 'UTC') ?? fail('FILTER_INVALID', { values: { filter: 'timezone' } })
  const span = seriesSpan(readSpan(input), zone, ctx.now())
  const days = (span.until.getTime() - span.from.getTime()) / DAY_MS
  if (days <= 0 || days > MOST_DAYS_AT_ALL) return fail('FILTER_INVALID', { values: { filter: 'dateTo' } })
  const length = days <= MOST_DAYS ? 'day' : days <= MOST_DAYS_BY_WEEK ? 'week' : 'month'
  const points = await listPoints(ctx, referrerId, bucketsOf(span, zone, length))
  return points.map(({ date, until, units, people }) => ({
    ...{ date, until, uniqueReferrers: people },
    totalRewards: amountText(units),
  }))
}

/** From the first moment asked for to the end of the last; today is whole, and without a beginning there are thirty days. */
function seriesSpan({ from, to }: Span, zone: Zone, now: Date): { readonly from: Date; readonly until: Date } {
  const dayOf = (at: Date, further: number) => {
    const { year, month, day } = zone.wallAt(at)
    return zone.startOf(year, month, day + further)
  }
  const until = to ? new Date(to.getTime() + 1) : dayOf(now, 1)
  return { from: from ?? dayOf(new Date(until.getTime() - 1), 1 - USUAL_DAYS), until }
}

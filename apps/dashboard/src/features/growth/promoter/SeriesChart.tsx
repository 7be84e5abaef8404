import type { PromoterDetail as Promoter, RewardSeriesPoint } from '@kassa/contract/referral/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { promoterSeriesQuery } from '../../../api/growth.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { DOLLARS, decimalOf, unitsOf } from '../../../labels/graphs/units.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { daysOf, isDateSpan } from '../../../lib/time/date-spans.ts'
import { operatorZone, wallClock } from '../../../lib/time/time-zone.ts'
import { localIso, utcIso } from '../../../lib/time/time.ts'
import { dayFormat, shortDayFormat } from '../../../lib/text/locale-format.ts'
import type { ChartRows } from '../../../ui/charts/ChartTable.tsx'
import { totalOf } from '../../../ui/charts/rules/series.ts'
import { SpanChart } from '../figures/SpanChart.tsx'
import { SpanSelect, spanOf } from '../figures/SpanSelect.tsx'

const YEAR_MS = 360 * 24 * 3_600_000

type SeriesChartProps = { readonly projectId: string; readonly promoter: Pick<Promoter, 'id' | 'email' | 'createdAt'> }

/** What one promoter earned over time. */
export function SeriesChart({ projectId, promoter: { id, email, createdAt } }: SeriesChartProps) {
  const [search] = useSearchState()
  const { data, error, refetch } = useQuery(promoterSeriesQuery(projectId, id, spanFilter(search, createdAt)))
  const name = t`Rewards over time`
  const values = data?.map(({ totalRewards }) => unitsOf(totalRewards, DOLLARS.decimals)) ?? []
  const now = new Date()
  return (
    <SpanChart
      name={name}
      summary={DOLLARS.text(totalOf(values))}
      chart={
        data && {
          points: data.map((point) => ({
            key: point.date.toISOString(),
            label: axisFormat(data).format(wallClock(point.date)),
            name: nameOf(point),
            isCurrent: point.date <= now && now < point.until,
          })),
          series: [{ key: 'rewards', name: t`Rewards`, values }],
          measure: DOLLARS,
        }
      }
      error={error === null ? null : asRequestError(error)}
      onRetry={() => void refetch()}
      rows={(options) => rowsOf(data ?? [], options)}
      fileName={`${name} ${email}.csv`.replaceAll(/[^\p{L}\p{N}.]+/gu, '-').toLowerCase()}
      empty={<Trans>No rewards in this period.</Trans>}
      tools={<SpanSelect />}
    />
  )
}

/** All time begins when the promoter joined: without a beginning the server takes thirty days. */
function spanFilter(search: Readonly<Record<string, string | undefined>>, joined: Date) {
  const span = spanOf(search)
  const timezone = operatorZone()
  if (!isDateSpan(span)) return { timezone, dateFrom: utcIso(joined) }
  const now = new Date()
  const { from, to } = daysOf(span, now)
  return {
    timezone,
    ...(from && { dateFrom: localIso(from, 'start', now) }),
    ...(to && { dateTo: localIso(to, 'end', now) }),
  }
}

/** Days of one year differ without it. */
function axisFormat(points: readonly RewardSeriesPoint[]): Intl.DateTimeFormat {
  const [first, last] = [points.at(0)?.date, points.at(-1)?.date]
  const isShort = first !== undefined && last !== undefined && last.getTime() - first.getTime() < YEAR_MS
  return isShort ? shortDayFormat() : dayFormat()
}

/** A day of the operator's calendar. */
function dayWords(at: Date): string {
  return dayFormat().format(wallClock(at))
}

/** How many customers a bar is of stands in its tooltip. */
function nameOf({ date, until, uniqueReferrers }: RewardSeriesPoint): string {
  const last = dayWords(new Date(until.getTime() - 1))
  const first = dayWords(date)
  const when = first === last ? first : t`${first} to ${last}`
  const who = plural(uniqueReferrers, { one: '# person rewarded', other: '# people rewarded' })
  return `${when}, ${who}`
}

function rowsOf(points: readonly RewardSeriesPoint[], { isFile }: { isFile: boolean }): ChartRows {
  return {
    head: isFile ? [t`From (UTC)`, t`Until (UTC)`, t`Rewards` + ' (USD)'] : [t`Time`, t`Rewards` + ' (USD)'],
    rows: points.map((point) => {
      const units = unitsOf(point.totalRewards, DOLLARS.decimals)
      return isFile
        ? [utcIso(point.date), utcIso(point.until), decimalOf(units, DOLLARS.decimals)]
        : [nameOf(point), DOLLARS.text(units)]
    }),
  }
}

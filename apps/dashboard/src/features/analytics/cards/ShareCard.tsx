import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../../lib/paths.ts'
import { percentFormat } from '../../../lib/text/locale-format.ts'
import { ShareBar, type SharePart } from '../../../ui/charts/ShareBar.tsx'
import type { ChartRows } from '../../../ui/charts/ChartTable.tsx'
import { compare, MOST_SERIES, OTHER, totalOf } from '../../../ui/charts/rules/series.ts'
import { shareText } from '../../../ui/charts/rules/shares.ts'
import { seriesName } from '../../../labels/graphs/bar-chart.ts'
import { NoPayments } from '../reading/NoPayments.tsx'
import { paidWithin } from '../reading/drill-down.ts'
import { decimalOf, DOLLARS, unitsOf } from '../../../labels/graphs/units.ts'
import { seriesFilter } from './BarCard.tsx'
import { CardFrame } from './CardFrame.tsx'
import type { DrawnProps } from './card.ts'

/** What the money came in: one bar, and the list of its parts, each leading to its payments. */
export function ShareCard(props: DrawnProps<'pie_with_info_graph'>) {
  const { projectId, graph, data, grouping, asset } = props
  const ranked = data.data
    .map((part) => ({ ...part, units: unitsOf(part.value, DOLLARS.decimals) }))
    .filter(({ units }) => units > 0n)
    .toSorted((a, b) => compare(b.units, a.units))
  const whole = totalOf(ranked.map(({ units }) => units))
  const share = (units: bigint) => shareText(units, whole, percentFormat())
  const paid = data.span === null ? undefined : paidSince(data.span)
  const parts: SharePart[] = ranked.slice(0, MOST_SERIES).map(({ id, color, units }) => ({
    key: id,
    name: seriesName(id, grouping),
    color,
    units,
    text: DOLLARS.text(units),
    share: share(units),
    href: paths.payments({ projectId }, { paid, asset, ...seriesFilter(id, grouping) }),
  }))
  const rest = totalOf(ranked.slice(MOST_SERIES).map(({ units }) => units))
  if (rest > 0n) parts.push({ key: OTHER, name: t`Other`, units: rest, text: DOLLARS.text(rest), share: share(rest) })
  const rows = ({ isFile }: { isFile: boolean }): ChartRows => ({
    head: [grouping === 'blockchain_code' ? t`Network` : t`Asset`, t`Amount` + ' (USD)', t`Share`],
    rows: ranked.map(({ id, units }) => [
      isFile ? id : seriesName(id, grouping),
      isFile ? decimalOf(units, DOLLARS.decimals) : DOLLARS.text(units),
      share(units),
    ]),
  })
  return (
    <CardFrame {...props} summary={summaryOf(parts, DOLLARS.text(whole))} rows={rows}>
      {() =>
        parts.length === 0 ? (
          <div className="py-8">
            <NoPayments projectId={projectId}>
              <Trans>Nothing received yet.</Trans>
            </NoPayments>
          </div>
        ) : (
          <ShareBar label={graph.name} parts={parts} />
        )
      }
    </CardFrame>
  )
}

/** "$84,112.00, most of it USDC: 61.2%". */
function summaryOf([most]: readonly SharePart[], whole: string): string {
  if (most === undefined) return whole
  const { name, share } = most
  return t`${whole}, most of it ${name}: ${share}`
}

/** A span without a beginning is open at its start in the address too. */
function paidSince({ from, until }: { readonly from: Date | null; readonly until: Date }): string {
  if (from !== null) return paidWithin({ from, until })
  return `..${paidWithin({ from: until, until }).split('..').at(-1)}`
}

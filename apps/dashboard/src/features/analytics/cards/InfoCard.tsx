import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { networkName } from '../../../labels/networks/network-name.ts'
import type { ChartRows } from '../../../ui/charts/ChartTable.tsx'
import { durationText } from '../reading/durations.ts'
import { CardFrame } from './CardFrame.tsx'
import type { DrawnProps } from './card.ts'

type Line = DrawnProps<'info_graph'>['data']['data'][number]

/** Names with their values; with two bars each where they are times. */
export function InfoCard(props: DrawnProps<'info_graph'>) {
  const { data: lines } = props.data
  const timed = lines.filter((line) => line.medianSeconds !== undefined && line.p95Seconds !== undefined)
  const rows = () => infoRows(lines)
  return (
    <CardFrame {...props} {...(lines.length > 0 && { rows })}>
      {() => {
        if (lines.length === 0) return <p className="text-body text-muted">–</p>
        return timed.length > 0 ? <Times lines={timed} /> : <Values lines={lines} />
      }}
    </CardFrame>
  )
}

function infoRows(lines: readonly Line[]): ChartRows {
  return {
    head: [t`Name`, t`Value`, t`Description`],
    rows: lines.map(({ label, value, description }) => [networkName(label), value, description]),
  }
}

function Values({ lines }: { lines: readonly Line[] }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3">
      {lines.map(({ label, value, description }) => (
        <div key={label}>
          <dt className="text-dense text-muted" title={description}>
            {label}
          </dt>
          <dd className="text-h2 font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The median and what 19 of 20 stay below, along one scale. */
function Times({ lines }: { lines: readonly Line[] }) {
  const longest = Math.max(1, ...lines.map(({ p95Seconds = 0 }) => p95Seconds))
  return (
    <ul className="flex flex-col gap-3">
      {lines.map(({ label, medianSeconds = 0, p95Seconds = 0 }) => {
        const [median, most] = [durationText(medianSeconds), durationText(p95Seconds)]
        const width = (seconds: number) => `${Math.max(1, (seconds / longest) * 100)}%`
        return (
          <li key={label}>
            <p className="flex flex-wrap justify-between gap-x-3 text-dense">
              <span className="font-medium">{networkName(label)}</span>
              <span className="text-muted tabular-nums">
                <Trans>
                  about {median}, 19 of 20 within {most}
                </Trans>
              </span>
            </p>
            <div aria-hidden dir="ltr" className="mt-1 flex flex-col gap-0.5">
              <span className="chart-time h-1.5 rounded-full" style={{ width: width(medianSeconds) }} />
              <span className="chart-time h-1.5 rounded-full opacity-40" style={{ width: width(p95Seconds) }} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

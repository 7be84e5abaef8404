import { t } from '@lingui/core/macro'
import { type ReactNode, useId, useRef, useState } from 'react'

import { TEXT_SCALE } from '../../lib/device/media.ts'
import { useFollow, useGo } from '../../lib/navigation/navigate.ts'
import { Axes } from './Axes.tsx'
import { Bars } from './Bars.tsx'
import { Legend } from './Legend.tsx'
import { Lines } from './Lines.tsx'
import { layersOf, type Painted } from './marks.ts'
import { patternIds, Patterns } from './Patterns.tsx'
import { PointTip } from './PointTip.tsx'
import type { Reading } from './rules/chart-keys.ts'
import type { Hidden } from './rules/legend.ts'
import { paintsOf } from './rules/paint.ts'
import { type ChartPoint, type ChartSeries, compare, type Measure, totalOf, totalsOf } from './rules/series.ts'
import { MOST_BARS, timeAxis } from './rules/time-axis.ts'
import { valueAxis } from './rules/value-axis.ts'
import { useReading } from './useReading.ts'
import { useWidth } from './useWidth.ts'

/** The width of a letter of the axes at normal text, on average. */
const GLYPH = 6.2 * TEXT_SCALE

const TOP = 10 * TEXT_SCALE
const BELOW = 24 * TEXT_SCALE

export type TimeChartProps = {
  /** The name of the chart. */
  readonly name: string
  readonly points: readonly ChartPoint[]
  /** At most six and one for all others, the largest first. */
  readonly series: readonly ChartSeries[]
  readonly measure: Measure
  /** The sums of the period before, point by point. */
  readonly before?: readonly bigint[] | undefined
  /** Where a point leads, and one of its series; absent where nothing is behind it. */
  readonly hrefOf?: ((point: number, series: string | undefined) => string) | undefined
  /** The label: "Show the payments". */
  readonly hrefName?: string
  readonly height?: number
  /** What the chart beside it reads. */
  readonly marked?: number | undefined
  readonly onMark?: ((point: number | undefined) => void) | undefined
  /** Lies over the frame where there is nothing to draw. */
  readonly empty?: ReactNode
}

/**
 * Figures over time: stacked bars, from 46 points on lines with areas. One stop of the keyboard, whose arrows go through
 * points and series; what they lead to is spoken. A press, a second one for fingers, goes to what is behind a point.
 */
export function TimeChart(props: TimeChartProps) {
  const { name, points, series, measure, before, hrefOf, hrefName, height = 200, marked, onMark, empty } = props
  const id = useId().replace(/\W/g, '')
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  const go = useGo()
  const follow = useFollow()
  const [hidden, setHidden] = useState<Hidden>(new Set())
  const paints = paintsOf(series)
  const painted = series.map((one, place): Painted => ({
    ...one,
    place,
    paint: paints[place] ?? '',
    pattern: patternIds(id).plain(place),
  }))
  const shown = painted.filter(({ key }) => !hidden.has(key))
  // The period before is that of all series.
  const behind = hidden.size === 0 ? before : undefined

  const largest = [...totalsOf(shown, points.length), ...(behind ?? [])].toSorted(compare).at(-1) ?? 0n
  const value = valueAxis(largest, measure)
  const left = 12 + Math.max(...value.ticks.map(({ text }) => text.length)) * GLYPH
  const time = timeAxis(points.length, width - left)
  const marks = { chart: id, points, series: shown, time, value, height, before: behind }
  const target = ({ point, series: one }: Reading) => hrefOf?.(point, one === undefined ? undefined : shown[one]?.key)
  const enter = (reading: Reading) => {
    const href = target(reading)
    if (href !== undefined) go(href)
  }
  const layerAt = (point: number, y: number): number | undefined => {
    const found = layersOf(marks).findIndex((row) => {
      const layer = row[point]
      return layer !== undefined && layer.to < layer.from && y >= layer.to && y <= layer.from
    })
    return shown.length < 2 || found === -1 ? undefined : found
  }
  const { reading, spoken, ofChart, ofMarks } = useReading({
    extent: { points: points.length, series: shown.length },
    at: (x, y) => {
      const point = time.nearestTo(x)
      return { point, series: layerAt(point, y) }
    },
    onEnter: hrefOf && enter,
    onPoint: onMark,
  })
  const read = reading?.point ?? marked
  const Marks = points.length > MOST_BARS ? Lines : Bars
  const isEmpty = empty !== undefined && largest === 0n
  const overlay = { className: 'absolute', style: { left, top: TOP, width: width - left, height }, ...ofMarks }
  return (
    <div>
      <div
        role="application"
        tabIndex={0}
        aria-roledescription={t`chart`}
        aria-label={name}
        aria-describedby={`${id}-keys`}
        {...ofChart}
        className="chart rounded-control"
      >
        <div ref={box} dir="ltr" className="relative">
          <svg aria-hidden width={width} height={TOP + height + BELOW} className="block max-w-full overflow-visible">
            <Patterns chart={id} colors={painted.map(({ paint }) => paint)} />
            <g transform={`translate(${left} ${TOP})`}>
              <Axes
                labels={points.map(({ label }) => label)}
                time={time}
                value={value}
                width={width - left}
                height={height}
                glyph={GLYPH}
              />
              <Marks {...marks} read={read} />
              {read !== undefined && Marks === Lines && (
                <line x1={time.centerOf(read)} x2={time.centerOf(read)} y2={height} className="chart-crosshair" />
              )}
            </g>
          </svg>
          {hrefOf === undefined ? (
            <div aria-hidden {...overlay} />
          ) : (
            // oxlint-disable-next-line jsx-a11y/anchor-has-content -- the same place is reached by Enter
            <a
              aria-hidden
              tabIndex={-1}
              href={reading === undefined ? undefined : target(reading)}
              {...overlay}
              onClick={(event) => (ofMarks.onClick(event), follow(event))}
            />
          )}
          {reading !== undefined && (
            <PointTip
              name={pointName(points[reading.point])}
              series={shown}
              point={reading.point}
              read={reading.series === undefined ? undefined : shown[reading.series]?.key}
              measure={measure}
              before={behind?.[reading.point]}
              hint={hrefName}
              place={((left + time.centerOf(reading.point)) / width) * 100}
            />
          )}
          {isEmpty && (
            <div className="absolute inset-0 flex items-center justify-center pb-6 text-body text-muted">{empty}</div>
          )}
        </div>
      </div>
      <p id={`${id}-keys`} hidden>
        {hrefOf === undefined
          ? t`Left and right go through time, up and down through the series.`
          : t`Left and right go through time, up and down through the series. Enter shows what is behind a point.`}
      </p>
      <p aria-live="polite" className="sr-only">
        {spoken !== undefined && spokenPoint(spoken, points, shown, measure)}
      </p>
      {(painted.length > 1 || behind !== undefined) && (
        <Legend
          entries={painted}
          hidden={hidden}
          onHidden={setHidden}
          before={behind === undefined ? undefined : patternIds(id).before}
        />
      )}
    </div>
  )
}

function pointName(point: ChartPoint | undefined): string {
  const name = point?.name ?? ''
  return point?.isCurrent === true ? t`${name}, so far` : name
}

/** "6 April, USDC on Base, $10.00, 3 of 30". */
function spokenPoint(
  { point, series }: Reading,
  points: readonly ChartPoint[],
  shown: readonly Painted[],
  measure: Measure,
): string {
  const one = series === undefined ? undefined : shown[series]
  const units = one === undefined ? totalOf(shown.map(({ values }) => values[point] ?? 0n)) : (one.values[point] ?? 0n)
  const when = pointName(points[point])
  const [what, figure, place, last] = [one?.name ?? '', measure.text(units), point + 1, points.length]
  return what === '' ? t`${when}, ${figure}, ${place} of ${last}` : t`${when}, ${what}, ${figure}, ${place} of ${last}`
}

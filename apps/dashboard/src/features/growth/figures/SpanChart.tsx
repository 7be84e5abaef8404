import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { csvOf } from '../../../labels/graphs/graph-file.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { ChartFigure } from '../../../ui/charts/ChartFigure.tsx'
import { type ChartRows, ChartTable } from '../../../ui/charts/ChartTable.tsx'
import type { ChartPoint, ChartSeries, Measure } from '../../../ui/charts/rules/series.ts'
import { TimeChart } from '../../../ui/charts/TimeChart.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import type { ErrorFacts } from '../../../ui/places/ErrorState.tsx'
import { Card } from '../../../ui/places/Card.tsx'

export type SpanChartProps = {
  readonly name: string
  readonly summary: string
  /** Absent while the first answer is on its way. */
  readonly chart:
    | { readonly points: readonly ChartPoint[]; readonly series: readonly ChartSeries[]; readonly measure: Measure }
    | undefined
  readonly error: ErrorFacts | null
  readonly onRetry: () => void
  /** As it is read, and as a file has it. */
  readonly rows: (options: { readonly isFile: boolean }) => ChartRows
  readonly fileName: string
  readonly empty: ReactNode
  /** Above what is drawn: which span it is of. */
  readonly tools: ReactNode
  readonly foot?: ReactNode
}

const HEIGHT_PX = 220

/** Rewards over time in a card: drawn, as a table, as a file; also while they load and when they failed. */
export function SpanChart({
  name,
  summary,
  chart,
  error,
  onRetry,
  rows,
  fileName,
  empty,
  tools,
  foot,
}: SpanChartProps) {
  const [isTable, setIsTable] = useState(false)
  const download = () => saveFile(new Blob([csvOf(rows({ isFile: true }))], { type: 'text/csv' }), fileName)
  const actions = chart !== undefined && (
    <>
      <IconButton
        label={t`View ${name} as table`}
        icon={<Table2 aria-hidden strokeWidth={1.75} />}
        pressed={isTable}
        onClick={() => setIsTable(!isTable)}
      />
      <IconButton
        label={t`Export ${name} as CSV`}
        icon={<Download aria-hidden strokeWidth={1.75} />}
        onClick={download}
      />
    </>
  )
  return (
    <Card>
      {/* A chart is named one level below what it belongs to. */}
      <h2 className="sr-only">{t`Over time`}</h2>
      <ChartFigure name={name} summary={chart === undefined ? '' : summary} actions={actions} foot={foot}>
        <div className="mb-3">{tools}</div>
        {chart === undefined && error === null && <Skeleton height={HEIGHT_PX} />}
        {chart === undefined && error !== null && (
          <div role="alert" className="flex flex-col items-start gap-2 py-4 text-body">
            <p>
              <Trans>This card couldn’t be loaded.</Trans> <span className="text-muted">{error.message}</span>
            </p>
            <Button size="small" onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          </div>
        )}
        {chart !== undefined &&
          (isTable ? (
            <ChartTable caption={name} table={rows({ isFile: false })} />
          ) : (
            <TimeChart name={name} {...chart} height={HEIGHT_PX} empty={empty} />
          ))}
      </ChartFigure>
    </Card>
  )
}

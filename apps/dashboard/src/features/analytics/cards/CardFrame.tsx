import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Download, Maximize2, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { ChartFigure } from '../../../ui/charts/ChartFigure.tsx'
import { type ChartRows, ChartTable } from '../../../ui/charts/ChartTable.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { csvOf, fileName } from '../../../labels/graphs/graph-file.ts'
import type { GraphAnswer, GraphCardProps } from './card.ts'
import { GraphLoading } from '../reading/GraphLoading.tsx'

export type CardFrameProps = GraphCardProps & {
  readonly query: GraphAnswer
  readonly summary?: string
  /** The figures as a table, as it is read and as a file has it; absent where the card is a list itself. */
  readonly rows?: ((options: { readonly isFile: boolean }) => ChartRows) | undefined
  /** What is drawn; `isLarge` where it has the window to itself. */
  readonly children?: ((isLarge: boolean) => ReactNode) | undefined
  readonly hasFullScreen?: boolean
}

/** A graph's name, its sentence, what can be done with it and when it was true, around what is drawn; also while it loads and when it failed. */
export function CardFrame(props: CardFrameProps) {
  const { graph, place, query, summary = '', rows, children, hasFullScreen = false, projectId } = props
  const [isTable, setIsTable] = useState(false)
  const [isLarge, setIsLarge] = useState(false)
  const { data } = query
  if (data === undefined && query.error === null) {
    return (
      <>
        <GraphLoading graph={graph} place={place} />
        <Waiting query={query} />
      </>
    )
  }
  if (data === undefined || children === undefined) {
    return (
      <ChartFigure name={graph.name} summary="">
        <Failed query={query} />
      </ChartFigure>
    )
  }
  const download = () => {
    if (rows === undefined) return
    const file = new Blob([csvOf(rows({ isFile: true }))], { type: 'text/csv' })
    saveFile(file, fileName(graph.name, projectId, data))
  }
  const { name } = graph
  const shown = (large: boolean) =>
    isTable && rows !== undefined ? <ChartTable caption={name} table={rows({ isFile: false })} /> : children(large)
  const tools = (
    <>
      {rows !== undefined && (
        <IconButton
          label={t`View ${name} as table`}
          icon={<Table2 aria-hidden strokeWidth={1.75} />}
          pressed={isTable}
          onClick={() => setIsTable(!isTable)}
        />
      )}
      {rows !== undefined && (
        <IconButton
          label={t`Export ${name} as CSV`}
          icon={<Download aria-hidden strokeWidth={1.75} />}
          onClick={download}
        />
      )}
      {hasFullScreen && !isLarge && (
        <IconButton
          label={t`Show ${name} in full`}
          icon={<Maximize2 aria-hidden strokeWidth={1.75} />}
          onClick={() => setIsLarge(true)}
        />
      )}
    </>
  )
  return (
    <ChartFigure
      name={name}
      summary={summary}
      actions={tools}
      foot={isLimited(query) ? <Waiting query={query} /> : undefined}
    >
      {query.error !== null && <StaleNote query={query} />}
      <div className={query.isPlaceholderData ? 'opacity-60 transition-opacity' : ''}>{shown(false)}</div>
      {isLarge && (
        <Dialog title={name} size="full" onClose={() => setIsLarge(false)}>
          <p className="mb-3 text-body text-muted">{summary}</p>
          {shown(true)}
        </Dialog>
      )}
    </ChartFigure>
  )
}

/** The call is repeated: too much was asked at once. */
function Waiting({ query }: { query: GraphAnswer }) {
  if (!isLimited(query)) return null
  return (
    <span role="status" className="text-dense text-muted">
      {' '}
      <Trans>Many figures are read at once. This card is read again in a moment.</Trans>
    </span>
  )
}

function isLimited({ failureReason, error }: GraphAnswer): boolean {
  return error === null && failureReason !== null && asRequestError(failureReason).code === 'RATE_LIMITED'
}

function Failed({ query }: { query: GraphAnswer }) {
  const { message, requestId, code } = asRequestError(query.error)
  return (
    <div role="alert" className="flex flex-col items-start gap-2 py-4 text-body">
      <p>
        <Trans>This card couldn’t be loaded.</Trans> <span className="text-muted">{message}</span>
      </p>
      {requestId !== undefined && (
        <p className="font-mono text-caption text-muted">
          {code} · {requestId}
        </p>
      )}
      <Button size="small" onClick={() => query.refetch()}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}

/** Newer figures did not come; those on screen are older, and say of when. */
function StaleNote({ query }: { query: GraphAnswer }) {
  const { message } = asRequestError(query.error)
  return (
    <p role="alert" className="mb-2 flex flex-wrap items-center gap-2 text-dense text-muted">
      <Trans>Newer figures couldn’t be loaded.</Trans> {message}
      <Button size="small" kind="quiet" onClick={() => query.refetch()}>
        <Trans>Try again</Trans>
      </Button>
    </p>
  )
}

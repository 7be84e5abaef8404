import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId } from 'react'

import { graphQuery } from '../../../api/analytics.ts'
import { paths } from '../../../lib/paths.ts'
import { StatTile } from '../../../ui/facts/StatTile.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import type { Graph } from '../reading/graphs.ts'
import { AsOf } from './AsOf.tsx'
import { type Change, readChange } from './change-text.ts'

const FigureCourse = lazyPart(async () => ({ default: (await import('../cards/GraphCard.tsx')).FigureCourse }))

export type NumberTilesProps = {
  readonly projectId: string
  readonly groupId: number
  /** The heading above the numbers. */
  readonly name: string
  readonly menu: ReactNode
  readonly graphs: readonly Graph[]
  readonly filters: GraphFilters
}

/** The graph whose course stands below its figure. */
const WITH_COURSE = 2

/** Where each number leads: the payments behind it. */
const LEADS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  1: { paid: '' },
  2: { paid: 'last_30_days' },
  3: { paid: '' },
  4: { paid: 'last_30_days' },
  5: {},
  6: { created: 'last_30_days' },
}

/** Numbers, each with what it leads to; one that could not be read says so, and the others stand. */
export function NumberTiles({ projectId, groupId, name, menu, graphs, filters }: NumberTilesProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <div className="mb-1 flex min-h-9 items-center justify-between gap-3">
        <h2 id={id} className="text-h3 font-semibold">
          {name}
        </h2>
        {menu}
      </div>
      <ul className="figures gap-1.5 sm:gap-3 md:grid-cols-3 lg:grid-cols-6">
        {graphs.map((graph) => (
          <li key={graph.id} className="flex *:flex-1">
            <Tile projectId={projectId} groupId={groupId} graph={graph} filters={filters} />
          </li>
        ))}
      </ul>
      <AsOf projectId={projectId} groupId={groupId} asked={graphs.map(({ id }) => ({ graphId: id, filters }))} />
    </section>
  )
}

type TileProps = Pick<NumberTilesProps, 'projectId' | 'groupId' | 'filters'> & { readonly graph: Graph }

function Tile({ projectId, groupId, graph, filters }: TileProps) {
  const { data, isError, refetch } = useQuery(graphQuery({ projectId, groupId, graphId: graph.id }, filters))
  const figure = data?.type === 'number_graph' ? data.data[0] : undefined
  if (figure === undefined && isError) {
    const { name } = graph
    return (
      <StatTile
        even
        label={name}
        value={<span className="text-body font-normal text-muted">{t`Couldn’t be loaded`}</span>}
        note={
          <button type="button" className="min-h-6 underline" onClick={() => void refetch()}>
            <Trans>Try again</Trans>
          </button>
        }
      />
    )
  }
  const leads = LEADS[graph.id]
  const change = readChange(figure?.subtext ?? '')
  return (
    <StatTile
      even
      label={graph.name}
      value={figure === undefined ? <Skeleton width={72} height={28} /> : figure.text}
      note={change === undefined ? undefined : <ChangeNote change={change} />}
      course={
        graph.id === WITH_COURSE && (
          <span className="mt-1 block h-7">
            <Suspense>
              <FigureCourse projectId={projectId} />
            </Suspense>
          </span>
        )
      }
      {...(leads !== undefined && { href: paths.payments({ projectId }, leads) })}
    />
  )
}

const TONES = { up: 'text-success-text', down: 'text-danger-text', same: 'text-muted' } as const
const ARROWS = { up: '▲', down: '▼', same: '=' } as const

/** Short on screen; in full for screen readers and in the tooltip. */
function ChangeNote({ change: { direction, share, text } }: { change: Change }): ReactNode {
  return (
    <span title={text}>
      <span aria-hidden className={`font-medium ${TONES[direction]}`}>
        {ARROWS[direction]} {share}
      </span>
      <span aria-hidden> {t({ message: 'in 30 days', comment: 'beside how much a figure changed' })}</span>
      <span className="sr-only">{text}</span>
    </span>
  )
}

/** Says how many cards of the page are missing. */
export function MissingCards({ failed, total }: { failed: number; total: number }) {
  if (failed === 0) return null
  return (
    <p role="status" className="text-dense text-muted">
      {plural(failed, {
        one: `# of ${total} cards couldn’t be loaded.`,
        other: `# of ${total} cards couldn’t be loaded.`,
      })}
    </p>
  )
}

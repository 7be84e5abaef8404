import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { Trans } from '@lingui/react/macro'
import { paidWithin } from '../reading/drill-down.ts'
import { CardFrame } from './CardFrame.tsx'
import type { DrawnProps } from './card.ts'

/** What the server says where there is nothing to tell. */
const NONE = 'N/A'

/** The payments that a number leaves out: unpaid links. */
const CONVERSION = 13

/** One number among other graphs. */
export function NumberCard(props: DrawnProps<'number_graph'>) {
  const { graph, data, projectId } = props
  const figure = data.data[0]
  const { from, until } = data.span ?? { from: null }
  const created = from === null || until === undefined ? undefined : paidWithin({ from, until })
  return (
    <CardFrame {...props} summary={figure === undefined || figure.subtext === NONE ? '' : figure.subtext}>
      {() => (
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="text-h2 font-semibold tabular-nums">{figure?.text ?? '–'}</span>
          {graph.id === CONVERSION && (
            <TextLink href={paths.payments({ projectId }, { status: 'EXPIRED', created })}>
              <Trans>Expired unpaid</Trans>
            </TextLink>
          )}
        </p>
      )}
    </CardFrame>
  )
}

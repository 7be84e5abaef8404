import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'

import { graphQuery } from '../../../api/analytics.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { paths } from '../../../lib/paths.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { AsOfText } from '../../../labels/graphs/AsOfText.tsx'
import type { Graph } from '../reading/graphs.ts'
import { NoPayments } from '../reading/NoPayments.tsx'
import { DepositStatus } from './DepositStatus.tsx'
import { cellText, TableCell } from './TableCell.tsx'
import { NEWEST } from './use-graphs.ts'

type Table = Extract<GraphData, { type: 'table_graph' }>
type Row = Table['data'][number]
type Attribute = Table['attributes'][number]

/** The head under which the first rows are awaited, in the words of the server. */
const AWAITED: readonly Attribute[] = [
  { cell_type: 'profile', column_name: '' },
  { cell_type: 'date', column_name: 'Deposit Date' },
  { cell_type: 'text', column_name: 'Customer' },
  { cell_type: 'icon_text', column_name: 'Currency' },
  { cell_type: 'text', column_name: 'Amount' },
  { cell_type: 'href', column_name: 'To Address' },
  { cell_type: 'href', column_name: 'Transaction' },
  { cell_type: 'text', column_name: 'Status' },
]

export type TransactionTableProps = {
  readonly projectId: string
  readonly groupId: number
  readonly graph: Graph
  readonly menu: ReactNode
}

/** Rows as the server names and fills them; each leads to its payment, over this page. */
export function TransactionTable({ projectId, groupId, graph, menu }: TransactionTableProps) {
  const id = useId()
  const [search] = useSearchState()
  const filters = { limit: NEWEST }
  const { data, error, refetch } = useQuery(graphQuery({ projectId, groupId, graphId: graph.id }, filters))
  const table = data?.type === 'table_graph' ? data : undefined
  return (
    <section aria-labelledby={id}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-3">
        <h2 id={id} className="text-h3 font-semibold">
          {graph.name}
        </h2>
        <div className="flex items-center gap-2">
          <TextLink href={paths.payments({ projectId })}>
            <Trans>See all</Trans>
          </TextLink>
          {menu}
        </div>
      </div>
      <DataTable
        caption={graph.name}
        columns={columnsOf(table?.attributes ?? AWAITED)}
        rows={table?.data}
        rowKey={rowKey}
        rowHref={(row) => hrefOf(row, projectId, search)}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={
          <div className="py-10">
            <NoPayments projectId={projectId}>
              <Trans>No payments yet.</Trans>
            </NoPayments>
          </div>
        }
      />
      <p className="mt-1.5 min-h-4 text-caption text-muted">
        <AsOfText asOf={table?.asOf} counted={table?.countedPercent ?? null} />
      </p>
    </section>
  )
}

/** Where customers and amounts of deposits stand. */
const CUSTOMER = 2
const AMOUNT = 4

function columnsOf(attributes: readonly Attribute[]): readonly Column<Row>[] {
  const last = attributes.length - 1
  return attributes.flatMap(({ column_name: name }, place): Column<Row>[] => {
    // The picture of an asset stands beside its name in a column of its own.
    if (place === 0 && name === '') return []
    return [
      {
        key: String(place),
        label: name,
        cell: (row) => (place === last ? <DepositStatus cell={row[place]} /> : <TableCell cell={row[place]} />),
        text: (row) => cellText(row[place]),
        ...(place === CUSTOMER && { grows: true }),
        ...(place === AMOUNT && { align: 'end', card: 'title' }),
        ...(place === last && { card: 'badge' }),
        ...(place > AMOUNT && place < last && { shrink: place - AMOUNT, cardLabel: true }),
      },
    ]
  })
}

function rowKey(row: Row): string {
  return row.map((cell) => ('value' in cell ? cell.value.toISOString() : cellText(cell))).join(' ')
}

/** The payment of a deposit; one without is decided about where all such are listed. */
function hrefOf([first]: Row, projectId: string, search: Readonly<Record<string, string>>): string {
  const reference = first !== undefined && 'referenceID' in first ? first.referenceID : null
  if (reference === null) return paths.payments({ projectId }, { view: 'unmatched' })
  return paths.dashboard({ projectId }, { ...search, open: reference })
}

import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../../lib/paths.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { AsOfText } from '../reading/AsOfText.tsx'
import { cellText, TableCell } from './TableCell.tsx'
import type { DrawnProps } from './card.ts'

type Row = Extract<GraphData, { type: 'table_graph' }>['data'][number]

/** Rows as the server names and fills them; each leads to its payment, over this page. */
export function TableCard({ projectId, graph, data }: DrawnProps<'table_graph'>) {
  const [search] = useSearchState()
  const columns = data.attributes.map(({ cell_type: type, column_name: name }, place): Column<Row> => ({
    key: String(place),
    label: name,
    cell: (row) => <TableCell cell={row[place]} type={type} />,
    text: (row) => cellText(row[place]),
    ...(place === AMOUNT && { align: 'end' as const, card: 'title' as const }),
    ...(place > AMOUNT && place < data.attributes.length - 1 && { shrink: place, cardLabel: true }),
    ...(place === 0 && { card: 'none' as const }),
  }))
  return (
    <div>
      <DataTable
        caption={graph.name}
        columns={columns}
        rows={data.data}
        rowKey={rowKey}
        rowHref={(row) => hrefOf(row, projectId, search)}
        empty={
          <p className="py-10 text-center text-body text-muted">
            <Trans>No payments yet.</Trans>
          </p>
        }
      />
      <p className="mt-2 flex justify-between gap-3 text-caption text-muted">
        <AsOfText asOf={data.asOf} counted={data.countedPercent} />
        <TextLink href={paths.payments({ projectId }, { paid: '' })}>{t`See all`}</TextLink>
      </p>
    </div>
  )
}

/** Where amounts stand in the rows of deposits. */
const AMOUNT = 4

function rowKey(row: Row): string {
  return row.map(cellText).join(' ')
}

/** The payment of a deposit; one without is decided about where all such are listed. */
function hrefOf([first]: Row, projectId: string, search: Readonly<Record<string, string>>): string {
  const reference = first !== undefined && 'referenceID' in first ? first.referenceID : null
  if (reference === null) return paths.payments({ projectId }, { view: 'unmatched' })
  return paths.dashboard({ projectId }, { ...search, open: reference })
}

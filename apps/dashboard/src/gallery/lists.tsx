import { Amount } from '../ui/facts/Amount.tsx'
import { BulkBar } from '../ui/list/BulkBar.tsx'
import { Button } from '../ui/actions/Button.tsx'
import { ColumnChooser } from '../ui/list/ColumnChooser.tsx'
import { CsvButton } from '../ui/list/CsvButton.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { DensityButton } from '../ui/list/DensityButton.tsx'
import { EmptyState } from '../ui/places/EmptyState.tsx'
import { FilterBar } from '../ui/filters/FilterBar.tsx'
import type { FilterField } from '../ui/filters/filter-fields.ts'
import { Popover } from '../ui/overlays/Popover.tsx'
import { StatusBadge } from '../ui/facts/StatusBadge.tsx'
import type { Column } from '../ui/list/columns.ts'
import { nothing } from './specimen.ts'
import type { Part } from './specimen.ts'

type Row = { readonly id: string; readonly amount: string; readonly customer: string; readonly isPaid: boolean }

const ROWS: readonly Row[] = [
  { id: '1', amount: '49', customer: 'ada@mail.example', isPaid: true },
  { id: '2', amount: '1234567.89', customer: 'a.very.long.name.of.somebody@mail.example', isPaid: false },
]

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'amount',
    label: 'Amount',
    sortBy: 'amount',
    align: 'end',
    card: 'title',
    cell: ({ amount }) => <Amount value={amount} currency="USD" />,
  },
  {
    key: 'status',
    label: 'Status',
    card: 'badge',
    cell: ({ isPaid }) => <StatusBadge tone={isPaid ? 'success' : 'info'} word={isPaid ? 'Paid' : 'Open'} />,
  },
  { key: 'customer', label: 'Customer', card: 'line', cell: ({ customer }) => customer },
]

const FILTERS: readonly FilterField[] = [
  { key: 'amount', label: 'Amount', kind: 'amount' },
  { key: 'created', label: 'Created', kind: 'date' },
]

const shared = { columns: COLUMNS, rowKey: ({ id }: Row) => id, empty: <EmptyState title="No payment matches." /> }

export const LISTS: readonly Part[] = [
  {
    name: 'DataTable',
    wide: true,
    specimens: [
      { state: 'loading', shown: <DataTable {...shared} caption="Payments on their way" rows={undefined} /> },
      { state: 'empty', shown: <DataTable {...shared} caption="No payments" rows={[]} /> },
      {
        state: 'error',
        shown: (
          <DataTable
            {...shared}
            caption="Failed payments"
            rows={undefined}
            error={{ message: 'The server is busy.', code: 'UNAVAILABLE', requestId: 'a1b2c3' }}
            onRetry={nothing}
          />
        ),
      },
      {
        state: 'data, more of it on both sides',
        shown: (
          <DataTable
            {...shared}
            caption="Payments"
            rows={ROWS}
            rowHref={({ id }) => `?open=${id}`}
            refreshing
            paging={{ nextCursor: 'n', prevCursor: 'p', total: 12_408 }}
          />
        ),
      },
    ],
  },
  {
    name: 'FilterBar',
    wide: true,
    specimens: [{ state: 'nothing set', shown: <FilterBar fields={FILTERS} columns={COLUMNS} /> }],
  },
  {
    name: 'ColumnChooser',
    specimens: [
      {
        state: 'two of three',
        shown: <ColumnChooser columns={COLUMNS} shown={['status', 'amount']} isOwn onChange={nothing} />,
      },
    ],
  },
  {
    name: 'CsvButton',
    specimens: [
      {
        state: 'ready',
        shown: (
          <CsvButton
            name="payments"
            columns={{ amount: ({ amount }: Row) => amount }}
            read={async () => ({ rows: ROWS, isCut: false })}
            saved="Saved as CSV."
            failureText={() => 'The list could not be read.'}
          />
        ),
      },
    ],
  },
  {
    name: 'DensityButton',
    specimens: [
      { state: 'comfortable', shown: <DensityButton density="comfortable" onChange={nothing} /> },
      { state: 'compact', shown: <DensityButton density="compact" onChange={nothing} /> },
    ],
  },
  {
    name: 'BulkBar',
    wide: true,
    specimens: [
      {
        state: 'three picked',
        shown: (
          <BulkBar count={3} onClear={nothing}>
            <Button size="small">Export</Button>
          </BulkBar>
        ),
      },
    ],
  },
  {
    name: 'Popover',
    specimens: [
      {
        state: 'closed',
        shown: (
          <Popover label="More" button={(opener) => <Button {...opener}>More</Button>}>
            {() => <p>What hangs from the button.</p>}
          </Popover>
        ),
      },
    ],
  },
]

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { count, usdExact } from '../../../lib/text/format.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { linkOfRow } from './link-rows.ts'
import type { LinkRow } from './link-rows.ts'

/** Enough to see that the columns were understood. */
const MOST_SHOWN = 5

/** The first lines that are ready, as they were understood. */
export function ValidRows({ rows }: { rows: readonly LinkRow[] }) {
  const shown = rows.slice(0, MOST_SHOWN)
  const total = count(rows.length)
  return (
    <section aria-labelledby="ready-lines">
      <h2 id="ready-lines" className="mb-3 text-h3 font-semibold">
        <Trans>Ready lines</Trans>
      </h2>
      <DataTable
        caption={t`Ready lines`}
        columns={columns()}
        rows={shown}
        rowKey={({ line }) => String(line)}
        empty={null}
      />
      {rows.length > MOST_SHOWN && (
        <p className="mt-2 text-dense text-muted">
          <Trans>
            The first {MOST_SHOWN} of {total}.
          </Trans>
        </p>
      )}
    </section>
  )
}

function columns(): Column<LinkRow>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      cell: ({ values }) => <span className="tabular-nums">{usdExact(linkOfRow(values).amountInUSD)}</span>,
    },
    { key: 'customer', label: t`Customer`, cell: ({ values }) => values.customerEmail || values.customerID },
    { key: 'invoice', label: t`Invoice`, cell: ({ values }) => values.invoiceID },
    {
      key: 'description',
      label: t`Description`,
      shrink: 1,
      cell: ({ values }) => <span className="block max-w-72 truncate">{values.description}</span>,
    },
    { key: 'line', label: t`Line`, align: 'end', card: 'foot', cell: ({ line }) => t`Line ${line}` },
  ]
}

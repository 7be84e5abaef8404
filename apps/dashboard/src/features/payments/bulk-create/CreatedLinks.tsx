import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { paths } from '../../../lib/paths.ts'
import { count, usdExact } from '../../../lib/text/format.ts'
import { shortReference } from '../../../lib/text/short-reference.ts'
import { CopyButton } from '../../../ui/actions/CopyButton.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { linkOfRow } from './link-rows.ts'
import type { LinkRow } from './link-rows.ts'

/** As many as are copied one by one; the rest is in the file. */
const MOST_SHOWN = 50

export type CreatedRow = { readonly row: LinkRow; readonly url: string; readonly reference: string }

/** The links that were made, each to copy or to open. */
export function CreatedLinks({ projectId, rows }: { projectId: string; rows: readonly CreatedRow[] }) {
  const total = count(rows.length)
  return (
    <section aria-labelledby="made-links">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h2 id="made-links" className="text-h3 font-semibold">
          <Trans>Created links</Trans>
        </h2>
        <TextLink href={paths.payments({ projectId })}>
          <Trans>All payments</Trans>
        </TextLink>
      </div>
      <DataTable
        caption={t`Created links`}
        columns={columns()}
        rows={rows.slice(0, MOST_SHOWN)}
        rowKey={({ row }) => String(row.line)}
        empty={null}
      />
      {rows.length > MOST_SHOWN && (
        <p className="mt-2 text-dense text-muted">
          <Trans>
            The first {MOST_SHOWN} of {total}. All of them are in the result CSV.
          </Trans>
        </p>
      )}
    </section>
  )
}

function columns(): Column<CreatedRow>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      cell: ({ row }) => <span className="tabular-nums">{usdExact(linkOfRow(row.values).amountInUSD)}</span>,
    },
    { key: 'customer', label: t`Customer`, cell: ({ row: { values } }) => values.customerEmail || values.customerID },
    { key: 'link', label: t`Payment link`, cell: (created) => <Link {...created} /> },
    { key: 'line', label: t`Line`, align: 'end', card: 'foot', cell: ({ row }) => t`Line ${row.line}` },
  ]
}

function Link({ url, reference }: CreatedRow) {
  return (
    <span className="inline-flex items-center gap-1">
      <TextLink href={url} newTab>
        {shortReference(reference)}
      </TextLink>
      <CopyButton label={t`payment link`} value={url} />
    </span>
  )
}

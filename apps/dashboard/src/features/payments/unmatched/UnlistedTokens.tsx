import type { UnlistedTransfer } from '@kassa/contract/unlisted-transfers/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { asRequestError } from '../../../api/request-error.ts'
import { unlistedQuery } from '../../../api/deposits.ts'
import { unlistedToken } from '../../../labels/unlisted-token.ts'
import type { Column } from '../../../ui/list/columns.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { CustomerName, transactionColumn } from './unmatched-columns.tsx'

/** What customers sent in tokens that Kassa does not list; absent while there is nothing. */
export function UnlistedTokens({ projectId }: { projectId: string }) {
  const { data, error, refetch } = useQuery(unlistedQuery(projectId))
  if (error === null && (data === undefined || data.data.length === 0)) return null
  return (
    <section aria-labelledby="unlisted-tokens" className="mt-8">
      <h2 id="unlisted-tokens" className="mb-1 text-h3 font-semibold">
        <Trans>Tokens that are not listed</Trans>
      </h2>
      <p className="mb-3 max-w-[68ch] text-body text-muted">
        <Trans>
          Nothing of it counts anywhere, and names are the tokens’ own. If a customer asks, the wallet of the deposit
          address can send it back; what nobody asks about is most often spam.
        </Trans>
      </p>
      <DataTable
        caption={t`Tokens that are not listed`}
        columns={columns()}
        rows={data?.data}
        rowKey={({ id }) => String(id)}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={null}
      />
    </section>
  )
}

function columns(): Column<UnlistedTransfer>[] {
  return [
    { key: 'token', label: t`Token`, card: 'title', cell: (notice) => unlistedToken(notice) },
    {
      key: 'contract',
      label: t`Contract`,
      cell: ({ contract }) => <Address value={contract} label={t`contract address`} />,
    },
    { key: 'customer', label: t`Customer`, cell: (notice) => <CustomerName {...notice} /> },
    transactionColumn(),
    {
      key: 'mined',
      label: t`Arrived`,
      card: 'foot',
      shrink: 2,
      cell: ({ minedAt }) => <TimeAgo at={minedAt} />,
    },
  ]
}

import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { useCan } from '../../../api/me.ts'
import { unmatchedQuery } from '../../../api/deposits.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { AssignDialog } from './AssignDialog.tsx'
import { UnlistedTokens } from './UnlistedTokens.tsx'
import { unmatchedColumns } from './unmatched-columns.tsx'

/** The first page has no cursor. */
const START = ''

/** Deposits that count for no payment: unapplied and quarantined. */
export function UnmatchedDeposits({ projectId }: { projectId: string }) {
  const can = useCan()
  const [{ cursor }] = useSearchState()
  const [chosen, setChosen] = useState<Deposit>()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(
    unmatchedQuery(projectId, cursor === undefined ? {} : { cursor }),
  )
  const mayAssign = (deposit: Deposit) => can('payment:resolve', deposit.externalPlatformID ?? projectId)
  return (
    <>
      <p className="mb-3 max-w-[68ch] text-body text-muted">
        <Trans>
          Deposits that no payment could use are listed here. They stay the customer’s until you assign them.
        </Trans>{' '}
        {data !== undefined && data.data.length > 0 && !data.data.some(mayAssign) && (
          <Trans>Assigning needs payment:resolve; ask an administrator.</Trans>
        )}
      </p>
      <DataTable
        caption={t`Unmatched deposits`}
        columns={unmatchedColumns({ mayAssign, onAssign: setChosen })}
        rows={data?.data}
        rowKey={({ id }) => String(id)}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        refreshing={isFetching && isPlaceholderData}
        empty={
          <EmptyState
            icon={<CircleCheck aria-hidden strokeWidth={1.75} />}
            title={t`No unmatched deposits`}
            text={t`Money that arrives late, in another currency or without a payment is listed here.`}
          />
        }
        paging={{
          nextCursor: data?.nextCursor ?? null,
          prevCursor: cursor === undefined ? null : START,
          total: data?.total,
        }}
      />
      <UnlistedTokens projectId={projectId} />
      {chosen !== undefined && <AssignDialog deposit={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'

import { asApiError } from '../../api/api-error.ts'
import { onHoldQuery } from '../../api/deposits.ts'
import { useCan } from '../../api/me.ts'
import { paymentsQuery } from '../../api/payments.ts'
import { ALL_PROJECTS } from '../../lib/current-project.ts'
import { stringifySearch, useSearchState } from '../../lib/search.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { SearchBox } from '../../ui/SearchBox.tsx'
import { toast } from '../../ui/toast.ts'
import { NoPayments } from './NoPayments.tsx'
import { AWAITED_ATTRIBUTES, paymentColumns } from './payment-columns.tsx'
import { filterOf } from './payment-filter.ts'
import { StatusFilter } from './StatusFilter.tsx'

export type PaymentListProps = {
  readonly projectId: string
  /** Tells which payments are listed, so that an open drawer can go to the one before and after. */
  readonly onListed: (references: readonly string[]) => void
}

/** Payments, found by what one knows of them, their truth one press away. */
export function PaymentList({ projectId, onListed }: PaymentListProps) {
  const can = useCan()
  const [search] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(paymentsQuery(projectId, filterOf(search)))
  const { data: onHold } = useQuery({ ...onHoldQuery(projectId), enabled: can('deposit:read', projectId) })
  useLostCursor(error)
  useListed(data?.data, onListed)

  const rowHref = ({ referenceId }: PaymentRow) =>
    pathname + stringifySearch({ ...search, open: referenceId, panel: undefined })
  const facts = { hasSeveralProjects: projectId === ALL_PROJECTS, onHold }
  return (
    <DataTable
      caption="All payments"
      columns={paymentColumns(data?.attributes ?? AWAITED_ATTRIBUTES, facts)}
      rows={data?.data}
      rowKey={({ referenceId }) => referenceId}
      rowHref={rowHref}
      error={error === null ? null : asApiError(error)}
      onRetry={() => void refetch()}
      refreshing={isFetching && isPlaceholderData}
      empty={<NoPayments projectId={projectId} canCreate={can('payment:create', projectId)} />}
      toolbar={
        <>
          <SearchBox label="Search payments" placeholder="E-mail, id, hash or address" />
          <StatusFilter />
        </>
      }
      paging={{
        nextCursor: data?.nextCursor ?? null,
        prevCursor: data?.prevCursor ?? null,
        total: data?.totalCount,
        totalIsEstimate: data?.totalIsEstimate,
      }}
    />
  )
}

/** A cursor of another list leads back to the start, and says so. */
function useLostCursor(error: unknown): void {
  const [, setSearch] = useSearchState()
  const isLost = error !== null && asApiError(error).code === 'CURSOR_INVALID'
  useEffect(() => {
    if (!isLost) return
    setSearch({ cursor: undefined }, { replace: true })
    toast.error('That page is gone; this is the start of the list.')
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per lost cursor
  }, [isLost])
}

function useListed(rows: readonly PaymentRow[] | undefined, onListed: PaymentListProps['onListed']): void {
  const text = rows?.map(({ referenceId }) => referenceId).join(' ') ?? ''
  useEffect(() => onListed(text === '' ? [] : text.split(' ')), [text, onListed])
}

import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { asRequestError } from '../../../api/request-error.ts'
import { onHoldQuery } from '../../../api/deposits.ts'
import { useCan } from '../../../api/me.ts'
import { paymentsQuery } from '../../../api/payments.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { count } from '../../../lib/text/format.ts'
import { useIsNarrow } from '../../../lib/device/media.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { SearchBox } from '../../../ui/actions/SearchBox.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import type { Attribute } from '../../../ui/list/columns.ts'
import { useBufferedRows } from '../../../ui/list/useBufferedRows.ts'
import { useSelection } from '../../../ui/list/useSelection.ts'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { exportColumns } from '../columns/export-columns.ts'
import { FURTHER_CELLS } from '../columns/optional-columns.tsx'
import { AWAITED_ATTRIBUTES, columnName, paymentColumns } from '../columns/payment-columns.tsx'
import { rowName } from '../payment/row-actions.ts'
import { SelectedPayments } from '../selection/SelectedPayments.tsx'
import { filterOf } from '../views/payment-filter.ts'
import { usePaymentFields } from '../views/useFilterFields.ts'
import { useLayout } from '../views/useLayout.ts'
import { NoPayments } from './NoPayments.tsx'
import { TableTools } from './TableTools.tsx'
import { useRowMenu } from './useRowMenu.tsx'

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
  const [layout, setLayout] = useLayout()
  const isNarrow = useIsNarrow()
  const [isPicking, setIsPicking] = useState(false)
  const fields = usePaymentFields(projectId)
  const filter = filterOf(search)
  const { data, error, refetch, isFetching, isPlaceholderData, isFetchedAfterMount } = useQuery(
    paymentsQuery(projectId, filter),
  )
  const { data: onLongPress } = useQuery({ ...onHoldQuery(projectId), enabled: can('deposit:read', projectId) })
  const scope = JSON.stringify([projectId, filter])
  const isOwn = isFetchedAfterMount && !isPlaceholderData
  const { rows, arrived, show } = useBufferedRows({ fetched: data?.data, rowKey, scope, isOwn })
  const selection = useSelection(rows?.map(rowKey) ?? [], scope)
  const rowHref = (row: PaymentRow) => pathname + stringifySearch({ ...search, open: rowKey(row), panel: undefined })
  const menu = useRowMenu(rowHref)
  const togglePicking = () => {
    if (isPicking) selection.clear()
    setIsPicking(!isPicking)
  }
  const selectPressed = (key: string) => {
    setIsPicking(true)
    if (!selection.has(key)) selection.toggle(key)
  }
  useLostCursor(error)
  useListed(rows, onListed)

  const attributes = data?.attributes ?? AWAITED_ATTRIBUTES
  const columns = paymentColumns(attributes, {
    hasSeveralProjects: projectId === ALL_PROJECTS,
    onHold: onLongPress,
    chosen: layout.columns,
    further: FURTHER_CELLS,
  })
  return (
    <>
      <DataTable
        caption={t`All payments`}
        columns={columns}
        rows={rows}
        rowKey={rowKey}
        rowHref={rowHref}
        rowPage={(row) => `${pathname}/${rowKey(row)}`}
        rowName={rowName}
        menu={menu.itemsOf}
        selection={isNarrow && !isPicking ? undefined : selection}
        onLongPress={selectPressed}
        density={layout.density}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        refreshing={isFetching && isPlaceholderData}
        news={{ arrived, text: arrivedText(arrived), onShow: show }}
        empty={<NoPayments projectId={projectId} canCreate={can('payment:create', projectId)} />}
        toolbar={
          <>
            <SearchBox label={t`Search payments`} placeholder={t`E-mail, id, hash or address`} />
            <FilterBar fields={fields} columns={attributes.map(sortable)} />
            <div className="ms-auto flex flex-wrap items-center justify-end gap-2">
              <ListCount total={data?.totalCount} isEstimate={data?.totalIsEstimate ?? false} />
              {isNarrow ? (
                <Button size="small" onClick={togglePicking}>
                  {isPicking ? t`Done` : t`Select`}
                </Button>
              ) : (
                <TableTools projectId={projectId} attributes={attributes} layout={layout} onLayout={setLayout} />
              )}
            </div>
          </>
        }
        paging={{
          nextCursor: data?.nextCursor ?? null,
          prevCursor: data?.prevCursor ?? null,
          total: data?.totalCount,
          totalIsEstimate: data?.totalIsEstimate,
          isSized: true,
        }}
      />
      <SelectedPayments
        projectId={projectId}
        rows={rows?.filter((row) => selection.has(rowKey(row))) ?? []}
        selection={selection}
        list={{ shown: rows?.length ?? 0, total: data?.totalCount ?? 0, isEstimate: data?.totalIsEstimate ?? false }}
        columns={exportColumns(layout, projectId)}
      />
      {menu.dialog}
    </>
  )
}

function rowKey({ referenceId }: PaymentRow): string {
  return referenceId
}

function sortable(attribute: Attribute) {
  return { label: columnName(attribute), sortBy: attribute.sortBy }
}

function arrivedText(arrived: number): string {
  return t`${plural(arrived, { one: '# new payment', other: '# new payments' })}`
}

/** A cursor of another list leads back to the start, and says so. */
function useLostCursor(error: unknown): void {
  const [, setSearch] = useSearchState()
  const isLost = error !== null && asRequestError(error).code === 'CURSOR_INVALID'
  useEffect(() => {
    if (!isLost) return
    setSearch({ cursor: undefined }, { replace: true })
    toast.error(t`That page no longer exists; this is the start of the list.`)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per lost cursor
  }, [isLost])
}

function useListed(rows: readonly PaymentRow[] | undefined, onListed: PaymentListProps['onListed']): void {
  const text = rows?.map(({ referenceId }) => referenceId).join(' ') ?? ''
  useEffect(() => onListed(text === '' ? [] : text.split(' ')), [text, onListed])
}

/** How many payments the list holds, as narrowed as it is. */
function ListCount({ total, isEstimate }: { total: number | undefined; isEstimate: boolean }) {
  if (total === undefined) return null
  return <span className="text-dense whitespace-nowrap text-muted tabular-nums">{totalText(total, isEstimate)}</span>
}

function totalText(total: number, isEstimate: boolean): string {
  const all = count(total)
  if (isEstimate) return t`about ${all} payments`
  return t`${plural(total, { one: '# payment', other: '# payments' })}`
}

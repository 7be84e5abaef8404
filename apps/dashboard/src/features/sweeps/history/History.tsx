import type { Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Merge } from 'lucide-react'
import { Suspense } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { sweepsQuery } from '../../../api/sweeps.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { sweepBadge, sweepWait, triggerText } from '../../../labels/sweep-labels.ts'
import { stringifySearch, useSearchState } from '../../../lib/navigation/search.ts'
import { assetAmount, count, usd } from '../../../lib/text/format.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { ExplainedBadge } from '../../../ui/facts/ExplainedBadge.tsx'
import { TruncatedName } from '../../../ui/facts/TruncatedName.tsx'
import { FilterBar } from '../../../ui/filters/FilterBar.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { ExportSweeps } from './ExportSweeps.tsx'
import { isNarrowed, sweepFields, sweepFilter } from './sweep-filter.ts'

const SweepDrawer = lazyLayer(async () => ({ default: (await import('./SweepDrawer.tsx')).SweepDrawer }))

/** What was moved, when, at what cost, and where it is. */
export function History({ projectId }: { projectId: string }) {
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const filter = sweepFilter(search, new Date())
  const page = useQuery(sweepsQuery(projectId, filter))
  const rows = page.data?.data
  const columns = historyColumns()
  const open = Number(search.open)
  const at = rows?.findIndex(({ id }) => id === open) ?? -1
  const step = (by: number) => {
    const next = at === -1 ? undefined : rows?.[at + by]
    return next && (() => setSearch({ open: String(next.id) }, { replace: true }))
  }
  return (
    <div>
      <DataTable
        caption={t`Sweep history`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={({ id, amount, currencyCode }) => t`sweep ${id} of ${assetAmount(amount, currencyCode)}`}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, open: String(id) })}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <FilterBar fields={sweepFields()} columns={columns.map(({ label, sortBy }) => ({ label, sortBy }))} />
            {rows !== undefined && rows.length > 0 && <ExportSweeps projectId={projectId} filter={filter} />}
          </>
        }
        empty={<NoSweeps isFiltered={isNarrowed(search)} />}
        paging={{ nextCursor: page.data?.nextCursor ?? null, total: page.data?.total, isSized: true }}
      />
      {Number.isInteger(open) && open > 0 && (
        <Suspense>
          <SweepDrawer
            id={open}
            onPrevious={step(-1)}
            onNext={step(1)}
            onClose={() => setSearch({ open: undefined, panel: undefined })}
          />
        </Suspense>
      )}
    </div>
  )
}

function NoSweeps({ isFiltered }: { isFiltered: boolean }) {
  const icon = <Merge aria-hidden strokeWidth={1.75} />
  return isFiltered ? (
    <EmptyState icon={icon} title={t`No sweep matches.`} text={t`Clear the filters to see more.`} />
  ) : (
    <EmptyState icon={icon} title={t`No sweep yet.`} text={t`Every sweep is kept here with its cost and its proof.`} />
  )
}

function historyColumns(): Column<Sweep>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      align: 'end',
      cell: ({ amount, currencyCode, amountInUSD }) => (
        <Amount value={amount} currency={currencyCode} usd={amountInUSD ?? undefined} />
      ),
      card: 'title',
    },
    { key: 'state', label: t`State`, cell: (row) => <State row={row} />, card: 'badge', grows: true },
    { key: 'when', label: t`When`, cell: ({ createdAt }) => <TimeAgo at={createdAt} />, card: 'foot' },
    { key: 'network', label: t`Network`, cell: ({ blockchainCode }) => networkName(blockchainCode), card: 'foot' },
    {
      key: 'addresses',
      label: t`Addresses`,
      align: 'end',
      cell: ({ addressCount }) => count(addressCount),
      card: 'foot',
      cardLabel: true,
    },
    { key: 'fee', label: t`Fee`, align: 'end', cell: (row) => <Fee row={row} />, card: 'line', cardLabel: true },
    {
      key: 'trigger',
      label: t`Started by`,
      cell: (row) => <TruncatedName name={triggerText(row)} />,
      card: 'foot',
      shrink: 2,
    },
    {
      key: 'hash',
      label: t`Hash`,
      cell: ({ txHash }) =>
        txHash === null ? <None /> : <Address value={txHash} label={t`transaction hash`} isHash />,
      card: 'none',
      shrink: 1,
    },
  ]
}

/** The network fee in the coin and in US dollars, and its share of what was moved. */
function Fee({ row: { networkFee, networkFeeCurrency, networkFeeInUSD, amountInUSD } }: { row: Sweep }) {
  if (networkFee === null || networkFeeCurrency === null) return <None />
  const share = shareText(networkFeeInUSD, amountInUSD)
  return (
    <span className="flex flex-col items-end max-sm:items-start">
      <Amount value={networkFee} currency={networkFeeCurrency} />
      {networkFeeInUSD !== null && (
        <span className="text-muted">
          {share === undefined ? usd(networkFeeInUSD) : `${usd(networkFeeInUSD)} · ${share}`}
        </span>
      )}
    </span>
  )
}

/** A share is no money: it is shown to a hundredth and nothing is booked by it. */
function shareText(fee: string | null, amount: string | null): string | undefined {
  const [part, whole] = [Number(fee), Number(amount)]
  if (fee === null || amount === null || !(whole > 0)) return undefined
  const percent = (100 * part) / whole
  return percent < 0.01 ? '<0.01%' : `${percent.toFixed(2)}%`
}

function State({ row }: { row: Sweep }) {
  const wait = sweepWait(row.waits)
  const isCounted = row.waits?.code === 'CONFIRMATIONS'
  return <ExplainedBadge badge={sweepBadge(row)} why={isCounted ? undefined : wait} />
}

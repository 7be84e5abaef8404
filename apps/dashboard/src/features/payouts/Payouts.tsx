import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { ArrowUpRight, Plus } from 'lucide-react'
import { Suspense } from 'react'

import { useCan } from '../../api/me.ts'
import { payoutMetricsQuery, payoutsQuery } from '../../api/payouts.ts'
import { asRequestError } from '../../api/request-error.ts'
import { payeeName } from '../../labels/payout-labels.ts'
import { ALL_PROJECTS } from '../../lib/navigation/current-project.ts'
import { stringifySearch, useSearchState } from '../../lib/navigation/search.ts'
import { paths } from '../../lib/paths.ts'
import { assetAmount, shortAddress } from '../../lib/text/format.ts'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { SearchBox } from '../../ui/actions/SearchBox.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { FilterBar } from '../../ui/filters/FilterBar.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { payoutColumns } from './list/payout-columns.tsx'
import { isNarrowed, payoutFields, payoutFilter, type View, VIEWS } from './list/payout-filter.ts'
import { ExportPayouts } from './list/ExportPayouts.tsx'
import { PayoutTiles } from './list/PayoutTiles.tsx'

const PayoutDrawer = lazyLayer(async () => ({ default: (await import('./detail/PayoutDrawer.tsx')).PayoutDrawer }))

/** Every payout of a project, or of all: where it is, and why it waits. */
export function Payouts({ projectId }: { projectId: string }) {
  const can = useCan()
  const { data: metrics } = useQuery(payoutMetricsQuery(projectId))
  const mayAsk = can('payout:create', projectId === ALL_PROJECTS ? undefined : projectId)
  return (
    <>
      <PageHead
        title={t`Payouts`}
        text={t`Money that leaves: from its request to the block that makes it final.`}
        primary={
          mayAsk && (
            <LinkButton kind="primary" icon={<Plus aria-hidden strokeWidth={2} />} href={newPayout(projectId)}>
              <Trans>New payout</Trans>
            </LinkButton>
          )
        }
      />
      <PayoutTiles projectId={projectId} />
      <Tabs
        label={t`Views`}
        param="view"
        clears={['cursor', 'open']}
        tabs={[
          { id: 'all', label: t`All` },
          { id: 'mine', label: t`Needs me`, ...(metrics && { count: metrics.waitingForMe }) },
          { id: 'waiting', label: t`Waiting` },
          { id: 'today', label: t`Sent today` },
          { id: 'failed', label: t`Failed` },
        ]}
      >
        {(view) => <List projectId={projectId} view={VIEWS.find((one) => one === view) ?? 'all'} />}
      </Tabs>
    </>
  )
}

function newPayout(projectId: string): string {
  return paths.newPayout({ projectId: projectId === ALL_PROJECTS ? undefined : projectId })
}

function List({ projectId, view }: { projectId: string; view: View }) {
  const [search, setSearch] = useSearchState()
  const pathname = useLocation({ select: (location) => location.pathname })
  const filter = payoutFilter(search, view, new Date())
  const page = useQuery(payoutsQuery(projectId, filter))
  const rows = page.data?.data
  const columns = payoutColumns({ hasSeveralProjects: projectId === ALL_PROJECTS })
  const open = Number(search.open)
  const at = rows?.findIndex(({ id }) => id === open) ?? -1
  const step = (by: number) => {
    const next = at === -1 ? undefined : rows?.[at + by]
    return next && (() => setSearch({ open: String(next.id) }, { replace: true }))
  }
  return (
    <div className="pt-4">
      <DataTable
        caption={t`Payouts`}
        columns={columns}
        rows={rows}
        rowKey={({ id }) => String(id)}
        rowName={(row) => {
          const [amount, to] = [
            assetAmount(row.amount, row.currencyCode),
            payeeName(row) ?? shortAddress(row.toAddress),
          ]
          return t`payout of ${amount} to ${to}`
        }}
        rowHref={({ id }) => pathname + stringifySearch({ ...search, open: String(id) })}
        error={page.error === null ? null : asRequestError(page.error)}
        onRetry={() => void page.refetch()}
        refreshing={page.isFetching && page.isPlaceholderData}
        toolbar={
          <>
            <SearchBox label={t`Search payouts`} placeholder={t`Address, hash, e-mail or number`} />
            <FilterBar fields={payoutFields()} columns={columns.map(({ label, sortBy }) => ({ label, sortBy }))} />
            {rows !== undefined && rows.length > 0 && <ExportPayouts projectId={projectId} filter={filter} />}
          </>
        }
        empty={<NoPayouts isFiltered={isNarrowed(search)} view={view} />}
        paging={{
          nextCursor: page.data?.nextCursor ?? null,
          total: page.data?.total,
          isSized: true,
        }}
      />
      {Number.isInteger(open) && open > 0 && (
        <Suspense>
          <PayoutDrawer
            projectId={projectIdOf(rows?.[at], projectId)}
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

function projectIdOf(row: { readonly externalPlatformID: number } | undefined, projectId: string): string {
  return row === undefined ? projectId : String(row.externalPlatformID)
}

function NoPayouts({ isFiltered, view }: { isFiltered: boolean; view: View }) {
  const icon = <ArrowUpRight aria-hidden strokeWidth={1.75} />
  if (isFiltered) {
    return (
      <EmptyState icon={icon} title={t`No payout matches.`} text={t`Clear the search and the filters to see more.`} />
    )
  }
  if (view === 'mine') return <EmptyState icon={icon} title={t`Nothing waits for you.`} />
  if (view === 'failed') return <EmptyState icon={icon} title={t`Nothing failed.`} />
  if (view !== 'all') return <EmptyState icon={icon} title={t`No payouts here.`} />
  return (
    <EmptyState icon={icon} title={t`No payouts yet.`} text={t`Ask for one, or let your shop ask by its API key.`} />
  )
}

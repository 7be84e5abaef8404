import type { BalanceRow, SweepMetrics } from '@kassa/contract/sweeps/schemas.ts'
import { t } from '@lingui/core/macro'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Merge } from 'lucide-react'
import { Suspense, useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { fundsQuery, planQuery, sweepMetricsQuery } from '../../../api/sweeps.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { InlineSelect } from '../../../ui/fields/InlineSelect.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { WaitingBatches } from '../offline/WaitingBatches.tsx'
import { fundsColumns } from './funds-columns.tsx'
import { isReady } from './plan-sums.ts'
import { PlanCard } from './PlanCard.tsx'

const SweepDialog = lazyLayer(async () => ({ default: (await import('./SweepDialog.tsx')).SweepDialog }))
const ApproveDrawer = lazyLayer(async () => ({
  default: (await import('../approving/ApproveDrawer.tsx')).ApproveDrawer,
}))

/** Balances of deposit addresses, the part that can be swept now, and the obstacles of the rest. */
export function Funds({ projectId }: { projectId: string }) {
  const maySweep = useCan()('sweep:write')
  const [search, setSearch] = useSearchState()
  const funds = useQuery(fundsQuery(projectId))
  const { data: metrics } = useQuery(sweepMetricsQuery(projectId))
  const all = funds.data?.filter(({ action }) => action !== 'no_balance')
  const rows = all?.filter(({ blockchainCode }) => search.network === undefined || search.network === blockchainCode)
  const ready = rows?.filter(isReady) ?? []
  const plans = useQueries({ queries: ready.map((row) => planQuery(row, row.amount)) })
  const [sweeping, setSweeping] = useState<readonly BalanceRow[]>()
  const networks = [...new Set(all?.map(({ blockchainCode }) => blockchainCode))]
  const approved = all?.find((row) => holdingOf(row) === search.approve)
  const open = (row: BalanceRow, step: 'approve' | 'execute') => setSearch({ approve: holdingOf(row), step })
  const failed = plans.find(({ error }) => error !== null)?.error
  const columns = fundsColumns({
    maySweep,
    onSweep: (row) => (row.path === 'permission' ? open(row, 'execute') : setSweeping([row])),
    onApprove: (row) => open(row, 'approve'),
  })
  return (
    <div className="flex flex-col gap-5">
      {rows !== undefined && (rows.length > 0 || hasMoved(metrics)) && (
        <PlanCard
          rows={rows}
          plans={plans.flatMap(({ data }) => data ?? [])}
          metrics={metrics}
          isPlanning={plans.some(({ isPending }) => isPending)}
          failure={failed ? asRequestError(failed).message : undefined}
          onSweep={maySweep ? () => setSweeping(ready) : undefined}
        />
      )}
      <WaitingBatches projectId={projectId} maySweep={maySweep} />
      <DataTable
        caption={t`Funds`}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowName={({ currencyCode, blockchainCode, walletName }) =>
          t`${currencyCode} on ${networkName(blockchainCode)} in ${walletName}`
        }
        error={funds.error === null ? null : asRequestError(funds.error)}
        onRetry={() => void funds.refetch()}
        toolbar={
          networks.length > 1 || search.network !== undefined ? (
            <InlineSelect
              label={t`Network`}
              value={search.network ?? ''}
              options={[
                { value: '', label: t`All networks` },
                ...networks.map((code) => ({ value: code, label: networkName(code) })),
              ]}
              onChange={(network) => setSearch({ network: network || undefined })}
            />
          ) : undefined
        }
        empty={
          <EmptyState
            icon={<Merge aria-hidden strokeWidth={1.75} />}
            title={t`Nothing to sweep.`}
            text={t`Deposits appear here once they are final.`}
          />
        }
      />
      <Suspense>
        {sweeping !== undefined && <SweepDialog rows={sweeping} onClose={() => setSweeping(undefined)} />}
        {approved !== undefined && (
          <ApproveDrawer
            key={holdingOf(approved)}
            row={approved}
            onClose={() => setSearch({ approve: undefined, batch: undefined, step: undefined })}
          />
        )}
      </Suspense>
    </div>
  )
}

function hasMoved(metrics: SweepMetrics | undefined): boolean {
  return metrics !== undefined && (metrics.activeSweep.sweepsInProgress > 0 || Number(metrics.sweptLast24h) > 0)
}

/** A wallet's asset, whatever can be done with it now: what is open stays open while addresses are approved and swept. */
function holdingOf({ walletID, blockchainCode, currencyCode }: BalanceRow): string {
  return `${walletID}.${blockchainCode}.${currencyCode}`
}

/** One row per wallet, asset, action and reason. */
function keyOf(row: BalanceRow): string {
  return `${holdingOf(row)}.${row.action}.${row.waits?.code ?? ''}.${row.startID ?? ''}`
}

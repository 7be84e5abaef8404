import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { sweepsRoutes } from '@kassa/contract/sweeps/routes.ts'
import type { BalanceRow, Sweep } from '@kassa/contract/sweeps/schemas.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'
import { pageBefore } from './page-before.ts'
import { readEveryPage, type RowsRead } from './whole-lists.ts'

export type SweepFilter = NonNullable<RouteCall<typeof sweepsRoutes.listProjectSweeps>['query']>

/** Deposits arrive without anybody's press. */
const WATCH_MS = 15_000

/** What the addresses of each wallet hold, what can be done with it, and why no more. */
export function fundsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['sweeps', projectId, 'funds'],
    queryFn: ({ signal }) => readFunds(projectId, signal),
    refetchInterval: WATCH_MS,
  })
}

/** Reads what `fundsQuery` holds. @throws RequestError */
export function readFunds(projectId: string, signal: AbortSignal): Promise<readonly BalanceRow[]> {
  return call(sweepsRoutes.listAddressBalances, { params: { p: projectId } }, { signal })
}

/** How much waits, is on its way, and arrived within a day. */
export function sweepMetricsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['sweeps', projectId, 'metrics'],
    queryFn: ({ signal }) => call(sweepsRoutes.getSweepMetrics, { params: { p: projectId } }, { signal }),
    refetchInterval: WATCH_MS * 4,
  })
}

export type Holding = Pick<BalanceRow, 'walletID' | 'blockchainCode' | 'currencyCode'>

/** What a sweep of a wallet's asset would move, and its price; asked for again once the amount has changed. */
export function planQuery({ walletID, blockchainCode, currencyCode }: Holding, amount: string) {
  return queryOptions({
    queryKey: ['sweeps', 'plan', walletID, blockchainCode, currencyCode, amount],
    queryFn: ({ signal }) =>
      call(sweepsRoutes.planSweep, { body: { walletID, blockchainCode, currencyCode } }, { signal }),
    // A plan is a price: the one that is confirmed is asked for then.
    staleTime: WATCH_MS * 4,
    retry: false,
  })
}

/** A page of sweeps, newest first; the page before stays on screen while the next one loads. */
export function sweepsQuery(projectId: string, filter: SweepFilter) {
  return queryOptions({
    queryKey: ['sweeps', projectId, 'list', filter],
    queryFn: ({ signal }) =>
      call(sweepsRoutes.listProjectSweeps, { params: { p: projectId }, query: filter }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** Reads all pages of what a filter finds, up to 10,000. @throws RequestError */
export function readEverySweep(
  projectId: string,
  { cursor: _cursor, ...filter }: SweepFilter,
): Promise<RowsRead<Sweep>> {
  return readEveryPage((page) =>
    call(sweepsRoutes.listProjectSweeps, { params: { p: projectId }, query: { ...filter, ...page } }),
  )
}

/** One sweep with its addresses and transactions. */
export function sweepQuery(id: number) {
  return queryOptions({
    queryKey: ['sweeps', 'one', id],
    queryFn: ({ signal }) => call(sweepsRoutes.getSweep, { params: { id } }, { signal }),
    refetchInterval: WATCH_MS,
  })
}

/** Returns the functions that plan and start sweeps; a repetition after a lost answer starts nothing twice. @throws RequestError */
export function useSweepChanges() {
  const once = useChange('sweeps', 'wallets')
  return {
    plan: ({ walletID, blockchainCode, currencyCode }: Holding) =>
      call(sweepsRoutes.planSweep, { body: { walletID, blockchainCode, currencyCode } }),
    start: (planID: string) =>
      once(['start', planID], (idempotencyKey) =>
        call(sweepsRoutes.startSweep, { body: { planID } }, { idempotencyKey }),
      ),
    retry: (id: number, maxFee: string | null) =>
      once(['retry', id, maxFee], (idempotencyKey) =>
        call(sweepsRoutes.retrySweep, { params: { id }, body: { maxFee } }, { idempotencyKey }),
      ),
    record: (sweep: Pick<Sweep, 'id' | 'blockchainCode'>, txHash: string) =>
      once(['record', sweep.id, txHash], (idempotencyKey) =>
        call(
          sweepsRoutes.recordSweepTransaction,
          { params: { b: sweep.blockchainCode }, body: { sweepID: sweep.id, txHash } },
          { idempotencyKey },
        ),
      ),
  }
}

import { approvedSweepsRoutes, sweepApprovalsRoutes } from '@kassa/contract/sweeps/approval-routes.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'
import type { Holding } from './sweeps.ts'

export type Signatures = NonNullable<RouteCall<typeof sweepApprovalsRoutes.postSignatures>['body']>['signatures']

/** Transactions of approvals are mined without anybody's press. */
const WATCH_MS = 5_000

const on = ({ blockchainCode, currencyCode }: Holding) => ({ params: { b: blockchainCode, c: currencyCode } })
const keyOf = ({ walletID, blockchainCode, currencyCode }: Holding) => [
  'sweeps',
  'approvals',
  walletID,
  blockchainCode,
  currencyCode,
]

/** How far the addresses of an asset are, and the gas that their approvals take. */
export function approvalOverviewQuery(holding: Holding) {
  return queryOptions({
    queryKey: [...keyOf(holding), 'overview'],
    queryFn: ({ signal }) => call(sweepApprovalsRoutes.getApprovalOverview, on(holding), { signal }),
    refetchInterval: WATCH_MS,
  })
}

/** The addresses of a wallet that have not allowed their money to be moved, the richest first. */
export function pendingApprovalsQuery(holding: Holding, limit: number) {
  return queryOptions({
    queryKey: [...keyOf(holding), 'pending', limit],
    queryFn: ({ signal }) =>
      call(
        sweepApprovalsRoutes.listPendingApprovals,
        { ...on(holding), query: { walletID: holding.walletID, limit } },
        { signal },
      ),
    refetchInterval: WATCH_MS,
  })
}

/** The addresses of a wallet whose money may be moved, the richest first. */
export function approvedAddressesQuery(holding: Holding) {
  return queryOptions({
    queryKey: [...keyOf(holding), 'approved'],
    queryFn: ({ signal }) =>
      call(
        sweepApprovalsRoutes.listPendingApprovals,
        { ...on(holding), query: { walletID: holding.walletID, state: 'approved' } },
        { signal },
      ),
    refetchInterval: WATCH_MS,
  })
}

/** What the keys of a batch must sign: the file for the signer. */
export function signingJobQuery(holding: Holding, batchID: string) {
  return queryOptions({
    queryKey: [...keyOf(holding), 'job', batchID],
    queryFn: ({ signal }) =>
      call(sweepApprovalsRoutes.getSigningJob, { ...on(holding), query: { batchID } }, { signal }),
    retry: false,
  })
}

/** Returns the functions that approve addresses and sweep approved ones. @throws RequestError */
export function useApprovalChanges(holding: Holding) {
  const once = useChange('sweeps', 'wallets')
  return {
    request: (limit: number) =>
      once(['request', holding, limit], (idempotencyKey) =>
        call(
          sweepApprovalsRoutes.requestApprovals,
          { ...on(holding), body: { walletID: holding.walletID, limit } },
          { idempotencyKey },
        ),
      ),
    post: (batchID: string, signatures: Signatures) =>
      once(['post', batchID, signatures], (idempotencyKey) =>
        call(
          sweepApprovalsRoutes.postSignatures,
          { ...on(holding), body: { batchID, signatures } },
          { idempotencyKey },
        ),
      ),
    initiate: (addressIDs: number[], execute: boolean) =>
      once(['initiate', holding, addressIDs, execute], (idempotencyKey) =>
        call(approvedSweepsRoutes.initiateSweep, { ...on(holding), body: { addressIDs, execute } }, { idempotencyKey }),
      ),
    cancel: (sweepID: number) =>
      once(['cancel', sweepID], (idempotencyKey) =>
        call(approvedSweepsRoutes.cancelSweep, { ...on(holding), body: { sweepID } }, { idempotencyKey }),
      ),
  }
}

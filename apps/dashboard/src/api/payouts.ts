import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { payoutRequestRoutes } from '@kassa/contract/withdrawals/request-routes.ts'
import { payoutsRoutes } from '@kassa/contract/withdrawals/routes.ts'
import type { Withdrawal } from '@kassa/contract/withdrawals/schemas.ts'
import { queryOptions } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/navigation/current-project.ts'
import { call } from './client.ts'
import { type UndecidedKeys, useLastingChange } from './intent.ts'
import { pageBefore } from './page-before.ts'
import { readEveryPage, readWholeList, type RowsRead } from './whole-lists.ts'

export type PayoutFilter = NonNullable<RouteCall<typeof payoutsRoutes.listPayouts>['query']>
export type PayoutRows = NonNullable<RouteCall<typeof payoutRequestRoutes.createPayouts>['body']>['rows']
export type QuotedRows = NonNullable<RouteCall<typeof payoutRequestRoutes.quotePayouts>['body']>['rows']
export type NewPayoutRequest = NonNullable<RouteCall<typeof payoutRequestRoutes.createPayout>['body']>

/** What is waited for changes without anybody's press, and a message of it may be lost. */
const WATCH_MS = 15_000

const isOne = (projectId: string) => projectId !== ALL_PROJECTS && projectId !== ''

/** A page of payouts, newest first; the page before stays on screen while the next one loads. */
export function payoutsQuery(projectId: string, filter: PayoutFilter) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'list', filter],
    queryFn: ({ signal }) => call(payoutsRoutes.listPayouts, { params: { p: projectId }, query: filter }, { signal }),
    placeholderData: pageBefore(projectId),
    refetchInterval: WATCH_MS,
  })
}

/** Reads all pages of what a filter finds, up to 10,000. @throws RequestError */
export function readEveryPayout(
  projectId: string,
  { cursor: _cursor, ...filter }: PayoutFilter,
): Promise<RowsRead<Withdrawal>> {
  return readEveryPage((page) =>
    call(payoutsRoutes.listPayouts, { params: { p: projectId }, query: { ...filter, ...page } }),
  )
}

/** One payout: where it is, and why it waits. */
export function payoutQuery(projectId: string, id: number) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'one', id],
    queryFn: ({ signal }) => call(payoutsRoutes.getPayout, { params: { p: projectId, id: String(id) } }, { signal }),
    refetchInterval: WATCH_MS,
  })
}

/** How many payouts wait and were sent, and how much of the limits is used. */
export function payoutMetricsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'metrics'],
    queryFn: ({ signal }) => call(payoutsRoutes.getPayoutMetrics, { params: { p: projectId } }, { signal }),
    refetchInterval: WATCH_MS * 4,
  })
}

/** What the hot wallets hold for payouts. */
export function payoutBalancesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'balances'],
    queryFn: ({ signal }) => call(payoutsRoutes.listPayoutBalances, { params: { p: projectId } }, { signal }),
    enabled: isOne(projectId),
  })
}

/** Every recipient of a project, by name. */
export function payableRecipientsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['recipients', projectId, 'payable'],
    queryFn: ({ signal }) =>
      readWholeList(async (page) => {
        const query = { ...page, sortBy: 'name', order: 'asc' }
        const params = { p: projectId }
        return (await call(recipientsRoutes.listRecipientsOfProject, { params, query }, { signal })).recipients
      }),
    enabled: isOne(projectId),
  })
}

/** When money may leave a project: what a new payout is held against before it is asked for. */
export function payoutRulesQuery(projectId: string) {
  return queryOptions({
    queryKey: ['payout-policy', projectId, 'rules'],
    queryFn: ({ signal }) => call(payoutPolicyRoutes.getPayoutConfig, { params: { p: projectId } }, { signal }),
    enabled: isOne(projectId),
  })
}

/** What payouts would cost, need and wait for if they were requested now; the answer before stays while the next one comes. */
export function payoutQuoteQuery(projectId: string, rows: QuotedRows) {
  return queryOptions({
    queryKey: ['withdrawals', projectId, 'quote', rows],
    queryFn: ({ signal }) =>
      call(payoutRequestRoutes.quotePayouts, { params: { p: projectId }, body: { rows } }, { signal }),
    placeholderData: pageBefore(projectId),
    retry: false,
    enabled: isOne(projectId) && rows.length > 0,
  })
}

/** Of this tab, because the dialog in which the answer was lost is often closed to look at the list. */
const undecided: UndecidedKeys = new Map()

/**
 * Returns the functions that ask for payouts and decide about them; a repetition after a lost answer does nothing twice, also
 * in a dialog that was closed meanwhile.
 */
export function usePayoutChanges() {
  const once = useLastingChange(undecided, 'withdrawals', 'payments')
  const on = (id: number) => ({ params: { id: String(id) } })
  return {
    create: (projectId: string, body: NewPayoutRequest) =>
      once(['create', projectId, body], (idempotencyKey) =>
        call(payoutRequestRoutes.createPayout, { params: { p: projectId }, body }, { idempotencyKey }),
      ),
    /** Requests a list, all or none. */
    createAll: (projectId: string, rows: PayoutRows) =>
      once(['create', projectId, rows], (idempotencyKey) =>
        call(payoutRequestRoutes.createPayouts, { params: { p: projectId }, body: { rows } }, { idempotencyKey }),
      ),
    approve: (id: number, digest: string) =>
      once(['approve', id, digest], (idempotencyKey) =>
        call(payoutsRoutes.approvePayout, { ...on(id), body: {} }, { idempotencyKey }),
      ),
    /** Approves several with one confirmation, all of them or none. */
    approveAll: (payouts: readonly Pick<Withdrawal, 'id' | 'digest'>[]) =>
      once(['approve', payouts.map(({ id, digest }) => [id, digest])], (idempotencyKey) =>
        call(payoutsRoutes.approvePayouts, { body: { ids: payouts.map(({ id }) => id) } }, { idempotencyKey }),
      ),
    reject: (id: number, reason: string) =>
      once(['reject', id, reason], (idempotencyKey) =>
        call(payoutsRoutes.rejectPayout, { ...on(id), body: { reason } }, { idempotencyKey }),
      ),
    cancel: (id: number, reason: string) =>
      once(['cancel', id, reason], (idempotencyKey) =>
        call(payoutsRoutes.cancelPayout, { ...on(id), body: { reason } }, { idempotencyKey }),
      ),
    retry: (id: number, maxFee: string | null) =>
      once(['retry', id, maxFee], (idempotencyKey) =>
        call(payoutsRoutes.retryPayout, { ...on(id), body: { maxFee } }, { idempotencyKey }),
      ),
  }
}

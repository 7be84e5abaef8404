import type { PublicAsset } from '@kassa/contract/blockchains/schemas.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import type { PaymentCreated, PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/navigation/current-project.ts'
import { publicAssetsQuery } from './blockchains.ts'
import { call } from './client.ts'
import { useChange, useIntent } from './intent.ts'
import { pageBefore } from './page-before.ts'

export type PaymentFilter = NonNullable<RouteCall<typeof paymentsRoutes.searchProjectPayments>['body']>

/** What an operator asks for when making a link. */
export type NewPaymentLink = NonNullable<RouteCall<typeof paymentsRoutes.createProjectPayment>['body']>

/** How many payments of a project are open, closed and cancelled. */
export function paymentSummaryQuery(projectId: string) {
  return queryOptions({
    queryKey: ['payments', projectId, 'summary'],
    queryFn: ({ signal }) =>
      call(paymentsRoutes.summarizeProjectPayments, { params: { p: projectId }, query: {} }, { signal }),
  })
}

/** A page of payments with the columns the server names; the page before stays on screen while the next one loads. */
export function paymentsQuery(projectId: string, filter: PaymentFilter) {
  return queryOptions({
    queryKey: ['payments', projectId, 'search', filter],
    queryFn: ({ signal }) =>
      call(paymentsRoutes.searchProjectPayments, { params: { p: projectId }, body: filter }, { signal }),
    placeholderData: pageBefore(projectId),
  })
}

/** How many payments need attention: as many as the view of that name lists. */
export function attentionCountQuery(projectId: string) {
  return queryOptions({
    queryKey: ['payments', projectId, 'attention'],
    queryFn: async ({ signal }) => {
      const body = { paymentStatus: ['NEEDS_ATTENTION'], limit: 1 }
      return (await call(paymentsRoutes.searchProjectPayments, { params: { p: projectId }, body }, { signal }))
        .totalCount
    },
  })
}

/** How many payments match a filter, by estimate where there are very many. @throws RequestError */
export async function countPayments(projectId: string, filter: PaymentFilter, signal: AbortSignal): Promise<number> {
  const body = { ...filter, limit: 1 }
  return (await call(paymentsRoutes.searchProjectPayments, { params: { p: projectId }, body }, { signal })).totalCount
}

/** Why payments need attention, and the state under which exactly those are listed. */
export const ATTENTION_REASONS = {
  short: 'SHORT_NEEDS_ATTENTION',
  over: 'OVER_NEEDS_ATTENTION',
  late: 'LATE_NEEDS_ATTENTION',
} as const

/** One payment from creation to webhook. */
export function paymentQuery(projectId: string, reference: string) {
  return queryOptions({
    queryKey: ['payments', projectId, 'detail', reference],
    queryFn: ({ signal }) => call(paymentsRoutes.getPayment, { params: { p: projectId, ref: reference } }, { signal }),
  })
}

/** Whether a project can take payments, and what is missing; there is no answer for all projects at once. */
export function readinessQuery(projectId: string) {
  return queryOptions({
    queryKey: ['readiness', projectId],
    queryFn: ({ signal }) => call(paymentsRoutes.getReadiness, { params: { p: projectId } }, { signal }),
    enabled: projectId !== ALL_PROJECTS && projectId !== '',
  })
}

/** The currencies a link of this project can ask for right now: the visible ones on networks that are ready. */
export function payableAssetsQuery(projectId: string) {
  return queryOptions({
    queryKey: ['readiness', projectId, 'assets'],
    queryFn: async ({ client }): Promise<PublicAsset[]> => {
      const [{ chains }, assets] = await Promise.all([
        client.query(readinessQuery(projectId)),
        client.query(publicAssetsQuery),
      ])
      const ready = new Set(chains.filter((chain) => chain.ready).map(({ blockchainCode }) => blockchainCode))
      return assets.filter(({ blockchainCode }) => ready.has(blockchainCode))
    },
    enabled: projectId !== ALL_PROJECTS && projectId !== '',
  })
}

/** Returns the function that makes a payment link; a repetition after a lost answer makes no second one. @throws RequestError */
export function useCreatePayment(): (projectId: string, link: NewPaymentLink) => Promise<PaymentCreated> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (projectId, link) => {
    const created = await intent({ projectId, link }, (idempotencyKey) =>
      call(paymentsRoutes.createProjectPayment, { params: { p: projectId }, body: link }, { idempotencyKey }),
    )
    void queryClient.invalidateQueries({ queryKey: ['payments'] })
    void queryClient.invalidateQueries({ queryKey: ['customers'] })
    return created
  }
}

/** Which payment a call is about. */
export type PaymentName = Pick<PaymentDetail, 'externalPlatformID' | 'referenceID'>

/** Returns the function that mails the customer of an open link its reminder now. @throws RequestError */
export function useRemindCustomer(): (payment: PaymentName) => Promise<void> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async ({ externalPlatformID, referenceID }) => {
    const params = { p: String(externalPlatformID), ref: referenceID }
    await intent(params, (idempotencyKey) => call(paymentsRoutes.remindCustomer, { params }, { idempotencyKey }))
    void queryClient.invalidateQueries({ queryKey: ['payments'] })
  }
}

/** A later end of a link, in minutes from now or as a time. */
export type LaterEnd = RouteCall<typeof paymentsRoutes.extendPayment>['body']

/** Returns the function that moves the end of an open link to a later time. @throws RequestError */
export function useExtendPayment(): (payment: PaymentName, body: LaterEnd) => Promise<PaymentDetail> {
  const change = useChange('payments')
  return ({ externalPlatformID, referenceID }, body) => {
    const params = { p: String(externalPlatformID), ref: referenceID }
    return change({ params, body }, (idempotencyKey) =>
      call(paymentsRoutes.extendPayment, { params, body }, { idempotencyKey }),
    )
  }
}

/** Returns the function that ends an open link; every screen then shows it ended. @throws RequestError */
export function useCancelPayment(): (payment: PaymentName) => Promise<void> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async ({ externalPlatformID, referenceID }) => {
    const params = { p: String(externalPlatformID), ref: referenceID }
    try {
      await intent(params, (idempotencyKey) =>
        call(paymentsRoutes.cancelPayment, { params, body: {} }, { idempotencyKey }),
      )
    } finally {
      // A refusal means that the screen was out of date.
      void queryClient.invalidateQueries({ queryKey: ['payments'] })
    }
  }
}

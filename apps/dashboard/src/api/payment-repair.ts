import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import type { RouteCall, RouteOutput } from '@kassa/contract/kit/route.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import type { Resolution } from '@kassa/contract/payments/resolution.ts'
import { useQueryClient } from '@tanstack/react-query'

import { ALL_PROJECTS } from '../lib/navigation/current-project.ts'
import { call } from './client.ts'
import { useIntent } from './intent.ts'

/** Which payment a decision is about. */
export type PaymentKey = { readonly externalPlatformID: number; readonly referenceID: string }

export type TransactionQuestion = NonNullable<RouteCall<typeof paymentRepairRoutes.findMissedDeposit>['body']>
export type TransactionAnswer = RouteOutput<typeof paymentRepairRoutes.findMissedDeposit>

const paramsOf = ({ externalPlatformID, referenceID }: PaymentKey) => ({
  p: String(externalPlatformID),
  ref: referenceID,
})

/** Returns the function that decides what the rules leave open; every screen then shows it. @throws RequestError */
export function useResolvePayment(): (payment: PaymentKey, resolution: Resolution) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshPayments()
  return async (payment, body) => {
    const params = paramsOf(payment)
    try {
      await intent({ params, body }, (idempotencyKey) =>
        call(paymentRepairRoutes.resolvePayment, { params, body }, { idempotencyKey }),
      )
    } finally {
      // A refusal means that the screen was out of date.
      refresh()
    }
  }
}

/** Returns the function that declines the claim an operator looked at; the payer reads the note. @throws RequestError */
export function useDeclineClaim(): (payment: PaymentKey, claimID: number, note: string) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshPayments()
  return async (payment, claimID, note) => {
    const params = paramsOf(payment)
    const body = { claimID, note }
    try {
      await intent({ params, body }, (idempotencyKey) =>
        call(paymentRepairRoutes.declineRefundClaim, { params, body }, { idempotencyKey }),
      )
    } finally {
      // A refusal means that the screen was out of date.
      refresh()
    }
  }
}

/** Returns the function that applies an unapplied deposit to a payment of the same customer. @throws RequestError */
export function useAssignDeposit(): (deposit: Pick<Deposit, 'id'>, referenceID: string, note: string) => Promise<void> {
  const intent = useIntent()
  const refresh = useRefreshPayments()
  return async ({ id }, referenceID, note) => {
    const body = { referenceID, ...(note !== '' && { note }) }
    try {
      await intent({ id, body }, (idempotencyKey) =>
        call(paymentRepairRoutes.assignDeposit, { params: { id }, body }, { idempotencyKey }),
      )
    } finally {
      refresh()
    }
  }
}

/** Returns the function that tells the shop once more how a payment stands, and to how many endpoints it goes. @throws RequestError */
export function useResendWebhook(): (payment: PaymentKey) => Promise<number> {
  const intent = useIntent()
  const refresh = useRefreshPayments()
  return async (payment) => {
    const params = paramsOf(payment)
    const { deliveries } = await intent(params, (idempotencyKey) =>
      call(paymentRepairRoutes.resendPaymentWebhook, { params, body: {} }, { idempotencyKey }),
    )
    refresh()
    return deliveries.length
  }
}

/** Returns the function that reads one transaction from its blockchain again. @throws RequestError */
export function useFindTransaction(): (projectId: string, body: TransactionQuestion) => Promise<TransactionAnswer> {
  const refresh = useRefreshPayments()
  return async (projectId, body) => {
    // Asked about in all projects, the question names none.
    const params = projectId === ALL_PROJECTS ? {} : { p: projectId }
    const answer = await call(paymentRepairRoutes.findMissedDeposit, { params, body })
    refresh()
    return answer
  }
}

function useRefreshPayments(): () => void {
  const queryClient = useQueryClient()
  return () => void queryClient.invalidateQueries({ queryKey: ['payments'] })
}

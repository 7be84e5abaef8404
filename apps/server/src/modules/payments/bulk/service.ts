/** Bulk actions: what can be done to many payments at once. */
import { paymentBulkActions } from '@kassa/contract/payments/bulk-actions.ts'
import type { PaymentSearch } from '@kassa/contract/payments/inputs.ts'

import type { Context } from '../../../context.ts'
import { bulkAction, type BulkAction, type SelectedRows } from '../../bulk-jobs/service.ts'
import { cancelPayment } from '../lifecycle/service.ts'
import { createPayment } from '../lifecycle/create-payment.ts'
import type { Payment } from '../payment/payment.ts'
import { resendState } from '../resolution/resend-webhook.ts'
import { findReferences } from '../search/search-payments.ts'
import { markResolved } from '../resolution/mark-resolved.ts'
import { getInScope } from '../payment/service.ts'

/** What can be done to many payments at once; bulk jobs run them. */
export const paymentsBulkActions: readonly BulkAction[] = [
  bulkAction(paymentBulkActions.create, {
    run: async (ctx, projectId, row) => {
      const { payment, url } = await createPayment(ctx, projectId, { ...row, replace: row.replace ?? false })
      return { referenceID: payment.reference, url }
    },
  }),

  bulkAction(paymentBulkActions.cancel, {
    run: async (ctx, projectId, { referenceID, reason }) => {
      await cancelPayment(ctx, await ofProject(ctx, projectId, referenceID), reason || null)
      return {}
    },
    select: selectPayments,
  }),

  bulkAction(paymentBulkActions.resendWebhook, {
    run: async (ctx, projectId, { referenceID }) => {
      const deliveries = await resendState(ctx, await ofProject(ctx, projectId, referenceID), null)
      return { endpoints: deliveries.length }
    },
    select: selectPayments,
  }),

  bulkAction(paymentBulkActions.markResolved, {
    run: async (ctx, projectId, { referenceID, note }) => {
      await markResolved(ctx, await ofProject(ctx, projectId, referenceID), note)
      return {}
    },
    select: selectPayments,
  }),
]

/** A payment of the job's own project. @throws PAYMENT_NOT_FOUND */
function ofProject(ctx: Context, projectId: number, reference: string): Promise<Payment> {
  return getInScope(ctx, { projectId, projectIds: [projectId] }, reference)
}

/** The newest payments of a project that match a filter. @throws FILTER_INVALID */
async function selectPayments(
  ctx: Context,
  projectId: number,
  input: PaymentSearch,
  most: number,
): Promise<SelectedRows> {
  const found = await findReferences(ctx, projectId, input, most + 1)
  return { rows: found.slice(0, most).map((referenceID) => ({ referenceID })), isTruncated: found.length > most }
}

import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'
import type { Context } from '../../../context.ts'
import { resendCurrent } from '../../webhooks/deliveries/service.ts'
import { withAttempts } from '../../webhooks/record/service.ts'
import type { Payment } from '../payment/payment.ts'

/**
 * Sends the current state of a payment once more, as deliveries with an id that receivers have not seen.
 * @throws WEBHOOK_NOT_FOUND
 */
export async function resendState(
  ctx: Context,
  { reference, project }: Payment,
  webhookId: number | null,
): Promise<Delivery[]> {
  const ask = { projectId: project.id, referenceId: reference, ...(webhookId !== null && { webhookId }) }
  return withAttempts(ctx, await resendCurrent(ctx, ask))
}

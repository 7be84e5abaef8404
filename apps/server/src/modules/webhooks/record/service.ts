/** Records: endpoints, deliveries and their attempts, looked up within a project. */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Delivery } from '@kassa/contract/webhooks/schemas.ts'

import type { Context } from '../../../context.ts'
import { type DeliveryRow, findDelivery, findWebhookRow, listAttempts, type WebhookRow } from './store.ts'
import { deliveryView } from './view.ts'
import { deliveryWait } from './wait-rules.ts'
import { listWaitFacts } from './wait-store.ts'

/** An endpoint of these projects. @throws WEBHOOK_NOT_FOUND */
export async function getWebhook(
  ctx: Context,
  projectIds: readonly number[] | 'every',
  id: number,
): Promise<WebhookRow> {
  const row = await findWebhookRow(ctx, id)
  if (!row || (projectIds !== 'every' && !projectIds.includes(row.project_id))) return fail('WEBHOOK_NOT_FOUND')
  return row
}

/** A delivery to the endpoint, by its own id or its event's. @throws DELIVERY_NOT_FOUND */
export async function getDelivery(ctx: Context, webhook: WebhookRow, id: string): Promise<DeliveryRow> {
  return (await findDelivery(ctx, webhook.id, id)) ?? fail('DELIVERY_NOT_FOUND')
}

/** Deliveries with their attempts and what each waits for, in the order given. */
export async function withAttempts(ctx: Context, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const attempts = await listAttempts(
    ctx,
    rows.map(({ id }) => id),
  )
  const pending = rows.filter(({ status }) => status === 'pending')
  const facts = await listWaitFacts(
    ctx,
    pending.map(({ id }) => id),
  )
  return rows.map((row) => deliveryView(row, attempts, deliveryWait(row, facts.get(row.id), ctx.now())))
}

/** Wakes the workers, after commit, because deliveries of the project are due; only this announcement wakes them. */
export function announceDue(ctx: Context, projectId: number): void {
  ctx.events.announce(ctx, { name: 'delivery.changed', projectId, data: { isDue: true } })
}

import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { getProject } from '../../projects/service.ts'
import { discardPending } from '../record/attempt-store.ts'
import { ALARM_AFTER_MS } from '../record/rules.ts'
import { listFailing, moveGone, type WebhookRow } from '../record/store.ts'

/** What an alarm about an endpoint is called: its host, and its id because a host may have several. */
export function alarmSubject({ id, url }: Pick<WebhookRow, 'id' | 'url'>): string {
  return `${URL.parse(url)?.host ?? url} (webhook ${id})`
}

/** Raises the alarm of every endpoint that has done nothing but fail for a while (decision 0014). Nothing is switched off. */
export async function checkHealth(ctx: Context): Promise<void> {
  const since = new Date(ctx.now().getTime() - ALARM_AFTER_MS)
  for (const webhook of await listFailing(ctx, since)) {
    const subject = alarmSubject(webhook)
    const { name } = await getProject(ctx, webhook.project_id)
    await inTransaction(ctx, (inner) =>
      raiseAlarm(inner, {
        kind: 'endpoint_failing',
        subject,
        text: `${subject} of ${name} has accepted nothing for 15 minutes or longer: the shop is not told. Correct the receiver. What waits is tried again for days, and can be sent again at once.`,
      }),
    )
  }
}

/** Ends the alarm of an endpoint that accepts again. */
export async function endFailing(ctx: Context, webhook: WebhookRow): Promise<void> {
  await clearAlarm(ctx, { kind: 'endpoint_failing', subject: alarmSubject(webhook) })
}

/**
 * Switches off an endpoint that said it is gone (410); what waited for it is discarded. One that somebody moved, switched off
 * or deleted meanwhile is not the one that said so. Joins the open transaction.
 */
export async function disableGone(ctx: Context, webhook: WebhookRow): Promise<void> {
  if (!(await moveGone(ctx, webhook))) return
  await discardPending(ctx, webhook.id)
  const subject = alarmSubject(webhook)
  await raiseAlarm(ctx, {
    kind: 'endpoint_gone',
    subject,
    text: `${subject} answered 410 Gone and was switched off. Switch it on again, or delete it, when it is known why.`,
  })
  const payload = { webhook_id: webhook.id }
  await ctx.events.emit(ctx, { type: 'webhook.changed', projectId: webhook.project_id, payload })
}

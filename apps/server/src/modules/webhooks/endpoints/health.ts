import type { Context } from '../../../context.ts'
import { inTransaction } from '../../../context.ts'
import { clearAlarm, raiseAlarm } from '../../alarms/service.ts'
import { acceptsEmails } from '../../mail/service.ts'
import { getProject } from '../../projects/service.ts'
import { discardPending } from '../record/attempt-store.ts'
import { ALARM_AFTER_MS, FAILING_AFTER_MS } from '../record/rules.ts'
import { listFailing, markFailingMailed, moveToDisabled, type WebhookRow } from '../record/store.ts'
import { mailEndpointFailing, mailEndpointGone } from './emails.ts'

/** The subject of an alarm about an endpoint: its host, and its id because a host may have several. */
export function alarmSubject({ id, url }: Pick<WebhookRow, 'id' | 'url'>): string {
  return `${URL.parse(url)?.host ?? url} (webhook ${id})`
}

/** Raises the alarm of every endpoint that has only failed for a while (decision 0014). It disables none. */
export async function checkHealth(ctx: Context): Promise<void> {
  const since = new Date(ctx.now().getTime() - ALARM_AFTER_MS)
  for (const webhook of await listFailing(ctx, since)) {
    const subject = alarmSubject(webhook)
    const { name } = await getProject(ctx, webhook.project_id)
    await inTransaction(ctx, (tx) =>
      raiseAlarm(tx, {
        kind: 'endpoint_failing',
        subject,
        params: { endpoint: subject, projectName: name, minutes: ALARM_AFTER_MS / 60_000 },
      }),
    )
  }
}

/** Sends one mail about every endpoint that has only failed for days; where no mail leaves, it waits until one can. */
export async function mailFailing(ctx: Context): Promise<void> {
  if (!(await acceptsEmails(ctx))) return
  const since = new Date(ctx.now().getTime() - FAILING_AFTER_MS)
  await inTransaction(ctx, async (tx) => {
    for (const webhook of await markFailingMailed(tx, since)) await mailEndpointFailing(tx, webhook)
  })
}

/** Clears the alarm of an endpoint that accepts again. */
export async function endFailing(ctx: Context, webhook: WebhookRow): Promise<void> {
  await clearAlarm(ctx, { kind: 'endpoint_failing', subject: alarmSubject(webhook) })
}

/**
 * Disables an endpoint that returned 410 Gone and discards its waiting deliveries. An endpoint that was moved, switched off
 * or deleted meanwhile is left alone, because the answer was not its own. Joins the open transaction.
 */
export async function disableGone(ctx: Context, webhook: WebhookRow): Promise<void> {
  if (!(await moveToDisabled(ctx, webhook))) return
  await discardPending(ctx, webhook.id)
  const subject = alarmSubject(webhook)
  await raiseAlarm(ctx, {
    kind: 'endpoint_gone',
    subject,
    params: { endpoint: subject },
  })
  await mailEndpointGone(ctx, webhook)
  const payload = { webhook_id: webhook.id }
  await ctx.events.emit(ctx, { type: 'webhook.changed', projectId: webhook.project_id, payload })
}

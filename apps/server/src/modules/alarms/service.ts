/** Alarms: what needs a person. One per kind and subject is open at a time; what ends by itself is closed by itself. */
import { HOW_ALARMS_END } from '@kassa/contract/alarms/ending.ts'
import type { Alarm, AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'

import { actorOf, type Context, inTransaction } from '../../context.ts'
import { alarmsRaised } from '../../metrics/registry.ts'
import { closeAlarm, findOpenAlarm, listOpenAlarms, upsertAlarm } from './store.ts'

type Subject = {
  readonly kind: AlarmKind
  /** A blockchain's code, an asset, a host name: never customer data. */
  readonly subject: string
}

/**
 * Raises an alarm, or renews the text of the one that is open. Joins the open transaction; open screens are notified after
 * commit. `text` says what is wrong and what to do next.
 */
export async function raiseAlarm(ctx: Context, alarm: Subject & { readonly text: string }): Promise<void> {
  const { isNew } = await upsertAlarm(ctx, alarm)
  if (!isNew) return
  alarmsRaised.inc({ kind: alarm.kind })
  ctx.log.error({ alarm: alarm.kind, subject: alarm.subject }, alarm.text)
  announce(ctx, 'alarm.raised', alarm)
}

/** Closes the alarm of a subject; nothing happens when none is open. */
export async function clearAlarm(ctx: Context, alarm: Subject): Promise<void> {
  if (!(await closeAlarm(ctx, alarm))) return
  ctx.log.info({ alarm: alarm.kind, subject: alarm.subject }, 'the alarm is over')
  announce(ctx, 'alarm.cleared', alarm)
}

/**
 * Closes an alarm because a person has seen to it.
 * @throws ALARM_NOT_FOUND when it is not open any more
 * @throws ALARM_ENDS_BY_ITSELF with how it ends
 */
export async function clearByPerson(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const alarm = (await findOpenAlarm(tx, id)) ?? fail('ALARM_NOT_FOUND')
    const details = HOW_ALARMS_END[alarm.kind]
    if (details !== null) fail('ALARM_ENDS_BY_ITSELF', { details })
    tx.log.info({ alarm: alarm.kind, subject: alarm.subject, by: actorOf(tx.caller) }, 'a person closes the alarm')
    await clearAlarm(tx, alarm)
  })
}

/** What needs a person now, oldest first. */
export async function openAlarms(ctx: Context): Promise<Alarm[]> {
  const rows = await listOpenAlarms(ctx)
  return rows.map(({ id, kind, subject, text, raised_at: since }) => ({ id, kind, subject, text, since }))
}

function announce(ctx: Context, name: string, { kind, subject }: Subject): void {
  ctx.events.announce(ctx, { name, projectId: null, data: { kind, subject } })
}

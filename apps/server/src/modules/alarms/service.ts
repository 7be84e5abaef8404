/** Alarms: conditions that need a person. At most one per kind and subject is open; it is cleared when its cause ends. */
import { type AlarmParams, ALARMS } from '@kassa/contract/alarms/catalogue.ts'
import type { Alarm, AlarmKind } from '@kassa/contract/alarms/schemas.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Catalogue, readCause, textOf } from '@kassa/contract/kit/reason.ts'

import { actorOf, type Context, inTransaction } from '../../context.ts'
import { alarmsRaised } from '../../metrics/registry.ts'
import { closeAlarm, findOpenAlarm, listOpenAlarms, upsertAlarm } from './store.ts'
import type { AlarmRow } from './tables.ts'

/** The catalogue of alarms, without the types of single kinds. */
const catalogue: Catalogue = ALARMS

type Subject = {
  readonly kind: AlarmKind
  /** A blockchain's code, an asset, a host name: never customer data. */
  readonly subject: string
}

/** What happened, as the parameters of its kind. */
export type NewAlarm = {
  [Kind in AlarmKind]: {
    readonly kind: Kind
    readonly subject: string
    readonly params: AlarmParams<Kind>
  }
}[AlarmKind]

/**
 * Raises an alarm, or updates the parameters of the open one. Joins the open transaction; open screens are notified after
 * commit. The contract's catalogue of alarms has its text.
 */
export async function raiseAlarm(ctx: Context, alarm: NewAlarm): Promise<void> {
  const text = textOf(catalogue, { code: alarm.kind, params: alarm.params as never })
  const { isNew } = await upsertAlarm(ctx, { ...alarm, text })
  if (!isNew) return
  alarmsRaised.inc({ kind: alarm.kind })
  ctx.log.error({ alarm: alarm.kind, subject: alarm.subject }, text)
  announce(ctx, 'alarm.raised', alarm)
}

/** Closes the alarm of a subject; does nothing when none is open. */
export async function clearAlarm(ctx: Context, alarm: Subject): Promise<void> {
  if (!(await closeAlarm(ctx, alarm))) return
  ctx.log.info({ alarm: alarm.kind, subject: alarm.subject }, 'the alarm is over')
  announce(ctx, 'alarm.cleared', alarm)
}

/**
 * Closes an alarm because a person has handled it.
 * @throws ALARM_NOT_FOUND when it is not open any more
 * @throws ALARM_ENDS_BY_ITSELF with how it ends
 */
export async function clearByPerson(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const alarm = (await findOpenAlarm(tx, id)) ?? fail('ALARM_NOT_FOUND')
    const details = catalogue[alarm.kind]?.ends
    if (details !== undefined) fail('ALARM_ENDS_BY_ITSELF', { details })
    tx.log.info({ alarm: alarm.kind, subject: alarm.subject, by: actorOf(tx.caller) }, 'a person closes the alarm')
    await clearAlarm(tx, alarm)
  })
}

/** What needs a person now, oldest first. */
export async function openAlarms(ctx: Context): Promise<Alarm[]> {
  const rows = await listOpenAlarms(ctx)
  return rows.map(alarmView)
}

/** Prints the sentence from the parameters; for parameters of another version, the sentence as it was stored. */
function alarmView({ id, kind, subject, params: stored, text, raised_at: since }: AlarmRow): Alarm {
  const cause = readCause(catalogue, kind, stored)
  if (cause === null) return { id, kind, subject, params: null, text, since }
  return { id, kind, subject, params: cause.params, text: textOf(catalogue, cause), since }
}

function announce(ctx: Context, name: string, { kind, subject }: Subject): void {
  ctx.events.announce(ctx, { name, projectId: null, data: { kind, subject } })
}

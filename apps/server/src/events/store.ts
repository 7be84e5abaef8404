import { sql } from 'kysely'

import { actorOf, type Context, type NewEvent, type StoredEvent } from '../context.ts'

type EventTables = {
  events: {
    id: bigint
    event_id: string
    type: string
    project_id: number | null
    order_key: string | null
    sequence: number | null
    reference_id: string | null
    actor: string
    payload: unknown
    created_at: Date
  }
}

const tables = (ctx: Context) => ctx.db.$extendTables<EventTables>()

export async function insertEvent(ctx: Context, event: NewEvent, eventId: string): Promise<StoredEvent> {
  const createdAt = ctx.now()
  const actor = actorOf(ctx.caller)
  const row = await tables(ctx)
    .insertInto('events')
    .values({
      event_id: eventId,
      type: event.type,
      project_id: event.projectId,
      order_key: event.orderKey ?? null,
      sequence: event.sequence ?? null,
      reference_id: event.referenceId ?? null,
      actor,
      payload: JSON.stringify(event.payload),
      created_at: createdAt,
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { ...event, id: row.id, eventId, actor, createdAt }
}

/** Tells listeners of all processes after commit; PostgreSQL drops it when the transaction rolls back. */
export async function notify(ctx: Context, channel: string, payload: string): Promise<void> {
  await sql`SELECT pg_notify(${channel}, ${payload})`.execute(ctx.db)
}

import { type RawBuilder, sql } from 'kysely'

import type { Context, EventRow, StoredEvent } from '../context.ts'
import type { Db } from '../db/database.ts'
import { rowsInto } from '../db/recordset.ts'

/** Stores events in the order given, which is that of their ids. */
export async function insertEvents(ctx: Context, events: readonly EventRow[]): Promise<StoredEvent[]> {
  const { rows } = await insertEventRows(events).execute(ctx.db)
  const ids = new Map(rows.map((row) => [row.event_id, row.id]))
  return events.map((event) => {
    const id = ids.get(event.eventId)
    if (id === undefined) throw new Error(`The event ${event.eventId} was not stored`)
    return { ...event, id }
  })
}

/** The statement that stores events, for callers that make it part of their own. */
export function insertEventRows(events: readonly EventRow[]): RawBuilder<{ id: bigint; event_id: string }> {
  const rows = events.map((event) => ({
    event_id: event.eventId,
    type: event.type,
    project_id: event.projectId,
    order_key: event.orderKey ?? null,
    sequence: event.sequence ?? null,
    reference_id: event.referenceId ?? null,
    actor: event.actor,
    payload: event.payload,
    created_at: event.createdAt,
  }))
  return sql`INSERT INTO ${rowsInto('events', rows)} RETURNING id, event_id`
}

/** Notifies the listeners of all processes. Never in the transaction of a change: see 0023. */
export async function notifyAll(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await sql`SELECT pg_notify(${channel}, payload) FROM unnest(${payloads}::text[]) AS payload`.execute(db)
}

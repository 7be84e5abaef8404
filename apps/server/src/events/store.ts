import { type RawBuilder, sql } from 'kysely'

import { actorOf, type Context, type NewEvent, type StoredEvent } from '../context.ts'
import type { Db } from '../db/database.ts'
import { rowsInto } from '../db/recordset.ts'

type IdentifiedEvent = NewEvent & { readonly eventId: string }

/** Stores events in the order given, which is that of their ids. */
export async function insertEvents(ctx: Context, events: readonly IdentifiedEvent[]): Promise<StoredEvent[]> {
  const createdAt = ctx.now()
  const { rows } = await insertStatement(ctx, events, createdAt).execute(ctx.db)
  const ids = new Map(rows.map((row) => [row.event_id, row.id]))
  return events.map((event) => {
    const id = ids.get(event.eventId)
    if (id === undefined) throw new Error(`The event ${event.eventId} was not stored`)
    return { ...event, id, actor: actorOf(ctx.caller), createdAt }
  })
}

/**
 * The statement that stores an event, for a caller who makes it part of one of their own, and what is stored under the id that
 * it gives.
 */
export function prepareEvent(
  ctx: Context,
  event: IdentifiedEvent,
): { insert: RawBuilder<unknown>; storedAs: (id: bigint) => StoredEvent } {
  const createdAt = ctx.now()
  return {
    insert: insertStatement(ctx, [event], createdAt),
    storedAs: (id) => ({ ...event, id, actor: actorOf(ctx.caller), createdAt }),
  }
}

function insertStatement(
  ctx: Context,
  events: readonly IdentifiedEvent[],
  createdAt: Date,
): RawBuilder<{ id: bigint; event_id: string }> {
  const actor = actorOf(ctx.caller)
  const rows = events.map((event) => ({
    event_id: event.eventId,
    type: event.type,
    project_id: event.projectId,
    order_key: event.orderKey ?? null,
    sequence: event.sequence ?? null,
    reference_id: event.referenceId ?? null,
    actor,
    payload: event.payload,
    created_at: createdAt,
  }))
  return sql`INSERT INTO ${rowsInto('events', rows)} RETURNING id, event_id`
}

/** Notifies the listeners of all processes. Never in the transaction of a change: see 0023. */
export async function notifyAll(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await sql`SELECT pg_notify(${channel}, payload) FROM unnest(${payloads}::text[]) AS payload`.execute(db)
}

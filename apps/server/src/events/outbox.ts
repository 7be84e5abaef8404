import { randomBytes } from 'node:crypto'

import type { EventType } from '@kassa/contract/webhooks/events.ts'

import {
  actorOf,
  type Announcement,
  type Context,
  type EventRow,
  type Events,
  type NewEvent,
  type StoredEvent,
} from '../context.ts'
import { requirePublishable } from './publisher.ts'
import { insertEvents } from './store.ts'

/** Makes the id that receivers know an event by. */
export function newEventId(): string {
  return `evt_${randomBytes(16).toString('base64url')}`
}

export type Subscriber = {
  /** The whole type, or the noun in front of the dot; absent: every event. */
  readonly to?: EventType | 'payment'
} &
  /** Runs in the transaction of the event and may refuse it by throwing. */
  (
    | { readonly run: (ctx: Context, event: StoredEvent) => Promise<void> }
    /** Takes all events that are emitted together, in their order. */
    | { readonly runAll: (ctx: Context, events: readonly StoredEvent[]) => Promise<void> }
  )

/** Creates the outbox; subscribers run in the transaction of the events, in this order, and `publish` once it has committed. */
export function createEvents(subscribers: readonly Subscriber[], publish: Events['publish']): Events {
  const announceAll: Events['announceAll'] = (ctx, announcements) => {
    const at = ctx.now().toISOString()
    const messages = announcements.map((announcement) => ({ ...announcement, at }))
    messages.forEach(requirePublishable)
    if (!ctx.db.isTransaction) return publish(messages)
    if (!ctx.announced)
      throw new Error('What is announced in a transaction waits for its end: open it by inTransaction')
    ctx.announced.push(...messages)
  }
  const emitAll: Events['emitAll'] = async (ctx, events) => {
    if (events.length === 0) return []
    const rows = events.map((event) => rowOf(ctx, event))
    const stored = await insertEvents(ctx, rows)
    await follow(ctx, stored)
    return stored
  }
  const follow = async (ctx: Context, stored: readonly StoredEvent[]) => {
    for (const subscriber of subscribers) {
      const matching = stored.filter((event) => isMatching(subscriber, event))
      if (matching.length > 0) await runSubscriber(ctx, subscriber, matching)
    }
    announceAll(ctx, stored.map(announcementOf))
  }
  return {
    emit: async (ctx, event) => {
      const [stored] = await emitAll(ctx, [event])
      if (!stored) throw new Error(`The event ${event.type} was not stored`)
      return stored
    },
    emitAll,
    emitWithin: async (ctx, event, run) => {
      const row = rowOf(ctx, event)
      const result = await run(row)
      await follow(ctx, [{ ...row, id: result.eventId }])
      return result
    },
    announce: (ctx, announcement) => announceAll(ctx, [announcement]),
    announceAll,
    publish,
  }
}

function rowOf(ctx: Context, event: NewEvent): EventRow {
  return { ...event, eventId: newEventId(), actor: actorOf(ctx.caller), createdAt: ctx.now() }
}

function isMatching({ to }: Subscriber, { type }: StoredEvent): boolean {
  return to === undefined || type === to || (type.startsWith(to) && type[to.length] === '.')
}

async function runSubscriber(ctx: Context, subscriber: Subscriber, events: readonly StoredEvent[]): Promise<void> {
  if ('runAll' in subscriber) return subscriber.runAll(ctx, events)
  for (const event of events) await subscriber.run(ctx, event)
}

function announcementOf({ id, type, projectId, referenceId, payload }: StoredEvent): Announcement {
  return {
    name: type,
    projectId,
    ...(type.startsWith('operator.') && { operatorId: Number(payload.memberID) }),
    ...(referenceId !== undefined && { referenceId }),
    data: { id: String(id) },
  }
}

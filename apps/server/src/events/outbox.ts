import { randomBytes } from 'node:crypto'

import type { EventType } from '@kassa/contract/webhooks/events.ts'

import type { Announcement, Context, Events, StoredEvent } from '../context.ts'
import { insertEvent, notify } from './store.ts'

/** The channel on which open screens of every process hear what was committed. */
export const LIVE_CHANNEL = 'kassa_live'

/** Runs in the transaction of the event and may refuse it. */
export type WithinSubscriber = (ctx: Context, event: StoredEvent) => Promise<void>

export type Subscription = {
  /** The whole type, or the noun in front of the dot; absent: every event. */
  readonly to?: EventType | 'payment'
  readonly run: WithinSubscriber
}

/** Makes the outbox; subscribers run in the transaction of the event, in this order. */
export function createEvents(subscriptions: readonly Subscription[]): Events {
  return {
    emit: async (ctx, event) => {
      const stored = await insertEvent(ctx, event, `evt_${randomBytes(16).toString('base64url')}`)
      for (const { to, run } of subscriptions) {
        if (to === undefined || event.type === to || event.type.startsWith(`${to}.`)) await run(ctx, stored)
      }
      await tell(ctx, {
        name: event.type,
        projectId: event.projectId,
        ...(event.referenceId !== undefined && { referenceId: event.referenceId }),
        data: { id: String(stored.id) },
      })
      return stored
    },
    announce: tell,
  }
}

const tell: Events['announce'] = (ctx, announcement: Announcement) =>
  notify(ctx, LIVE_CHANNEL, JSON.stringify({ ...announcement, at: ctx.now().toISOString() }))

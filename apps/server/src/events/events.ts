import type { EventType } from '@kassa/contract/webhooks/events.ts'

import type { Context } from '../context.ts'

export type NewEvent = {
  readonly type: EventType
  readonly projectId: number | null
  /** Events with the same key are told in order of `sequence` (api.md 6.4). */
  readonly orderKey?: string
  readonly sequence?: number
  readonly referenceId?: string
  /** What receivers and the timeline read: for a payment the message of api.md 6.2. */
  readonly payload: Readonly<Record<string, unknown>>
}

export type StoredEvent = NewEvent & {
  readonly id: bigint
  /** = `webhook-id`. */
  readonly eventId: string
  readonly actor: string
  readonly createdAt: Date
}

/** Runs in the transaction of the event and may refuse it. */
export type WithinSubscriber = (ctx: Context, event: StoredEvent) => Promise<void>

/** The outbox: an event is a row in the transaction of the change that caused it. */
export type Events = {
  readonly emit: (ctx: Context, event: NewEvent) => Promise<StoredEvent>
  /** Tells open screens only, after commit; nothing is stored (payment.progress and the like). */
  readonly announce: (ctx: Context, announcement: Announcement) => Promise<void>
}

export type Announcement = {
  readonly name: string
  readonly projectId: number | null
  readonly referenceId?: string
  readonly data: Readonly<Record<string, unknown>>
}

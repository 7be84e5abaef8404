import { MAX_SEARCH_LIMIT } from '@kassa/contract/kit/paging.ts'
import { EVENT_TYPES } from '@kassa/contract/webhooks/events.ts'
import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context } from '../../../context.ts'
import { filterName, openCursor, sealCursor } from '../../../paging/cursor.ts'
import { limitOf } from '../../../paging/paging.ts'
import { checkEvents, isDeliverable } from '../record/rules.ts'
import { findHorizon, listFeed } from './feed-store.ts'
import { referenceOf } from './list-deliveries.ts'
import { payloadOf } from './webhook-body.ts'

export type FeedQuery = {
  readonly projectIds: readonly number[] | 'every'
  readonly cursor?: string | undefined
  readonly types?: readonly string[] | undefined
  readonly referenceID?: string | undefined
  readonly limit?: number | undefined
  readonly order?: 'oldest' | 'newest' | undefined
}

/** The event types endpoints can receive. */
const DELIVERABLE = EVENT_TYPES.filter(isDeliverable)

/**
 * Returns events of the projects in the order they happened, forwards from the cursor or backwards. Events after one whose
 * transaction is still open are held back, so that a reader who stores the cursor misses none.
 * @throws CURSOR_INVALID, EVENT_UNKNOWN, VALIDATION_FAILED
 */
export async function readFeed(
  ctx: Context,
  { projectIds, cursor, types = [], referenceID, limit, order = 'oldest' }: FeedQuery,
): Promise<{ data: FeedEvent[]; nextCursor: string | null }> {
  const referenceId = referenceOf(referenceID)
  const chosen = types.length > 0 ? checkEvents(types) : DELIVERABLE
  const isAscending = order === 'oldest'
  const filter = { projectIds, types: chosen, referenceId }
  const name = filterName(isAscending ? 'events' : 'events, newest first', filter)
  const key = keyFor(ctx, 'cursor')
  const from = cursor ? BigInt(openCursor(key, cursor, name).id) : undefined
  const upTo = await findHorizon(ctx)
  const size = limitOf(limit, MAX_SEARCH_LIMIT)
  const found = await listFeed(ctx, filter, { isAscending, from, upTo, limit: size + 1 })
  const rows = found.slice(0, size)
  const last = rows.at(-1)?.id ?? from ?? 0n
  const position = { sort: 'id', isAscending, filter: name, key: '', id: String(last), isBackwards: false }
  const isEnd = isAscending ? last === 0n : found.length <= size
  return {
    data: rows.map((row) => ({
      id: row.event_id,
      sequence: row.sequence,
      type: row.type,
      createdAt: row.created_at,
      payload: payloadOf({ type: row.type, eventId: row.event_id, sequence: row.sequence, payload: row.payload }),
    })),
    nextCursor: isEnd ? null : sealCursor(key, position),
  }
}

import { MAX_SEARCH_LIMIT } from '@kassa/contract/kit/paging.ts'
import { EVENT_TYPES } from '@kassa/contract/webhooks/events.ts'
import type { FeedEvent } from '@kassa/contract/webhooks/schemas.ts'

import type { Context } from '../../context.ts'
import { filterName, openCursor, sealCursor } from '../../http/cursor.ts'
import { limitOf } from '../../http/paging.ts'
import { checkEvents, isDeliverable } from './endpoints.ts'
import { findHorizon, listFeed } from './feed-store.ts'
import { referenceOf } from './list-deliveries.ts'
import { messageOf } from './message.ts'

export type FeedQuery = {
  readonly projectIds: readonly number[] | 'every'
  readonly cursor?: string | undefined
  readonly types?: readonly string[] | undefined
  readonly referenceID?: string | undefined
  readonly limit?: number | undefined
}

/** What endpoints can be told of. */
const TOLD = EVENT_TYPES.filter(isDeliverable)

/**
 * Events of the projects in the order they happened, from the cursor on. An event whose transaction is still open holds
 * back those after it, so that whoever keeps the cursor misses none.
 * @throws CURSOR_INVALID, EVENT_UNKNOWN, VALIDATION_FAILED
 */
export async function readFeed(
  ctx: Context,
  { projectIds, cursor, types = [], referenceID, limit }: FeedQuery,
): Promise<{ data: FeedEvent[]; nextCursor: string | null }> {
  const referenceId = referenceOf(referenceID)
  const chosen = types.length > 0 ? checkEvents(types) : TOLD
  const name = filterName('events', { projectIds, types: chosen, referenceId })
  const { masterKey } = ctx.config
  const after = cursor ? BigInt(openCursor(masterKey, cursor, name).id) : 0n
  const upTo = await findHorizon(ctx)
  const filter = { projectIds, types: chosen, referenceId }
  const rows = await listFeed(ctx, filter, { after, upTo, limit: limitOf(limit, MAX_SEARCH_LIMIT) })
  const last = rows.at(-1)?.id ?? after
  const position = { sort: 'id', isAscending: true, filter: name, key: '', id: String(last), isBackwards: false }
  return {
    data: rows.map((row) => ({
      id: row.event_id,
      sequence: row.sequence,
      type: row.type,
      createdAt: row.created_at,
      payload: messageOf({ type: row.type, eventId: row.event_id, sequence: row.sequence, payload: row.payload }),
    })),
    nextCursor: last > 0n ? sealCursor(masterKey, position) : null,
  }
}

/** Cursors of keyset paging (api.md 1.5): signed, so that no caller reads through a forged sort or filter. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'
import * as z from 'zod/mini'

/** Where a page ends: the sort it was read by, its filter in short, and the sort key and id of its last row. */
export type Cursor = {
  readonly sort: string
  readonly isAscending: boolean
  readonly filter: string
  readonly key: string
  readonly id: string
  /** The page before, not the one after. */
  readonly isBackwards: boolean
}

/** Enough that no signature can be guessed, and short enough for a URL. */
const SIGNATURE_BYTES = 16

const parts = z.tuple([z.string(), z.boolean(), z.string(), z.string(), z.string(), z.boolean()])

/** Writes a cursor as one opaque word. */
export function sealCursor(signingKey: Buffer, cursor: Cursor): string {
  const { sort, isAscending, filter, key, id, isBackwards } = cursor
  const content = Buffer.from(JSON.stringify([sort, isAscending, filter, key, id, isBackwards]))
  return Buffer.concat([signature(signingKey, content), content]).toString('base64url')
}

/** Reads a cursor of ours that belongs to this filter. @throws CURSOR_INVALID */
export function openCursor(signingKey: Buffer, text: string, filter: string): Cursor {
  const bytes = Buffer.from(text, 'base64url')
  const [mac, content] = [bytes.subarray(0, SIGNATURE_BYTES), bytes.subarray(SIGNATURE_BYTES)]
  if (mac.length !== SIGNATURE_BYTES || !timingSafeEqual(mac, signature(signingKey, content))) {
    return fail('CURSOR_INVALID')
  }
  const [sort, isAscending, sealedFilter, key, id, isBackwards] = parts.parse(JSON.parse(content.toString('utf8')))
  if (sealedFilter !== filter)
    return fail('CURSOR_INVALID', { details: 'The filter changed. Start at the first page.' })
  return { sort, isAscending, filter, key, id, isBackwards }
}

/** Names a list and its filter in short; equal filters have equal names. */
export function filterName(list: string, filter: unknown): string {
  return createHash('sha256')
    .update(`${list} ${JSON.stringify(filter)}`)
    .digest('base64url')
    .slice(0, 16)
}

function signature(signingKey: Buffer, content: Buffer): Buffer {
  return createHmac('sha256', signingKey).update(content).digest().subarray(0, SIGNATURE_BYTES)
}

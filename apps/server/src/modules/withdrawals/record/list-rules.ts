/** What one confirmation of several payouts covers: the digest of each, and one digest over all of them. */
import { createHash } from 'node:crypto'

import type { ApprovalList } from './tables.ts'

/** Keeps the digest of a list from being read as that of a payout, whose payload is JSON. */
const PREFIX = 'kassa payouts\n'

/** Returns a list of the digests of payouts, in an order of its own, with the SHA-256 over them. */
export function listOf(digests: readonly Buffer[]): ApprovalList {
  const items = digests.toSorted((one, other) => Buffer.compare(one, other))
  return { items, digest: digestOfItems(items) }
}

/** Whether a list contains these bytes, and its digest is the one over what it contains. */
export function covers({ items, digest }: ApprovalList, bytes: Buffer): boolean {
  return items.some((one) => one.equals(bytes)) && digestOfItems(items).equals(digest)
}

function digestOfItems(items: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(PREFIX)
  for (const item of items) hash.update(item)
  return hash.digest()
}

/** Which approvals count, and what one confirmation of several payouts covers: the digest of each, and one over all of them. */
import { createHash } from 'node:crypto'

import type { ApprovalList, ApprovalRow, WithdrawalRow } from './tables.ts'

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

type Approved = Pick<WithdrawalRow, 'digest' | 'four_eyes' | 'created_by_operator'>

/**
 * Whether an approval counts: it is over exactly these bytes, alone or in a list that contains them, its operator may still
 * approve, and is not the requester where four eyes are required.
 */
export function counts(approval: ApprovalRow, row: Approved, approvers: ReadonlySet<number>): boolean {
  const isListed = approval.list === null ? approval.list_id === null : covers(approval.list, row.digest)
  const isSame = approval.digest.equals(row.digest) && isListed
  const isOwn = row.four_eyes && approval.operator_id === row.created_by_operator
  return isSame && !isOwn && approvers.has(approval.operator_id)
}

function digestOfItems(items: readonly Buffer[]): Buffer {
  const hash = createHash('sha256').update(PREFIX)
  for (const item of items) hash.update(item)
  return hash.digest()
}

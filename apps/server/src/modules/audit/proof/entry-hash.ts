import { createHash } from 'node:crypto'

import type { AuditFault } from '@kassa/contract/audit/faults.ts'

import { csvLine } from '../../../http/csv.ts'
import type { AuditEntryRow } from './tables.ts'

/** The hash before the first entry: 32 zero bytes. */
export const NO_HASH = '0'.repeat(64)

/** The columns that a hash covers, in order; version 1 of the exported file. */
export const HASHED_COLUMNS = [
  'id',
  'createdAt',
  'eventCategory',
  'eventName',
  'apiAction',
  'method',
  'apiPart',
  'apiStatus',
  'statusCode',
  'errorCode',
  'count',
  'memberID',
  'memberEmail',
  'role',
  'apiKeyID',
  'sessionID',
  'projectID',
  'ipAddress',
  'userAgent',
  'referer',
  'requestID',
  'metadata',
] as const

/** Returns the values of an entry in the order of `HASHED_COLUMNS`. */
export function cellsOf(row: AuditEntryRow): readonly unknown[] {
  return [
    Number(row.id),
    row.at.toISOString(),
    row.category,
    row.event,
    row.action,
    row.method,
    row.path,
    row.status,
    row.status_code,
    row.error_code,
    row.count,
    row.operator_id,
    row.operator_email,
    row.role,
    row.key_id,
    row.session_id,
    row.project_id,
    row.ip,
    row.user_agent,
    row.referer,
    row.request_id,
    row.changes,
  ]
}

/**
 * Returns the hash of an entry in hex: SHA-256 of the hash before it in hex, a comma, and the entry as a line of CSV. Text is
 * hashed in the form that is safe for spreadsheets, so that both forms of the file give the same hash.
 */
export function hashEntry(prevHash: string, cells: readonly unknown[]): string {
  return createHash('sha256')
    .update(`${prevHash},${csvLine(cells)}`)
    .digest('hex')
}

export type Seal = { readonly entryId: bigint; readonly hash: string }

/** Returns the seals of entries in the order of their ids, after the hash before them. */
export function sealsOf(entries: readonly AuditEntryRow[], prevHash: string): Seal[] {
  let previous = prevHash
  return entries.map((entry) => {
    previous = hashEntry(previous, cellsOf(entry))
    return { entryId: entry.id, hash: previous }
  })
}

export type Broken = { readonly entryId: bigint; readonly fault: AuditFault }

/**
 * Compares entries with their seals, both of the same range and in the order of ids; null when every entry is unchanged, none
 * is missing and none was added.
 */
export function findBroken(entries: readonly AuditEntryRow[], seals: readonly Seal[], prevHash: string): Broken | null {
  let previous = prevHash
  for (const [index, seal] of seals.entries()) {
    const entry = entries[index]
    if (!entry || entry.id > seal.entryId) return { entryId: seal.entryId, fault: 'removed' }
    if (entry.id < seal.entryId) return { entryId: entry.id, fault: 'added' }
    if (hashEntry(previous, cellsOf(entry)) !== seal.hash) return { entryId: entry.id, fault: 'changed' }
    previous = seal.hash
  }
  const more = entries[seals.length]
  return more ? { entryId: more.id, fault: 'added' } : null
}

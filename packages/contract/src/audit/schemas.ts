import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { AUDIT_FAULTS } from './faults.ts'
import { AUDIT_ACTIONS, AUDIT_CATEGORIES, AUDIT_STATUSES } from './events.ts'

/** Who did what, when and with which result. */
export const AuditEntry = z.object({
  id,
  createdAt: ts,
  updatedAt: ts,
  member_id: z.nullable(id),
  sessionID: z.nullable(id),
  apiKeyID: z.nullable(id),
  projectIDs: z.array(id),
  method: z.string(),
  /** The path that was called. */
  apiPart: z.string(),
  apiStatus: z.enum(AUDIT_STATUSES),
  statusCode: int,
  /** Of a refused call. */
  errorCode: z.nullable(z.string()),
  /** How many calls it stands for: refusals of one caller in one minute are counted together. */
  count: int,
  /** What the call does, in English. */
  description: z.string(),
  ipAddress: z.string(),
  userAgent: z.string(),
  referer: z.string(),
  apiAction: z.enum(AUDIT_ACTIONS),
  /** JSON text: `before` and `after` of what changed, without secrets, and the `device` that called; empty without both. */
  metadata: z.string(),
  /** The caller's role then; empty when there was none. */
  role: z.string(),
  eventCategory: z.enum(AUDIT_CATEGORIES),
  /** The name of the call in the contract, such as `createApiKey`. */
  eventName: z.string(),
  Member: z.nullable(z.object({ id, name: z.string(), email: z.string() })),
  apiKey: z.nullable(z.object({ id, name: z.string() })),
  /** The signing device that called, as it was named then. */
  device: z.nullable(z.object({ id, name: z.string() })),
  externalPlatforms: z.array(z.object({ id, name: z.string(), logoPath: z.string() })),
  requestID: z.string(),
  /** Null for the seconds until the entry is sealed. */
  hash: z.nullable(z.string()),
  prevHash: z.nullable(z.string()),
})

export type AuditEntry = z.output<typeof AuditEntry>

export const AuditPage = z.object({
  data: z.array(AuditEntry),
  total_count: int,
  totalIsEstimate: z.boolean(),
  nextCursor: z.nullable(z.string()),
  prevCursor: z.nullable(z.string()),
})

/**
 * A sealed entry in a file, version 1 of its columns. The hash covers all columns before `prevHash` (api.md T4).
 */
export const AuditExportRow = z.object({
  id,
  createdAt: ts,
  eventCategory: z.string(),
  eventName: z.string(),
  apiAction: z.string(),
  method: z.string(),
  apiPart: z.string(),
  apiStatus: z.string(),
  statusCode: int,
  errorCode: z.nullable(z.string()),
  count: int,
  memberID: z.nullable(id),
  memberEmail: z.string(),
  role: z.string(),
  apiKeyID: z.nullable(id),
  sessionID: z.nullable(id),
  projectID: z.nullable(id),
  ipAddress: z.string(),
  userAgent: z.string(),
  referer: z.string(),
  requestID: z.string(),
  metadata: z.string(),
  prevHash: z.string(),
  hash: z.string(),
  /** How many rows of this file follow: 0 in the last one, so that a truncated file is noticed. */
  remaining: int,
})

export type AuditExportRow = z.output<typeof AuditExportRow>

export const AuditVerification = z.object({
  ok: z.boolean(),
  /** Sealed entries that were compared. */
  checked: int,
  /** Hash of the newest sealed entry. Note it: a later export then proves that nothing before it has changed. */
  headHash: z.nullable(z.string()),
  firstBroken: z.nullable(z.object({ id, fault: z.enum(AUDIT_FAULTS) })),
})

export type AuditVerification = z.output<typeof AuditVerification>

import type { AuditAction, AuditCategory, AuditStatus } from '@kassa/contract/audit/events.ts'

/** An entry as it is stored; none is ever changed or removed. */
export type AuditEntryRow = {
  readonly id: bigint
  readonly at: Date
  readonly category: AuditCategory
  readonly event: string
  readonly action: AuditAction
  readonly method: string
  readonly path: string
  readonly status: AuditStatus
  readonly status_code: number
  readonly error_code: string | null
  readonly count: number
  readonly operator_id: number | null
  readonly operator_email: string | null
  readonly role: string | null
  readonly key_id: number | null
  readonly session_id: number | null
  readonly project_id: number | null
  readonly ip: string
  readonly user_agent: string
  readonly referer: string
  readonly request_id: string
  readonly changes: string | null
}

/** What is written; the store adds the number and the caller's role. */
export type NewAuditEntry = Omit<AuditEntryRow, 'id' | 'role'>

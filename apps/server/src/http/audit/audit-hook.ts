/** What the HTTP layer passes to the activity log; `app.ts` connects the module that stores it. */
import type { RawBuilder } from 'kysely'

import type { Change, Context, RequestFacts } from '../../context.ts'

/** A call that changed something. */
export type AuditedCall = {
  /** The name of the route in the contract. */
  readonly name: string
  readonly method: string
  /** The path without `/api/v1` and without its query. */
  readonly path: string
  /** The status of the answer. */
  readonly status: number
  readonly projectId: number | null
  readonly facts: RequestFacts
  readonly changes: readonly Change[]
}

/** A call that was refused because of its caller, or because there were too many. */
export type RefusedCall = Omit<AuditedCall, 'changes'> & { readonly code: string }

/** The entry of a call, which is written last in its transaction: a failure rolls the call back. A replay writes nothing. */
export type AuditRecord = {
  readonly entry: object
  /** The statement that writes entries. It answers nothing, so that it can stand in front of another statement. */
  readonly insert: (entries: readonly object[]) => RawBuilder<unknown>
}

export type AuditHook = {
  readonly recordOf: (ctx: Context, call: AuditedCall) => AuditRecord
  /** Counts a refusal, in a transaction of its own. */
  readonly refused: (ctx: Context, refusal: RefusedCall) => Promise<void>
}

/** Whether a refusal is about the caller, and belongs in the activity log (decision 0032). */
export function isAudited({ status, code }: { readonly status: number; readonly code: string }): boolean {
  return status === 401 || status === 403 || code === 'STEP_UP_MISMATCH' || code === 'SIGN_IN_THROTTLED'
}

/** The statement that writes the records; undefined when there are none. */
export function insertRecords(records: readonly AuditRecord[]): RawBuilder<unknown> | undefined {
  return records[0]?.insert(records.map(({ entry }) => entry))
}

/** What mount hands to the activity log; `app.ts` passes the module that keeps it. */
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

/** A call that was refused because of who called, or of how often. */
export type RefusedCall = Omit<AuditedCall, 'changes'> & { readonly code: string }

export type AuditHook = {
  /**
   * The statement that writes the entry of a call, last in its transaction: a failure rolls the call back. It answers nothing,
   * so that it can stand in front of another statement. A replay writes nothing.
   */
  readonly statement: (ctx: Context, call: AuditedCall) => RawBuilder<unknown>
  /** Counts a refusal, in a transaction of its own. */
  readonly refused: (ctx: Context, refusal: RefusedCall) => Promise<void>
}

/** Whether a refusal is about who called, and stands in the activity log (decision 0032). */
export function isAudited({ status, code }: { readonly status: number; readonly code: string }): boolean {
  return status === 401 || status === 403 || code === 'STEP_UP_MISMATCH' || code === 'SIGN_IN_THROTTLED'
}

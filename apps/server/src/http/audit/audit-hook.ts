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

export type AuditHook = {
  /**
   * The statement that writes the entry of a call, last in its transaction, so that a failure rolls the call back. It returns
   * nothing and can be combined with another statement. A replay writes nothing.
   */
  readonly statement: (ctx: Context, call: AuditedCall) => RawBuilder<unknown>
  /** Counts a refusal, in a transaction of its own. */
  readonly refused: (ctx: Context, refusal: RefusedCall) => Promise<void>
}

/** Whether a refusal is about the caller, and belongs in the activity log (decision 0032). */
export function isAudited({ status, code }: { readonly status: number; readonly code: string }): boolean {
  return status === 401 || status === 403 || code === 'STEP_UP_MISMATCH' || code === 'SIGN_IN_THROTTLED'
}

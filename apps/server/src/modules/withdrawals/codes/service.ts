/**
 * One-time codes by mail: six digits, of which only a hash is stored. Each purpose has a table of its own, which its module
 * writes; how a code is made, tried and limited is the same for all of them (api.md 1.7, class `otp`).
 */
import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import type { Context } from '../../../context.ts'
import { hashCode, isSameHash, newCode } from './code-hash.ts'
import { CODE_MS, type Limit, MOST_TRIES, waitFor } from './rules.ts'

export { mailboxLimit, SENDS, SENDS_A_DAY, SENDS_TO_PERSON, TRIES_A_DAY } from './rules.ts'

/** Codes are deleted after a month. */
const RETENTION_MS = 30 * 24 * 3_600_000

/** What a code is valid for: its row, who may use it, and for what. */
type CodeSubject = readonly (bigint | number | string)[]

/** The row of a code. */
type MailedCode = {
  readonly id: bigint
  /** Null until its mail is written. */
  readonly code_hash: Buffer | null
  readonly tries: number
  readonly expires_at: Date
  readonly ended_at: Date | null
}

/** Stores a hash and an expiry in the row of a code; false when the code was replaced meanwhile. */
type SetHash = (ctx: Context, code: { id: bigint; hash: Buffer; expiresAt: Date }) => Promise<boolean>

/** Counts a wrong try, and ends the code with the last one. */
type UpdateTries = (ctx: Context, id: bigint, counted: { tries: number; ends: boolean }) => Promise<void>

/** When a code that is requested now expires; its time begins again when the mail is written. */
export function codeEnd(ctx: Context): Date {
  return new Date(ctx.now().getTime() + CODE_MS)
}

/** From this time on codes are stored. */
export function oldestCode(ctx: Context): Date {
  return new Date(ctx.now().getTime() - RETENTION_MS)
}

/**
 * Makes the code of a row, for the mail that is written now; null when it was replaced meanwhile. A mail that fails is retried
 * with a new code, because only the hash of this one is stored.
 */
export async function makeCode(
  ctx: Context,
  { id, subject }: { readonly id: bigint; readonly subject: CodeSubject },
  setHash: SetHash,
): Promise<string | null> {
  const code = newCode()
  const hash = hashCode(keyFor(ctx, 'codes'), subject, code)
  return (await setHash(ctx, { id, hash, expiresAt: codeEnd(ctx) })) ? code : null
}

/** What became of a typed code. */
export type CodeOutcome =
  | { readonly isRight: true }
  | { readonly isRight: false; readonly refused: 'OTP_INVALID' | 'OTP_EXPIRED'; readonly triesLeft?: number }

/**
 * Tries a code on the newest row of its purpose, which the transaction has locked; `typed.subjectOf` names what that row is
 * valid for. A wrong code counts, so the transaction must commit whatever the outcome is; the caller refuses afterwards
 * (`refuseCode`). A right one is not used up.
 */
export async function tryCode<Row extends MailedCode>(
  tx: Context,
  row: Row | undefined,
  typed: { readonly code: string; readonly subjectOf: (row: Row) => CodeSubject; readonly updateTries: UpdateTries },
): Promise<CodeOutcome> {
  if (row === undefined) return { isRight: false, refused: 'OTP_INVALID' }
  if (row.ended_at !== null || row.expires_at <= tx.now()) return { isRight: false, refused: 'OTP_EXPIRED' }
  const hash = hashCode(keyFor(tx, 'codes'), typed.subjectOf(row), typed.code)
  if (row.code_hash !== null && isSameHash(row.code_hash, hash)) return { isRight: true }
  const tries = row.tries + 1
  await typed.updateTries(tx, row.id, { tries, ends: tries >= MOST_TRIES })
  return { isRight: false, refused: 'OTP_INVALID', triesLeft: MOST_TRIES - tries }
}

/** Refuses a call because of its code. @throws OTP_INVALID, OTP_EXPIRED */
export function refuseCode({ refused, triesLeft }: Extract<CodeOutcome, { isRight: false }>): never {
  return fail(refused, { ...(triesLeft !== undefined && { data: { triesLeft } }) })
}

/** Refuses one more of what happened at these times, oldest first. @throws RATE_LIMITED with the seconds to wait */
export function requireFew(ctx: Context, times: readonly Date[], limit: Limit): void {
  const seconds = waitFor(times, limit, ctx.now())
  if (seconds !== null) fail('RATE_LIMITED', { values: { seconds }, retryAfter: seconds, data: { seconds } })
}

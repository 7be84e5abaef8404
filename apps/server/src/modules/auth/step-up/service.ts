/** Tokens for one described action (api.md 2.7): each is a row, usable once, by its session and for its route. */
import type { Context } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import type { Confirmed } from '../../../http/step-up/step-up.ts'
import { newStepUpToken } from '../sessions/credentials.ts'
import type { ProofMethod, StepUpChallengeRow } from '../sessions/tables.ts'
import { deleteToken, deleteTokensBefore, insertToken } from './store.ts'

/** A token is valid this long, because the call it was requested for follows at once. */
const TOKEN_MS = 2 * 60_000

/** Creates the token for a confirmed action; undefined when the action needs proof of presence alone. */
export async function createToken(
  ctx: Context,
  { binds, session_id, action, digest }: Pick<StepUpChallengeRow, 'binds' | 'session_id' | 'action' | 'digest'>,
  { method, assertion }: { readonly method: ProofMethod; readonly assertion?: object | undefined },
): Promise<string | undefined> {
  if (!binds) return undefined
  const { text, hash } = newStepUpToken()
  const expires_at = new Date(ctx.now().getTime() + TOKEN_MS)
  const signature = assertion === undefined ? null : Buffer.from(JSON.stringify(assertion))
  await insertToken(ctx, { token_hash: hash, session_id, action, digest, method, signature, expires_at })
  return text
}

/** Uses up a token of the calling session for the route; returns what was confirmed. Joins the transaction. */
export async function spendToken(ctx: Context, token: string, action: string): Promise<Confirmed | null> {
  if (ctx.caller.kind !== 'operator') return null
  const { sessionId } = ctx.caller
  const spent = await deleteToken(ctx, { tokenHash: hashCredential(token), sessionId, action })
  return spent ? { digest: spent.digest, method: spent.method ?? 'window', signature: spent.signature } : null
}

/** Removes tokens that ran out before the time. */
export async function forgetTokens(ctx: Context, time: Date): Promise<void> {
  await deleteTokensBefore(ctx, time)
}

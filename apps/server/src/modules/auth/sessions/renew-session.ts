/**
 * Renewing a session with its refresh token (api.md 2.1). Programs call this from several windows at once and lose answers, so
 * an answer is repeated for a minute; an old token that appears later has been copied.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { hashCredential } from '../../../credentials.ts'
import { newSalt, renewedCredentials } from './credentials.ts'
import { isJustNow, renewal } from './rules.ts'
import {
  endSession,
  findRenewableSession,
  insertSupersededToken,
  type RenewableSession,
  updateTokens,
} from './store.ts'

/** The credentials of a renewed session, known as text to this answer alone. */
export type RenewedTokens = { readonly accessToken: string; readonly refreshToken: string }

/**
 * Renews the access token of a session. Calls within a minute get the same answer, whether they send the current refresh token
 * or the one it has just replaced.
 * @throws UNAUTHORIZED for any other token; one that was replaced earlier ends its session
 */
export async function renewSession(ctx: Context, refreshToken: string): Promise<RenewedTokens> {
  const session = await findRenewableSession(ctx, hashCredential(refreshToken))
  if (!session) return fail('UNAUTHORIZED')
  const { superseded_at: supersededAt, refreshed_at: lastTime, refresh_salt: lastSalt } = session
  if (supersededAt !== null && !isJustNow(supersededAt, ctx.now())) return endCopied(ctx, session)
  if (lastSalt !== null && isJustNow(lastTime, ctx.now())) {
    return textsOf(renewedCredentials(refreshToken, lastSalt, { isRotated: supersededAt !== null }))
  }
  if (supersededAt !== null) return endCopied(ctx, session)
  // Another call was faster; its answer is repeated.
  return (await moveTokens(ctx, session, refreshToken)) ?? renewSession(ctx, refreshToken)
}

/** Gives the session its next tokens; null when another call did so first. */
async function moveTokens(
  ctx: Context,
  session: RenewableSession,
  refreshToken: string,
): Promise<RenewedTokens | null> {
  const now = ctx.now()
  const { isRotated, accessExpiresAt, refreshExpiresAt } = renewal(session, now)
  // The operator must choose a password, and the time to do so is over.
  if (accessExpiresAt <= now) {
    await endSession(ctx, session.id)
    return fail('UNAUTHORIZED')
  }
  const salt = newSalt()
  const renewed = renewedCredentials(refreshToken, salt, { isRotated })
  return inTransaction(ctx, async (tx) => {
    const isMoved = await updateTokens(tx, session, {
      access_hash: renewed.access.hash,
      access_expires_at: accessExpiresAt,
      refresh_hash: renewed.refresh.hash,
      refresh_expires_at: refreshExpiresAt,
      refreshed_at: now,
      refresh_salt: salt,
    })
    if (!isMoved) return null
    if (isRotated) {
      await insertSupersededToken(tx, {
        token_hash: hashCredential(refreshToken),
        session_id: session.id,
        superseded_at: now,
      })
    }
    return textsOf(renewed)
  })
}

async function endCopied(ctx: Context, { id }: RenewableSession): Promise<never> {
  await endSession(ctx, id)
  ctx.log.warn({ sessionId: id }, 'A superseded refresh token was used: its session has ended')
  return fail('UNAUTHORIZED', {
    details: 'This refresh token was used after a newer one had replaced it, so the session has ended. Sign in again.',
  })
}

function textsOf({ access, refresh }: ReturnType<typeof renewedCredentials>): RenewedTokens {
  return { accessToken: access.text, refreshToken: refresh.text }
}

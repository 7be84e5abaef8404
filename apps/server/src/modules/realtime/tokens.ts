import { randomBytes } from 'node:crypto'

import { fail } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../context.ts'
import { hashCredential } from '../../credentials.ts'
import { allowedOrigins } from '../settings/service.ts'
import { insertToken, moveTokenToUsed, type TokenRow } from './store.ts'

/** A token is used at once: the tab asks for it when it connects. */
const TOKEN_MS = 60_000

/** Creates a token for one socket of this session, tab and origin; valid for a minute, once. */
export async function createToken(
  ctx: Context,
  clientId: string,
  origin: string | undefined,
): Promise<{ readonly token: string; readonly row: TokenRow }> {
  if (ctx.caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const token = randomBytes(16).toString('hex')
  const row = await insertToken(ctx, {
    token_hash: hashCredential(token),
    session_id: ctx.caller.sessionId,
    client_id: clientId,
    origin: origin ?? null,
    expires_at: new Date(ctx.now().getTime() + TOKEN_MS),
  })
  return { token, row }
}

/** Uses a token up; null when it is invalid, `origin` when a page of another origin sends it. */
export async function useToken(
  ctx: Context,
  token: string,
  clientId: string,
  origin: string | undefined,
): Promise<{ readonly sessionId: number } | 'origin' | null> {
  const row = await moveTokenToUsed(ctx, hashCredential(token), clientId)
  if (!row) return null
  return (await isSameOrigin(ctx, row, origin)) ? { sessionId: row.session_id } : 'origin'
}

/**
 * A page must use the token at the origin that requested it; a token that no page requested is valid for known pages and for
 * programs.
 */
async function isSameOrigin(ctx: Context, { origin }: TokenRow, shown: string | undefined): Promise<boolean> {
  if (origin !== null || shown === undefined) return origin === (shown ?? null)
  return (await allowedOrigins(ctx)).includes(shown)
}

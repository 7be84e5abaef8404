/**
 * Who is signed in: sessions and their keys (api.md 2). A session key is random, stored as a hash, and looked up on every
 * request; nothing about it is remembered between two requests.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Context } from '../../../context.ts'
import type { SessionFacts } from '../../../credentials.ts'
import { grantsOf } from '../../operators/accounts/service.ts'
import { factorPolicyOf, numberSetting } from '../../settings/service.ts'
import { isSlideDue, slideIdle } from './rules.ts'
import {
  endAllSessions,
  endUsableSessionOf,
  endSession,
  endSessionsOf,
  findLiveSession,
  findLiveSessionById,
  isEndedByPassword,
  listUsableSessionsOf,
  type LiveSession,
  updateSessionUse,
} from './store.ts'
import type { SessionRow } from './tables.ts'

export { permissionsVersion } from './permissions-version.ts'

/**
 * Finds the live session of a session key or a valid access token, by its SHA-256. Null when the session is unknown, ended,
 * idle for too long or past its absolute end, or its operator may not sign in any more. Extends the idle end, at most once a
 * minute. `restricted` is also true when the operator must now choose a password.
 */
export async function findSession(ctx: Context, keyHash: Buffer): Promise<SessionFacts | null> {
  const session = await findLiveSession(ctx, keyHash)
  if (!session) return null
  const now = ctx.now()
  if (isSlideDue(session.last_seen_at, now)) {
    await updateSessionUse(ctx, session.id, slideIdle(session, await idleMinutes(ctx), now))
  }
  return factsOf(ctx, session)
}

/** Whether the session of this key ended because its operator's password changed. */
export async function endedByPassword(ctx: Context, keyHash: Buffer): Promise<boolean> {
  return isEndedByPassword(ctx, keyHash)
}

/**
 * Finds a live session by its id, for a socket that checks its session again and again; null when it has ended. Does not count
 * as use.
 */
export async function findSessionFacts(ctx: Context, sessionId: number): Promise<SessionFacts | null> {
  const session = await findLiveSessionById(ctx, sessionId)
  return session ? factsOf(ctx, session) : null
}

/** Returns when the session ends unless it is renewed: the later end of its key and its access token. */
function endOf({ expires_at: keyEnd, access_expires_at: accessEnd }: LiveSession): Date {
  return accessEnd !== null && accessEnd > keyEnd ? accessEnd : keyEnd
}

async function factsOf(ctx: Context, session: LiveSession): Promise<SessionFacts> {
  return {
    operatorId: session.operator_id,
    sessionId: session.id,
    email: session.email,
    restricted: session.restricted || session.reset_password_required,
    stepUpUntil: session.step_up_until,
    secondFactors: session.second_factors,
    missingFactor: session.second_factors.length > 0 ? null : demandedFactor(ctx, session),
    expiresAt: endOf(session),
    grants: await grantsOf(ctx, session.operator_id),
  }
}

/** The second factor that this install requires of an operator without one. */
function demandedFactor(ctx: Context, { factor_policy: stored }: LiveSession): SessionFacts['missingFactor'] {
  const policy = factorPolicyOf(ctx, stored)
  return policy === 'optional' ? null : policy
}

/** Ends the session that calls. Idempotent. */
export async function logOut(ctx: Context): Promise<void> {
  if (ctx.caller.kind === 'operator') await endSession(ctx, ctx.caller.sessionId)
}

/** Ends every session of the operator who calls. Idempotent. */
export async function logOutEverywhere(ctx: Context): Promise<void> {
  if (ctx.caller.kind === 'operator') await endSessionsOf(ctx, ctx.caller.operatorId)
}

/** Signs everybody out after a restore, because the database does not know who signed out since the backup. */
export async function endEverySession(ctx: Context): Promise<void> {
  await endAllSessions(ctx)
}

/** Lists where the operator who calls is signed in, the place used last first. */
export async function listMySessions(ctx: Context): Promise<SessionRow[]> {
  return ctx.caller.kind === 'operator' ? listUsableSessionsOf(ctx, ctx.caller.operatorId) : []
}

/** Signs the operator who calls out in one place. @throws SESSION_NOT_FOUND */
export async function endMySession(ctx: Context, sessionId: number): Promise<void> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  if (!(await endUsableSessionOf(ctx, { operatorId: caller.operatorId, sessionId }))) return fail('SESSION_NOT_FOUND')
}

/** Reads after how many minutes without a call a session ends. */
export async function idleMinutes(ctx: Context): Promise<number> {
  return numberSetting(ctx, 'security.session_idle_minutes')
}

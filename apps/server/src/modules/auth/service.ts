/**
 * Who is signed in: the first account, sessions and their keys, and proof of presence (api.md 2). A session key is
 * random, stored as a hash, and looked up on every request; nothing about it is remembered between two requests.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { ChangeMe } from '@kassa/contract/operators/schemas.ts'
import { type Context, inTransaction, type RequestFacts } from '../../context.ts'
import type { SessionFacts } from '../../credentials.ts'
import { isKnownHost, isOwnOrigin } from '../../http/headers.ts'
import {
  changeOperator,
  createRoot,
  findOperator,
  findOperatorByEmail,
  grantsOf,
  markSeen,
  rolesOf,
  rootExists,
} from '../operators/service.ts'
import type { OperatorRoleRow, OperatorRow } from '../operators/service.ts'
import { allowedOrigins } from '../settings/service.ts'
import { checkPassword } from './attempts.ts'
import { isSetupCode, newSetupCode } from './credentials.ts'
import { hashPassword } from './password-hash.ts'
import { isSlideDue, slideIdle } from './rules.ts'
import { idleMinutes, openSession, type OpenedSession } from './sessions.ts'
import {
  deleteChallengesBefore,
  deleteFailuresBefore,
  deleteSessionsBefore,
  deleteSetupCode,
  endAllSessions,
  endLiveSessionOf,
  endSession,
  endSessionsOf,
  findLiveSession,
  findLiveSessionById,
  findSessionById,
  findSetupCode,
  insertSetupCode,
  isEndedByPassword,
  listLiveSessionsOf,
  type LiveSession,
  updateSessionUse,
} from './store.ts'
import type { SessionRow } from './tables.ts'
import { deleteTokensBefore } from './token-store.ts'

export { passwordChanged } from './emails.ts'
export { passwordReset } from './emails.ts'

export { linkForEmail } from './password-tokens.ts'
export { maskEmail } from './rules.ts'

/** Ended sessions and old failures are stored this long, so that their operator can still learn the reason. */
const RETENTION_MS = 30 * 24 * 3_600_000

/**
 * Finds the live session behind the SHA-256 of a session key or of an access token that has not run out; null when it is
 * unknown, ended, idle for too long or past its absolute end, or its operator may not sign in any more. Moves the idle
 * end, at most once a minute. `restricted` also holds when the operator must choose a password since.
 */
export async function findSession(ctx: Context, keyHash: Buffer): Promise<SessionFacts | null> {
  const session = await findLiveSession(ctx, keyHash)
  if (!session) return null
  const now = ctx.now()
  if (isSlideDue(session.last_seen_at, now)) {
    await updateSessionUse(ctx, session.id, slideIdle(session.expires_at, await idleMinutes(ctx), now))
  }
  return factsOf(ctx, session)
}

/** Whether the session of this key ended because its operator's password changed. */
export async function endedByPassword(ctx: Context, keyHash: Buffer): Promise<boolean> {
  return isEndedByPassword(ctx, keyHash)
}

/**
 * Finds a live session by its id, as a socket that was opened with it asks again and again; null when it has ended.
 * Looking does not count as use.
 */
export async function findSessionFacts(ctx: Context, sessionId: number): Promise<SessionFacts | null> {
  const session = await findLiveSessionById(ctx, sessionId)
  return session ? factsOf(ctx, session) : null
}

async function factsOf(ctx: Context, session: LiveSession): Promise<SessionFacts> {
  return {
    operatorId: session.operator_id,
    sessionId: session.id,
    email: session.email,
    restricted: session.restricted || session.reset_password_required,
    stepUpUntil: session.step_up_until,
    expiresAt: session.expires_at,
    grants: await grantsOf(ctx, session.operator_id),
  }
}

/**
 * At first start, makes the set-up code that a caller from afar needs for the first account, and prints it once in the
 * log. Does nothing when an account or a code exists.
 */
export async function prepareSetupCode(ctx: Context): Promise<void> {
  if (await rootExists(ctx)) return
  const code = newSetupCode()
  if (await insertSetupCode(ctx, code.hash)) {
    ctx.log.info(`Set-up code for creating the first account from another machine: ${code.text}`)
  }
}

export type SignUpInput = {
  readonly email: string
  readonly password: string
  readonly setupCode?: string | undefined
  readonly request: RequestFacts
}

/**
 * Creates the first account and signs it in. Of two sign-ups at once one wins.
 * @throws SIGN_UP_CLOSED, or SETUP_CODE_REQUIRED when the caller is neither near nor has the set-up code
 */
export async function signUp(ctx: Context, input: SignUpInput): Promise<OpenedSession> {
  if (await rootExists(ctx)) return fail('SIGN_UP_CLOSED')
  if (!(await mayCreateRoot(ctx, input))) return fail('SETUP_CODE_REQUIRED')
  const passwordHash = await hashPassword(input.password, ctx.config.passwordCost)
  return inTransaction(ctx, async (tx) => {
    const operator = await createRoot(tx, { email: input.email, passwordHash })
    if (!operator) return fail('SIGN_UP_CLOSED')
    await deleteSetupCode(tx)
    return openSession(tx, operator, input.request)
  })
}

/**
 * The caller is near under a name of this machine (api.md 2.2) and no page of a stranger in a browser that is near, or
 * knows the code printed in the log.
 */
async function mayCreateRoot(ctx: Context, { setupCode, request }: SignUpInput): Promise<boolean> {
  const origins = await allowedOrigins(ctx)
  if (request.isNear && isKnownHost(request.host, origins) && isOwnOrigin(request, origins)) return true
  const hash = setupCode === undefined ? undefined : await findSetupCode(ctx)
  return hash !== undefined && setupCode !== undefined && isSetupCode(setupCode, hash)
}

/**
 * Signs an operator in and emits operator.signed_in. Wrong e-mail, wrong password and an inactive account get the same
 * answer in the same time.
 * @throws INVALID_CREDENTIALS, SIGN_IN_THROTTLED
 */
export async function signIn(
  ctx: Context,
  input: { readonly email: string; readonly password: string; readonly request: RequestFacts },
): Promise<OpenedSession> {
  const operator = await findOperatorByEmail(ctx, input.email)
  const hash = operator?.state === 'active' ? operator.password_hash : null
  const isRight = await checkPassword(ctx, { email: input.email, password: input.password, hash })
  if (!operator || !isRight) return fail('INVALID_CREDENTIALS')
  return inTransaction(ctx, async (tx) => {
    // Waits for a change of the password that is under way; a session it could not end is never opened.
    await markSeen(tx, operator.id)
    if ((await findOperator(tx, operator.id))?.password_hash !== hash) return fail('INVALID_CREDENTIALS')
    const opened = await openSession(tx, operator, input.request)
    await tx.events.emit(tx, {
      type: 'operator.signed_in',
      projectId: null,
      payload: { memberID: operator.id, sessionID: opened.session.id, ipAddress: input.request.ip },
    })
    return opened
  })
}

export type OperatorWithRoles = { readonly operator: OperatorRow; readonly roles: readonly OperatorRoleRow[] }

/** The signed-in operator with the session that speaks. */
export type SignedInOperator = OperatorWithRoles & { readonly session: SessionRow }

/** Reads the roles of an operator along. */
export async function operatorWithRoles(ctx: Context, operator: OperatorRow): Promise<OperatorWithRoles> {
  return { operator, roles: await rolesOf(ctx, operator.id) }
}

/** Reads the signed-in operator again. @throws UNAUTHORIZED when a session of an operator is not what calls */
export async function readMe(ctx: Context): Promise<SignedInOperator> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  const operator = await findOperator(ctx, caller.operatorId)
  const session = await findSessionById(ctx, caller.sessionId)
  if (!operator || !session) return fail('UNAUTHORIZED')
  return { ...(await operatorWithRoles(ctx, operator)), session }
}

/** Changes what the operator who calls may change of themselves. @throws USERNAME_TAKEN */
export async function changeMe(ctx: Context, change: ChangeMe): Promise<OperatorWithRoles> {
  if (ctx.caller.kind !== 'operator') return fail('UNAUTHORIZED')
  return operatorWithRoles(ctx, await changeOperator(ctx, ctx.caller.operatorId, change))
}

/** Ends the session that calls. Idempotent. */
export async function logOut(ctx: Context): Promise<void> {
  if (ctx.caller.kind === 'operator') await endSession(ctx, ctx.caller.sessionId)
}

/** Ends every session of the operator who calls. Idempotent. */
export async function logOutEverywhere(ctx: Context): Promise<void> {
  if (ctx.caller.kind === 'operator') await endSessionsOf(ctx, ctx.caller.operatorId)
}

/** Signs everybody out, for a database that was restored: it does not know who signed out since. */
export async function endEverySession(ctx: Context): Promise<void> {
  await endAllSessions(ctx)
}

/** Lists where the operator who calls is signed in, the place used last first. */
export async function listMySessions(ctx: Context): Promise<SessionRow[]> {
  return ctx.caller.kind === 'operator' ? listLiveSessionsOf(ctx, ctx.caller.operatorId) : []
}

/** Signs the operator who calls out in one place. @throws SESSION_NOT_FOUND */
export async function endMySession(ctx: Context, sessionId: number): Promise<void> {
  const { caller } = ctx
  if (caller.kind !== 'operator') return fail('UNAUTHORIZED')
  if (!(await endLiveSessionOf(ctx, { operatorId: caller.operatorId, sessionId }))) return fail('SESSION_NOT_FOUND')
}

/** Forgets sessions, failures, links and challenges that nobody will ask about any more. */
export async function forgetOld(ctx: Context): Promise<void> {
  const time = new Date(ctx.now().getTime() - RETENTION_MS)
  await deleteSessionsBefore(ctx, time)
  await deleteFailuresBefore(ctx, time)
  await deleteChallengesBefore(ctx, time)
  await deleteTokensBefore(ctx, time)
}

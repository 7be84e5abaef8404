import type { FactorMethod } from '@kassa/contract/operators/schemas.ts'
import { type ExpressionBuilder, type NotNull, sql } from 'kysely'

import type { Context } from '../../../context.ts'
import type { AuthTables, NeighbourTables, ProofMethod, SessionRow } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables & NeighbourTables>()

type NewSession = Omit<SessionRow, 'id' | 'ended_at' | 'ended_by' | 'refreshed_at' | 'refresh_salt'>

/** Inserts a session. */
export async function insertSession(ctx: Context, session: NewSession): Promise<SessionRow> {
  return tables(ctx).insertInto('sessions').values(session).returningAll().executeTakeFirstOrThrow()
}

/** A session, with the facts of its operator that decide about it. */
export type LiveSession = SessionRow & {
  readonly email: string
  readonly reset_password_required: boolean
  readonly second_factors: FactorMethod[]
  /** As set; null where the default applies. */
  readonly factor_policy: string | null
}

/** Sessions that were not ended, of operators who may still sign in. */
function openSessions(ctx: Context) {
  return tables(ctx)
    .selectFrom('sessions')
    .innerJoin('operators', 'operators.id', 'sessions.operator_id')
    .selectAll('sessions')
    .select(['operators.email', 'operators.reset_password_required', 'operators.second_factors'])
    .select((row) =>
      row.selectFrom('configuration').select('value').where('key', '=', 'security.second_factor').as('factor_policy'),
    )
    .where('ended_at', 'is', null)
    .where('operators.state', '=', 'active')
    .where('operators.deleted_at', 'is', null)
}

type SessionColumns = ExpressionBuilder<AuthTables, 'sessions'>

const isKeyAlive = (row: SessionColumns, now: Date) =>
  row.and([row('sessions.idle_expires_at', '>', now), row('sessions.expires_at', '>', now)])
const isAccessAlive = (row: SessionColumns, now: Date) => row('sessions.access_expires_at', '>', now)

/** The session's key, access token or refresh token is still accepted. */
const isUsable = (row: SessionColumns, now: Date) =>
  row.or([isKeyAlive(row, now), isAccessAlive(row, now), row('sessions.refresh_expires_at', '>', now)])

/** Finds the session that a live key or a fresh access token of this hash opens. */
export async function findLiveSession(ctx: Context, hash: Buffer): Promise<LiveSession | undefined> {
  const now = ctx.now()
  return openSessions(ctx)
    .where((row) =>
      row.or([
        row.and([row('key_hash', '=', hash), isKeyAlive(row, now)]),
        row.and([row('access_hash', '=', hash), isAccessAlive(row, now)]),
      ]),
    )
    .executeTakeFirst()
}

/** Finds a session by id that its key or its access token opens now. */
export async function findLiveSessionById(ctx: Context, id: number): Promise<LiveSession | undefined> {
  const now = ctx.now()
  return openSessions(ctx)
    .where('sessions.id', '=', id)
    .where((row) => row.or([isKeyAlive(row, now), isAccessAlive(row, now)]))
    .executeTakeFirst()
}

/** A session whose refresh token was sent; the time says since when another token has replaced it. */
export type RenewableSession = LiveSession & { readonly refresh_expires_at: Date; readonly superseded_at: Date | null }

/** Finds the session that a refresh token of this hash renews, or renewed until another token replaced it. */
export async function findRenewableSession(ctx: Context, hash: Buffer): Promise<RenewableSession | undefined> {
  return openSessions(ctx)
    .leftJoin('superseded_refresh_tokens as former', (join) =>
      join.onRef('former.session_id', '=', 'sessions.id').on('former.token_hash', '=', hash),
    )
    .select('former.superseded_at')
    .where((row) => row.or([row('refresh_hash', '=', hash), row('former.token_hash', '=', hash)]))
    .where('refresh_expires_at', '>', ctx.now())
    .$narrowType<{ refresh_expires_at: NotNull }>()
    .executeTakeFirst()
}

/** Replaces a session's tokens unless another call did since the session was read; returns whether it did. */
export async function updateTokens(
  ctx: Context,
  read: Pick<SessionRow, 'id' | 'refresh_hash' | 'refreshed_at'>,
  tokens: Pick<
    SessionRow,
    'access_hash' | 'access_expires_at' | 'refresh_hash' | 'refresh_expires_at' | 'refreshed_at' | 'refresh_salt'
  >,
): Promise<boolean> {
  const row = await tables(ctx)
    .updateTable('sessions')
    .set({ ...tokens, last_seen_at: ctx.now() })
    .where('id', '=', read.id)
    .where('refresh_hash', '=', read.refresh_hash)
    .where('refreshed_at', 'is not distinct from', read.refreshed_at)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Remembers a refresh token that was replaced. */
export async function insertSupersededToken(
  ctx: Context,
  token: { readonly token_hash: Buffer; readonly session_id: number; readonly superseded_at: Date },
): Promise<void> {
  await tables(ctx).insertInto('superseded_refresh_tokens').values(token).execute()
}

/** Whether a change of the password ended the session of this key. */
export async function isEndedByPassword(ctx: Context, hash: Buffer): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('sessions')
    .select('ended_by')
    .where((session) => session.or([session('key_hash', '=', hash), session('access_hash', '=', hash)]))
    .executeTakeFirst()
  return row?.ended_by === 'password'
}

/** Finds a session by id, live or not. */
export async function findSessionById(ctx: Context, id: number): Promise<SessionRow | undefined> {
  return tables(ctx).selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether an operator has, or had of late, a session from this network; with this program where one is named. */
export async function hasSessionFrom(
  ctx: Context,
  { operatorId, network, userAgent }: { operatorId: number; network: string; userAgent?: string },
): Promise<boolean> {
  const found = tables(ctx)
    .selectFrom('sessions')
    .select('id')
    .where('operator_id', '=', operatorId)
    .where('network', '=', network)
  const named = userAgent === undefined ? found : found.where('user_agent', '=', userAgent)
  return (await named.limit(1).executeTakeFirst()) !== undefined
}

/** Moves the idle end of a session that is used now. */
export async function updateSessionUse(ctx: Context, id: number, idleExpiresAt: Date): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({ last_seen_at: ctx.now(), idle_expires_at: idleExpiresAt })
    .where('id', '=', id)
    .execute()
}

/** Sets until when a session's proof of presence holds, and remembers what it was given with. */
export async function updateStepUp(
  ctx: Context,
  id: number,
  { until, method }: { readonly until: Date; readonly method: ProofMethod },
): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({
      step_up_until: until,
      factors: sql<
        ProofMethod[]
      >`CASE WHEN ${method} = ANY(factors) THEN factors ELSE array_append(factors, ${method}) END`,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends one session; ending it again changes nothing. */
export async function endSession(ctx: Context, id: number): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({ ended_at: ctx.now() })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends every session of an operator, by a change of the password or by their own wish. */
export async function endSessionsOf(
  ctx: Context,
  operatorId: number,
  by: SessionRow['ended_by'] = null,
): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({ ended_at: ctx.now(), ended_by: by })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Lists the sessions of an operator that can still be used or renewed, the one used last first. */
export async function listUsableSessionsOf(ctx: Context, operatorId: number): Promise<SessionRow[]> {
  const now = ctx.now()
  return openSessions(ctx)
    .where('sessions.operator_id', '=', operatorId)
    .where((row) => isUsable(row, now))
    .orderBy('sessions.last_seen_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .execute()
}

/** Ends every session of everybody. */
export async function endAllSessions(ctx: Context): Promise<void> {
  await tables(ctx).updateTable('sessions').set({ ended_at: ctx.now() }).where('ended_at', 'is', null).execute()
}

/** Ends one usable session of an operator; returns false when there is none of this id. */
export async function endUsableSessionOf(
  ctx: Context,
  { operatorId, sessionId }: { operatorId: number; sessionId: number },
): Promise<boolean> {
  const now = ctx.now()
  const row = await tables(ctx)
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('id', '=', sessionId)
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .where((row) => isUsable(row, now))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Restricts every session of an operator to choosing a password. */
export async function restrictSessionsOf(ctx: Context, operatorId: number): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({ restricted: true })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends every other session of an operator, because the password or a factor changed; returns how many were still usable. */
export async function endOtherSessions(
  ctx: Context,
  { operatorId, sessionId, by = null }: { operatorId: number; sessionId: number; by?: SessionRow['ended_by'] },
): Promise<number> {
  const now = ctx.now()
  const ended = await tables(ctx)
    .updateTable('sessions')
    .set({ ended_at: now, ended_by: by })
    .where('operator_id', '=', operatorId)
    .where('id', '!=', sessionId)
    .where('ended_at', 'is', null)
    .returning((row) => isUsable(row, now).as('was_usable'))
    .execute()
  return ended.filter((session) => session.was_usable).length
}

/** Removes sessions that ended before the time, with their challenges. */
export async function deleteSessionsBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('sessions').where('expires_at', '<', time).execute()
}

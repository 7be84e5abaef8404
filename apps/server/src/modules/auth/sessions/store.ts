import type { Context } from '../../../context.ts'
import type { AuthTables, NeighbourTables, SessionRow } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables & NeighbourTables>()

type NewSession = Omit<SessionRow, 'id' | 'ended_at' | 'ended_by'>

/** Inserts a session. */
export async function insertSession(ctx: Context, session: NewSession): Promise<SessionRow> {
  return tables(ctx).insertInto('sessions').values(session).returningAll().executeTakeFirstOrThrow()
}

/** A session with what its operator decides about it. */
export type LiveSession = SessionRow & { readonly email: string; readonly reset_password_required: boolean }

/** Sessions that have not ended in any way, of operators who may still sign in. */
function liveSessions(ctx: Context) {
  const now = ctx.now()
  return tables(ctx)
    .selectFrom('sessions')
    .innerJoin('operators', 'operators.id', 'sessions.operator_id')
    .selectAll('sessions')
    .select(['operators.email', 'operators.reset_password_required'])
    .where('ended_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .where('operators.state', '=', 'active')
    .where('operators.deleted_at', 'is', null)
}

/** Finds the live session that a key or a fresh access token of this hash opens. */
export async function findLiveSession(ctx: Context, hash: Buffer): Promise<LiveSession | undefined> {
  return liveSessions(ctx)
    .where((row) =>
      row.or([
        row('key_hash', '=', hash),
        row.and([row('access_hash', '=', hash), row('access_expires_at', '>', ctx.now())]),
      ]),
    )
    .executeTakeFirst()
}

/** Finds a live session by id. */
export async function findLiveSessionById(ctx: Context, id: number): Promise<LiveSession | undefined> {
  return liveSessions(ctx).where('sessions.id', '=', id).executeTakeFirst()
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

/** Finds a session by id, whether it lives or not. */
export async function findSessionById(ctx: Context, id: number): Promise<SessionRow | undefined> {
  return tables(ctx).selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether an operator has, or had of late, a session from this network. */
export async function hasSessionFrom(
  ctx: Context,
  { operatorId, network }: { operatorId: number; network: string },
): Promise<boolean> {
  const row = await tables(ctx)
    .selectFrom('sessions')
    .select('id')
    .where('operator_id', '=', operatorId)
    .where('network', '=', network)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Moves the idle end of a session that is used now. */
export async function updateSessionUse(ctx: Context, id: number, idleExpiresAt: Date): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({ last_seen_at: ctx.now(), idle_expires_at: idleExpiresAt })
    .where('id', '=', id)
    .execute()
}

/** Sets until when a session's proof of presence holds. */
export async function updateStepUp(ctx: Context, id: number, until: Date): Promise<void> {
  await tables(ctx).updateTable('sessions').set({ step_up_until: until }).where('id', '=', id).execute()
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

/** Lists the sessions of an operator that have not ended in any way, the one used last first. */
export async function listLiveSessionsOf(ctx: Context, operatorId: number): Promise<SessionRow[]> {
  return liveSessions(ctx)
    .where('sessions.operator_id', '=', operatorId)
    .orderBy('sessions.last_seen_at', 'desc')
    .orderBy('sessions.id', 'desc')
    .execute()
}

/** Ends every session of everybody. */
export async function endAllSessions(ctx: Context): Promise<void> {
  await tables(ctx).updateTable('sessions').set({ ended_at: ctx.now() }).where('ended_at', 'is', null).execute()
}

/** Ends one live session of an operator; returns false when there is none of this id. */
export async function endLiveSessionOf(
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
    .where('idle_expires_at', '>', now)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Lets every session of an operator do nothing but choose a password. */
export async function restrictSessionsOf(ctx: Context, operatorId: number): Promise<void> {
  await tables(ctx)
    .updateTable('sessions')
    .set({ restricted: true })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends every session of an operator but the one that changes the password; returns how many somebody could still use. */
export async function endOtherSessions(
  ctx: Context,
  { operatorId, sessionId }: { operatorId: number; sessionId: number },
): Promise<number> {
  const now = ctx.now()
  const ended = await tables(ctx)
    .updateTable('sessions')
    .set({ ended_at: now, ended_by: 'password' })
    .where('operator_id', '=', operatorId)
    .where('id', '!=', sessionId)
    .where('ended_at', 'is', null)
    .returning(['idle_expires_at', 'expires_at'])
    .execute()
  return ended.filter((session) => session.idle_expires_at > now && session.expires_at > now).length
}

/** Removes sessions that ended before the time, with their challenges. */
export async function deleteSessionsBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('sessions').where('expires_at', '<', time).execute()
}

import type { Selectable } from 'kysely'

import type { Context } from '../../../context.ts'
import type { AuthTables, StepUpChallengeRow, StepUpTokenTable } from '../sessions/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<AuthTables>()

/** Inserts a challenge. */
export async function insertChallenge(ctx: Context, challenge: StepUpChallengeRow): Promise<void> {
  await tables(ctx).insertInto('step_up_challenges').values(challenge).execute()
}

/** Finds a challenge that has not run out, of this session only. */
export async function findChallenge(
  ctx: Context,
  { id, sessionId }: { id: string; sessionId: number },
): Promise<StepUpChallengeRow | undefined> {
  return tables(ctx)
    .selectFrom('step_up_challenges')
    .selectAll()
    .where('id', '=', id)
    .where('session_id', '=', sessionId)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
}

/** Removes a challenge that was answered; false when it was before: of two answers at once, one counts. */
export async function deleteChallenge(ctx: Context, id: string): Promise<boolean> {
  const row = await tables(ctx).deleteFrom('step_up_challenges').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Removes challenges that ran out before the time. */
export async function deleteChallengesBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('step_up_challenges').where('expires_at', '<', time).execute()
}

/** Stores a token. */
export async function insertToken(
  ctx: Context,
  token: Omit<Selectable<StepUpTokenTable>, 'created_at'>,
): Promise<void> {
  await tables(ctx)
    .insertInto('step_up_tokens')
    .values({ ...token, created_at: ctx.now() })
    .execute()
}

/** Removes a token of the session for the action and returns what it was given for; of two calls at once, one gets it. */
export async function deleteToken(
  ctx: Context,
  { tokenHash, sessionId, action }: { tokenHash: Buffer; sessionId: number; action: string },
): Promise<Pick<Selectable<StepUpTokenTable>, 'digest' | 'method' | 'signature'> | undefined> {
  return tables(ctx)
    .deleteFrom('step_up_tokens')
    .where('token_hash', '=', tokenHash)
    .where('session_id', '=', sessionId)
    .where('action', '=', action)
    .where('expires_at', '>', ctx.now())
    .returning(['digest', 'method', 'signature'])
    .executeTakeFirst()
}

/** Removes tokens that ran out before the time. */
export async function deleteTokensBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('step_up_tokens').where('expires_at', '<', time).execute()
}

import type { Context } from '../../../context.ts'
import type { AuthTables, StepUpChallengeRow } from '../sessions/tables.ts'

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

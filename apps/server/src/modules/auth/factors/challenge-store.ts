import type { Context } from '../../../context.ts'
import type { ChallengeRow, FactorTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<FactorTables>()

/** Inserts a challenge. */
export async function insertChallenge(ctx: Context, challenge: Omit<ChallengeRow, 'tries'>): Promise<void> {
  await tables(ctx).insertInto('factor_challenges').values(challenge).execute()
}

/** Finds the challenge of a sign-in that has not run out, by the hash of its token, and charges it one try. */
export async function chargeTry(ctx: Context, tokenHash: Buffer, most: number): Promise<ChallengeRow | undefined> {
  return tables(ctx)
    .updateTable('factor_challenges')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', ctx.now())
    .where('tries', '<', most)
    .returningAll()
    .executeTakeFirst()
}

/** Finds a challenge of a purpose that has not run out; of a session only when it is the one that asks. */
export async function findChallenge(
  ctx: Context,
  { id, purpose, sessionId }: { id: string; purpose: ChallengeRow['purpose']; sessionId: number | null },
): Promise<ChallengeRow | undefined> {
  return tables(ctx)
    .selectFrom('factor_challenges')
    .selectAll()
    .where('id', '=', id)
    .where('purpose', '=', purpose)
    .where('session_id', 'is not distinct from', sessionId)
    .where('expires_at', '>', ctx.now())
    .executeTakeFirst()
}

/** Removes a challenge that is answered; false when it was answered before: of two answers at once, one counts. */
export async function deleteChallenge(ctx: Context, id: string): Promise<boolean> {
  const row = await tables(ctx).deleteFrom('factor_challenges').where('id', '=', id).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Removes challenges that ran out before the time. */
export async function deleteChallengesBefore(ctx: Context, time: Date): Promise<void> {
  await tables(ctx).deleteFrom('factor_challenges').where('expires_at', '<', time).execute()
}

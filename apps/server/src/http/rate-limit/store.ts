import { sql } from 'kysely'

import type { Context } from '../../context.ts'

/**
 * Takes one token from a bucket that all processes share; returns the seconds to wait, 0 when it got a token. One statement
 * refills and takes, so that parallel calls cannot take the same token. A refused call takes none: a value below 0 stands
 * for a token that was missing, and it is added again before the next one is taken.
 */
export async function takeSharedToken(
  ctx: Context,
  bucket: string,
  { perSecond, burst }: { perSecond: number; burst: number },
): Promise<number> {
  const { rows } = await sql<{ tokens: number }>`
    INSERT INTO rate_buckets AS b (bucket, tokens, filled_at) VALUES (${bucket}, ${burst - 1}::float8, now())
    ON CONFLICT (bucket) DO UPDATE SET
      tokens = least(${burst}::float8, b.tokens + CASE WHEN b.tokens < 0 THEN 1 ELSE 0 END
        + greatest(0, extract(epoch FROM now() - b.filled_at)) * ${perSecond}::float8) - 1,
      filled_at = greatest(b.filled_at, now())
    RETURNING tokens`.execute(ctx.db)
  const tokens = rows[0]?.tokens ?? 0
  return tokens >= 0 ? 0 : Math.ceil(-tokens / perSecond)
}

/** Deletes the buckets without use since the time: they are full again. */
export async function deleteBucketsBefore(ctx: Context, time: Date): Promise<void> {
  await sql`DELETE FROM rate_buckets WHERE filled_at < ${time}`.execute(ctx.db)
}

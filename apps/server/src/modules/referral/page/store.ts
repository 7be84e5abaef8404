import { sql } from 'kysely'

import type { Context, PromoterFacts } from '../../../context.ts'

export type TokenRow = PromoterFacts & { readonly createdAt: Date; readonly expiresAt: Date }

/** Finds the token of a page that is still good. */
export async function findToken(ctx: Context, hash: Buffer): Promise<TokenRow | undefined> {
  const { rows } = await sql<TokenRow>`
    SELECT token.id AS "tokenId", token.referrer_id AS "referrerId", person.project_id AS "projectId",
      token.created_at AS "createdAt", token.expires_at AS "expiresAt"
    FROM referral_tokens AS token JOIN referrers AS person ON person.id = token.referrer_id
    WHERE token.token_hash = ${hash} AND token.expires_at > ${ctx.now()}`.execute(ctx.db)
  return rows[0]
}

/** Lets a token live on until a time. */
export async function updateTokenEnd(ctx: Context, id: bigint, expiresAt: Date): Promise<void> {
  await sql`UPDATE referral_tokens SET expires_at = ${expiresAt} WHERE id = ${id}`.execute(ctx.db)
}

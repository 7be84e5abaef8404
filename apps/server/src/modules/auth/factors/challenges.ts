import { randomBytes } from 'node:crypto'

import { uuidv7 } from '@kassa/primitives/ids.ts'

import type { Context } from '../../../context.ts'
import { insertChallenge } from './challenge-store.ts'
import type { ChallengeRow } from './tables.ts'

/** A question waits this long for its answer (api.md A4). */
const CHALLENGE_MS = 5 * 60_000

/** Returns when a question that is asked now runs out. */
export function challengeEnd(ctx: Context): Date {
  return new Date(ctx.now().getTime() + CHALLENGE_MS)
}

const NO_SIGN_IN = { operator_id: null, password_digest: null, token_hash: null, network: null, user_agent: null }

/** Stores a question; returns its id. */
export async function newChallenge(
  ctx: Context,
  challenge: Pick<ChallengeRow, 'purpose' | 'value'> & Partial<ChallengeRow>,
): Promise<string> {
  const now = ctx.now()
  const id = uuidv7(now.getTime(), randomBytes(10))
  const row = { ...NO_SIGN_IN, session_id: null, ...challenge, id, expires_at: challengeEnd(ctx), created_at: now }
  await insertChallenge(ctx, row)
  return id
}

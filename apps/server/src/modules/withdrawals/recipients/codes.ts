/** Codes by mail: adding an address requires access to a member's mailbox (api.md D18, D19). */
import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import { actorOf, type Context, inTransaction } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { creatorOfKey } from '../../api-keys/service.ts'
import { sendEmail, acceptsEmails } from '../../mail/service.ts'
import { findOperator, lockOperator, type OperatorRow } from '../../operators/accounts/service.ts'
import { listProjects } from '../../projects/service.ts'
import {
  deleteCodesBefore,
  endCodesOf,
  findLatestCode,
  findWorkingCode,
  insertCode,
  listCodeTimes,
  setCodeHash,
  updateTries,
} from './code-store.ts'
import { recipientCode } from './emails.ts'
import { hashCode, isSameHash, newCode } from './code-hash.ts'
import { CODE_MS, MOST_TRIES, SENDS, SENDS_TO_PERSON, waitForSend } from './rules.ts'
import { findRecipient, moveRecipient, updateKnownSince } from './store.ts'
import type { RecipientWithPlaces } from './tables.ts'

/** The queued request; the code is made when the mail is written, so that its text is never stored. */
type CodeRequest = { readonly codeId: string }

export const mailCodeJob = job<CodeRequest>({
  queue: 'withdrawals.mail-code',
  worker: 'email-processor',
  run: mailCode,
  concurrency: 2,
})

export const forgetCodesJob = job({
  queue: 'withdrawals.forget-codes',
  worker: 'account-processor',
  run: forgetCodes,
  everySeconds: 3600,
})

/** Codes are deleted after a month. */
const RETENTION_MS = 30 * 24 * 3_600_000

/**
 * Who gets the code of a caller: the operator, or the member who made the key; null when that member has left.
 * @throws SMTP_NOT_CONFIGURED
 */
export async function receiverOf(ctx: Context): Promise<OperatorRow | null> {
  const { caller } = ctx
  if (!(await acceptsEmails(ctx))) {
    return fail('SMTP_NOT_CONFIGURED', {
      details: 'Set up a mail server, or a second factor of your own, which takes the place of the code.',
    })
  }
  const id =
    caller.kind === 'operator' ? caller.operatorId : caller.kind === 'key' && (await creatorOfKey(ctx, caller.keyId))
  const operator = typeof id === 'number' ? await findOperator(ctx, id) : null
  return operator?.state === 'active' ? operator : null
}

/** Queues the mail with a code; every older code of the recipient stops working. Joins the transaction. @throws RATE_LIMITED */
export async function requestCode(tx: Context, recipientId: number, operatorId: number): Promise<Date> {
  // Concurrent requests for the same person wait here, so that their counts are right.
  await lockOperator(tx, operatorId)
  await requireFewSends(tx, { recipientId }, SENDS)
  await requireFewSends(tx, { operatorId }, SENDS_TO_PERSON)
  await endCodesOf(tx, recipientId)
  const expires_at = new Date(tx.now().getTime() + CODE_MS)
  const codeId = await insertCode(tx, { recipient_id: recipientId, operator_id: operatorId, expires_at })
  await mailCodeJob.send(tx, { codeId: String(codeId) })
  return expires_at
}

async function requireFewSends(
  tx: Context,
  of: { readonly recipientId: number } | { readonly operatorId: number },
  limit: { readonly most: number; readonly withinMs: number },
): Promise<void> {
  const now = tx.now()
  const times = await listCodeTimes(tx, of, new Date(now.getTime() - limit.withinMs))
  const seconds = waitForSend(times, limit, now)
  if (seconds !== null) fail('RATE_LIMITED', { values: { seconds }, retryAfter: seconds, data: { seconds } })
}

/** The job that mails a code; does nothing for a code that was replaced, or a recipient that needs none any more. */
async function mailCode(ctx: Context, { codeId }: CodeRequest): Promise<void> {
  const row = await findWorkingCode(ctx, BigInt(codeId))
  if (!row) return
  const recipient = await findRecipient(ctx, row.recipient_id)
  const operator = await findOperator(ctx, row.operator_id)
  if (recipient?.status !== 'pending-otp-verification' || operator?.state !== 'active') return
  const code = newCode()
  const hash = hashCode(keyFor(ctx, 'codes'), subjectOf(row.id, recipient), code)
  const expiresAt = new Date(ctx.now().getTime() + CODE_MS)
  // A mail that fails is retried with a new code, because only the hash of this one is stored.
  if (!(await setCodeHash(ctx, { id: row.id, hash, expiresAt }))) return
  const projects = await listProjects(
    ctx,
    recipient.places.map(({ projectId }) => projectId),
  )
  const message = recipientCode({
    code,
    name: recipient.name,
    address: recipient.address,
    network: recipient.code,
    projects: projects.map(({ name }) => name),
  })
  await sendEmail(ctx, { to: operator.email, message })
}

/** The result of trying a code. */
export type CodeOutcome =
  | { readonly verified: true }
  | { readonly refused: 'OTP_INVALID' | 'OTP_EXPIRED'; readonly triesLeft?: number }

/**
 * Tries a code on a recipient that the transaction has locked. A wrong one counts, so the transaction must commit whatever
 * the outcome is; the caller refuses afterwards.
 */
export async function tryCode(tx: Context, recipient: RecipientWithPlaces, code: string): Promise<CodeOutcome> {
  if (recipient.status !== 'pending-otp-verification') return { refused: 'OTP_INVALID' }
  const row = await findLatestCode(tx, recipient.id)
  if (row === undefined) return { refused: 'OTP_INVALID' }
  if (row.ended_at !== null || row.expires_at <= tx.now()) return { refused: 'OTP_EXPIRED' }
  const expected = row.code_hash
  const hash = hashCode(keyFor(tx, 'codes'), subjectOf(row.id, recipient), code)
  if (expected === null || !isSameHash(expected, hash)) {
    const tries = row.tries + 1
    await updateTries(tx, row.id, { tries, ends: tries >= MOST_TRIES })
    return { refused: 'OTP_INVALID', triesLeft: MOST_TRIES - tries }
  }
  await endCodesOf(tx, recipient.id)
  const moved = await moveRecipient(tx, recipient.id, { to: 'active', by: actorOf(tx.caller) })
  if (!moved) return { refused: 'OTP_INVALID' }
  await updateKnownSince(tx, recipient.id)
  return { verified: true }
}

function subjectOf(codeId: bigint, { id, blockchain_id, address }: RecipientWithPlaces): (bigint | number | string)[] {
  return [codeId, id, blockchain_id, address]
}

/** Deletes codes that are too old to be used. */
async function forgetCodes(ctx: Context): Promise<void> {
  await inTransaction(ctx, (tx) => deleteCodesBefore(tx, new Date(tx.now().getTime() - RETENTION_MS)))
}

/** Codes by mail: adding an address requires access to a member's mailbox (api.md D18, D19). */
import { fail } from '@kassa/contract/kit/api-error.ts'

import { actorOf, type Context, inTransaction } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { creatorOfKey } from '../../api-keys/service.ts'
import { sendEmail, acceptsEmails } from '../../mail/service.ts'
import { findOperator, lockOperator, type OperatorRow } from '../../operators/accounts/service.ts'
import { listProjects } from '../../projects/service.ts'
import {
  codeEnd,
  type CodeOutcome,
  makeCode,
  oldestCode,
  requireFew,
  SENDS,
  SENDS_TO_PERSON,
  tryCode as tryMailed,
} from '../codes/service.ts'
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
import { findRecipient, moveRecipient, updateKnownSince } from './store.ts'
import type { CodeRow, RecipientWithPlaces } from './tables.ts'

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
  const since = (limit: { readonly withinMs: number }) => new Date(tx.now().getTime() - limit.withinMs)
  requireFew(tx, await listCodeTimes(tx, { recipientId }, since(SENDS)), SENDS)
  requireFew(tx, await listCodeTimes(tx, { operatorId }, since(SENDS_TO_PERSON)), SENDS_TO_PERSON)
  await endCodesOf(tx, recipientId)
  const expires_at = codeEnd(tx)
  const codeId = await insertCode(tx, { recipient_id: recipientId, operator_id: operatorId, expires_at })
  await mailCodeJob.send(tx, { codeId: String(codeId) })
  return expires_at
}

/** The job that mails a code; does nothing for a code that was replaced, or a recipient that needs none any more. */
async function mailCode(ctx: Context, { codeId }: CodeRequest): Promise<void> {
  const row = await findWorkingCode(ctx, BigInt(codeId))
  if (!row) return
  const recipient = await findRecipient(ctx, row.recipient_id)
  const operator = await findOperator(ctx, row.operator_id)
  if (recipient?.status !== 'pending-otp-verification' || operator?.state !== 'active') return
  const code = await makeCode(ctx, { id: row.id, subject: subjectOf(row, recipient, operator) }, setCodeHash)
  if (code === null) return
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

/**
 * Tries a code on a recipient that the transaction has locked; the right one verifies it. It works while the member who got it is
 * active and has the e-mail address it was mailed to. A wrong one counts, so the transaction must commit whatever the outcome is;
 * the caller refuses afterwards.
 */
export async function tryCode(tx: Context, recipient: RecipientWithPlaces, code: string): Promise<CodeOutcome> {
  const invalid = { isRight: false, refused: 'OTP_INVALID' } as const
  if (recipient.status !== 'pending-otp-verification') return invalid
  const latest = await findLatestCode(tx, recipient.id)
  const operator = latest && (await findOperator(tx, latest.operator_id))
  if (latest && operator?.state !== 'active') return { isRight: false, refused: 'OTP_EXPIRED' }
  const typed = { code, subjectOf: (row: CodeRow) => subjectOf(row, recipient, operator), updateTries }
  const outcome = await tryMailed(tx, latest, typed)
  if (!outcome.isRight) return outcome
  await endCodesOf(tx, recipient.id)
  const moved = await moveRecipient(tx, recipient.id, { to: 'active', by: actorOf(tx.caller) })
  if (!moved) return invalid
  await updateKnownSince(tx, recipient.id)
  return outcome
}

function subjectOf(
  code: Pick<CodeRow, 'id'>,
  { id, blockchain_id, address }: RecipientWithPlaces,
  operator: Pick<OperatorRow, 'email'> | null | undefined,
) {
  return [code.id, id, blockchain_id, address, operator?.email ?? '']
}

/** Deletes codes that are too old to be used. */
async function forgetCodes(ctx: Context): Promise<void> {
  await inTransaction(ctx, (tx) => deleteCodesBefore(tx, oldestCode(tx)))
}

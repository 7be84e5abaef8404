/** Codes by mail: a withdrawal requires access to the promoter's mailbox (api.md U4). */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { mailboxKey } from '@kassa/contract/kit/mailbox-key.ts'

import { type Context, inTransaction, type PromoterFacts } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { getProject } from '../../projects/service.ts'
import {
  codeEnd,
  mailboxLimit,
  makeCode,
  oldestCode,
  refuseCode,
  requireFew,
  SENDS,
  SENDS_A_DAY,
  TRIES_A_DAY,
  tryCode,
} from '../../withdrawals/codes/service.ts'
import { endCodesOf, getReferrer, lockReferrers, type ReferrerRow } from '../referrers/service.ts'
import {
  type CodeRow,
  deleteCodesBefore,
  findWorkingCode,
  hasUsedCode,
  insertCode,
  listCodesSince,
  lockLatestCode,
  lockMailbox,
  moveCodeUsed,
  updateCodeHash,
  updateTries,
} from './code-store.ts'

/** The queued request; the code is made when the mail is written, so that its text is never stored. */
type CodeRequest = { readonly codeId: string }

export const mailWithdrawalCodeJob = job<CodeRequest>({
  queue: 'referral.mail-code',
  worker: 'email-processor',
  run: mailCode,
  concurrency: 2,
})

export const forgetWithdrawalCodesJob = job({
  queue: 'referral.forget-codes',
  worker: 'account-processor',
  run: (ctx) => inTransaction(ctx, (tx) => deleteCodesBefore(tx, oldestCode(tx))),
  everySeconds: 3600,
})

/** Queues the mail with a code; an older one stops working. @throws SMTP_NOT_CONFIGURED, REFERRER_INACTIVE, RATE_LIMITED */
export async function sendCode(ctx: Context, { referrerId, tokenId }: PromoterFacts): Promise<Date> {
  if (!(await acceptsEmails(ctx))) return fail('SMTP_NOT_CONFIGURED')
  return inTransaction(ctx, async (tx) => {
    // Concurrent requests wait here, so that their counts are right.
    const [promoter] = await lockReferrers(tx, [referrerId])
    if (promoter?.status !== 'active') return fail('REFERRER_INACTIVE')
    await requireFewSends(tx, promoter)
    const expiresAt = codeEnd(tx)
    await endCodesOf(tx, referrerId)
    const codeId = await insertCode(tx, { referrerId, tokenId, mailbox: mailboxKey(promoter.email), expiresAt })
    await mailWithdrawalCodeJob.send(tx, { codeId: String(codeId) })
    tx.change(null, { referrerID: referrerId, codeSentTo: promoter.email }, { projectId: promoter.project_id })
    return expiresAt
  })
}

/**
 * Counts mails of this promoter; of one who has not shown yet that the mailbox is theirs, also all mails of the day to this
 * mailbox, of which others may use up far more before the first ones of a promoter are refused. Nobody is written to without end
 * by promoters who only name the mailbox, and a few of these lock nobody out who reads it.
 */
async function requireFewSends(tx: Context, promoter: ReferrerRow): Promise<void> {
  const since = startOfDay(tx)
  const times = (codes: readonly CodeRow[]) => codes.map(({ created_at }) => created_at)
  const owned = await listCodesSince(tx, { referrerId: promoter.id }, since)
  const own = times(owned)
  requireFew(tx, own, SENDS)
  requireFew(tx, own, SENDS_A_DAY)
  if (await hasUsedCode(tx, promoter.id)) return
  const mailbox = mailboxKey(promoter.email)
  await lockMailbox(tx, mailbox)
  const isOfMailbox = ({ email }: CodeRow) => email === mailbox
  const limit = mailboxLimit(owned.filter(isOfMailbox).length)
  requireFew(tx, times(await listCodesSince(tx, { mailbox }, since)), limit)
}

/** Counts wrong codes of this promoter alone: another one of their mailbox has codes and rewards of their own. */
async function requireFewTries(tx: Context, { id: referrerId }: ReferrerRow): Promise<void> {
  const codes = await listCodesSince(tx, { referrerId }, startOfDay(tx))
  // Each counts from the time its code was requested.
  const times = codes.flatMap(({ created_at, tries }) => Array.from({ length: tries }, () => created_at))
  requireFew(tx, times, TRIES_A_DAY)
}

function startOfDay(tx: Context): Date {
  return new Date(tx.now().getTime() - SENDS_A_DAY.withinMs)
}

/** The job that mails a code; does nothing for a code that was replaced. */
async function mailCode(ctx: Context, { codeId }: CodeRequest): Promise<void> {
  const row = await findWorkingCode(ctx, BigInt(codeId))
  if (!row) return
  const promoter = await getReferrer(ctx, { projectId: null, projectIds: 'every' }, row.referrer_id)
  if (promoter.status !== 'active') return
  // Their address was changed meanwhile: the mail was counted for another mailbox.
  if (row.email !== null && row.email !== mailboxKey(promoter.email)) return
  const code = await makeCode(ctx, { id: row.id, subject: subjectOf(row) }, updateCodeHash)
  if (code === null) return
  const { name: shop } = await getProject(ctx, promoter.project_id)
  await sendEmail(ctx, { to: promoter.email, message: withdrawalCode(code, shop) })
}

function withdrawalCode(code: string, shop: string): EmailMessage {
  return {
    subject: `Your code to withdraw rewards of ${shop}`,
    paragraphs: [
      `Code: ${code}`,
      `Somebody is about to withdraw the rewards you earned at ${shop}. Type the code on the page where you asked for it.`,
      'The code works once, for 10 minutes.',
    ],
    foot: 'If that was not you, tell the code to nobody; without it nothing is paid.',
  }
}

/**
 * Checks the code that was typed on a page and returns its id, which `useCode` takes in the transaction of the withdrawal.
 * Opens its own transaction, because a wrong code must be counted although the call fails.
 * @throws OTP_INVALID, OTP_EXPIRED, RATE_LIMITED
 */
export async function checkCode(ctx: Context, { referrerId, tokenId }: PromoterFacts, code: string): Promise<bigint> {
  const { outcome, id } = await inTransaction(ctx, async (tx) => {
    // Concurrent tries wait here, so that their counts are right.
    const [promoter] = await lockReferrers(tx, [referrerId])
    if (promoter) await requireFewTries(tx, promoter)
    const row = await lockLatestCode(tx, referrerId, tokenId)
    return { outcome: await tryCode(tx, row, { code, subjectOf, updateTries }), id: row?.id ?? 0n }
  })
  return outcome.isRight ? id : refuseCode(outcome)
}

/** Uses a checked code up. @throws OTP_INVALID when another withdrawal has used it */
export async function useCode(tx: Context, id: bigint): Promise<void> {
  if (!(await moveCodeUsed(tx, id))) fail('OTP_INVALID')
}

function subjectOf({ id, referrer_id, token_id }: Pick<CodeRow, 'id' | 'referrer_id' | 'token_id'>) {
  return ['referral', id, referrer_id, token_id]
}

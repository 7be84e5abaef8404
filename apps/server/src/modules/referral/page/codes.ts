/** Codes by mail: a withdrawal requires access to the promoter's mailbox (api.md U4). */
import { fail } from '@kassa/contract/kit/api-error.ts'

import { keyFor } from '../../../config/keys.ts'
import { type Context, inTransaction, type PromoterFacts } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { getProject } from '../../projects/service.ts'
import {
  CODE_MS,
  hashCode,
  isSameHash,
  MOST_TRIES,
  newCode,
  SENDS,
  waitForSend,
} from '../../withdrawals/recipients/service.ts'
import { getReferrer, lockReferrers } from '../referrers/service.ts'
import {
  type CodeRow,
  deleteCodesBefore,
  findWorkingCode,
  insertCode,
  listCodeTimes,
  lockLatestCode,
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
  run: (ctx) => inTransaction(ctx, (tx) => deleteCodesBefore(tx, new Date(tx.now().getTime() - RETENTION_MS))),
  everySeconds: 3600,
})

/** Codes are deleted after a month. */
const RETENTION_MS = 30 * 24 * 3_600_000

/** Queues the mail with a code; an older one stops working. @throws SMTP_NOT_CONFIGURED, REFERRER_INACTIVE, RATE_LIMITED */
export async function sendCode(ctx: Context, { referrerId, tokenId }: PromoterFacts): Promise<Date> {
  if (!(await acceptsEmails(ctx))) return fail('SMTP_NOT_CONFIGURED')
  return inTransaction(ctx, async (tx) => {
    // Concurrent requests wait here, so that their counts are right.
    const [promoter] = await lockReferrers(tx, [referrerId])
    if (promoter?.status !== 'active') return fail('REFERRER_INACTIVE')
    const now = tx.now()
    const times = await listCodeTimes(tx, referrerId, new Date(now.getTime() - SENDS.withinMs))
    const seconds = waitForSend(times, SENDS, now)
    if (seconds !== null) return fail('RATE_LIMITED', { values: { seconds }, retryAfter: seconds, data: { seconds } })
    const expiresAt = new Date(now.getTime() + CODE_MS)
    const codeId = await insertCode(tx, { referrerId, tokenId, expiresAt })
    await mailWithdrawalCodeJob.send(tx, { codeId: String(codeId) })
    tx.change(null, { referrerID: referrerId, codeSentTo: promoter.email }, { projectId: promoter.project_id })
    return expiresAt
  })
}

/** The job that mails a code; does nothing for a code that was replaced. */
async function mailCode(ctx: Context, { codeId }: CodeRequest): Promise<void> {
  const row = await findWorkingCode(ctx, BigInt(codeId))
  if (!row) return
  const promoter = await getReferrer(ctx, { projectId: null, projectIds: 'every' }, row.referrer_id)
  if (promoter.status !== 'active') return
  const code = newCode()
  const expiresAt = new Date(ctx.now().getTime() + CODE_MS)
  // A mail that fails is retried with a new code, because only the hash of this one is stored.
  if (!(await updateCodeHash(ctx, { id: row.id, hash: hashOf(ctx, row, code), expiresAt }))) return
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
 * Opens its own transaction, because a wrong code must be counted although the call fails. @throws OTP_INVALID, OTP_EXPIRED
 */
export async function checkCode(ctx: Context, { referrerId, tokenId }: PromoterFacts, code: string): Promise<bigint> {
  const checked = await inTransaction(ctx, async (tx) => {
    const row = await lockLatestCode(tx, referrerId, tokenId)
    if (!row) return { refused: 'OTP_INVALID' as const }
    if (row.ended_at !== null || row.expires_at <= tx.now()) return { refused: 'OTP_EXPIRED' as const }
    if (row.code_hash !== null && isSameHash(row.code_hash, hashOf(tx, row, code))) return { id: row.id }
    const tries = row.tries + 1
    await updateTries(tx, row.id, { tries, ends: tries >= MOST_TRIES })
    return { refused: 'OTP_INVALID' as const, triesLeft: MOST_TRIES - tries }
  })
  if ('id' in checked && checked.id !== undefined) return checked.id
  const { refused, triesLeft } = checked
  return fail(refused ?? 'OTP_INVALID', { ...(triesLeft !== undefined && { data: { triesLeft } }) })
}

/** Uses a checked code up. @throws OTP_INVALID when another withdrawal has used it */
export async function useCode(tx: Context, id: bigint): Promise<void> {
  if (!(await moveCodeUsed(tx, id))) fail('OTP_INVALID')
}

function hashOf(ctx: Context, row: Pick<CodeRow, 'id' | 'referrer_id' | 'token_id'>, code: string): Buffer {
  return hashCode(keyFor(ctx, 'codes'), ['referral', row.id, row.referrer_id, row.token_id], code)
}

/** Reminders: a customer gets one mail about a link that is still open shortly before its end (api.md P8 `reminderMail`). */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { type Context, inTransaction } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { sendEmail, acceptsEmails } from '../../mail/service.ts'
import { getProject, paymentPolicy, projectsThatRemind } from '../../projects/service.ts'
import type { Payment } from '../payment/payment.ts'
import { linkTo } from '../payment/links.ts'
import { findPayment } from '../payment/store.ts'
import { reminderOf } from './email.ts'
import { hasMoney, markReminded, markRemindedNow } from './store.ts'

/** Small enough that a transaction stays short; the rest follows at once. */
const BATCH = 100

export const remindJob = job({
  queue: 'payments.remind',
  worker: 'deposit-processor',
  run: remindCustomers,
  everySeconds: 60,
})

/** `asked`: an operator wants it, whatever the policy of the project. */
type Reminder = { readonly reference: string; readonly asked?: true }

export const mailReminderJob = job<Reminder>({
  queue: 'payments.mail-reminder',
  worker: 'email-processor',
  run: mailReminder,
})

/** Queues the reminders that are due, each once; returns how many. Where no mail leaves, nothing is marked. */
async function remindCustomers(ctx: Context): Promise<number> {
  if (!(await acceptsEmails(ctx))) return 0
  const projectIds = await projectsThatRemind(ctx)
  let count = 0
  for (;;) {
    const queued = await queueReminders(ctx, projectIds)
    count += queued
    if (queued < BATCH) return count
  }
}

/** The mark and the mails exist both or neither. */
function queueReminders(ctx: Context, projectIds: readonly number[]): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const references = await markReminded(tx, projectIds, BATCH)
    for (const reference of references) await mailReminderJob.send(tx, { reference })
    return references.length
  })
}

/**
 * Queues the reminder of a payment now; each payment has one. The mark and the mail exist both or neither.
 * @throws SMTP_NOT_CONFIGURED, PAYMENT_NOT_OPEN, PAYMENT_HAS_FUNDS, RESOLUTION_NOT_POSSIBLE
 */
export async function remindNow(ctx: Context, payment: Payment): Promise<void> {
  const { id, reference, customer } = payment
  if (!(await acceptsEmails(ctx))) fail('SMTP_NOT_CONFIGURED')
  if (customer.email === '') fail('RESOLUTION_NOT_POSSIBLE', { details: 'No e-mail of its customer is known.' })
  await inTransaction(ctx, async (tx) => {
    if (!(await markRemindedNow(tx, id))) await refuse(tx, reference)
    await mailReminderJob.send(tx, { reference, asked: true })
    tx.change(null, { referenceID: reference, email: customer.email }, { projectId: payment.project.id })
  })
}

async function refuse(tx: Context, reference: string): Promise<never> {
  const payment = (await findPayment(tx, reference)) ?? fail('PAYMENT_NOT_FOUND')
  if (payment.status !== 'OPEN' || payment.expiresAt <= tx.now()) return fail('PAYMENT_NOT_OPEN')
  if (await hasMoney(tx, payment.id)) return fail('PAYMENT_HAS_FUNDS')
  return fail('RESOLUTION_NOT_POSSIBLE', { details: 'Its customer was reminded already.' })
}

/** Sends the mail unless the payment was paid, ended or its project changed its mind while the mail waited. */
async function mailReminder(ctx: Context, { reference, asked }: Reminder): Promise<void> {
  const payment = await findPayment(ctx, reference)
  if (!payment || !(await acceptsEmails(ctx)) || !(await isWanted(ctx, payment, asked))) return
  const project = await getProject(ctx, payment.project.id)
  const { url } = await linkTo(ctx, project, reference)
  await sendEmail(ctx, {
    to: payment.customer.email,
    message: reminderOf(payment, url),
    from: project.email_send_request_from,
    replyTo: project.email_send_request_reply_to || project.support_email,
  })
  // After the mail: the timeline has no reminder that never left. A process that dies between the two sends it twice.
  const event = { type: 'payment.reminded', projectId: project.id, referenceId: reference } as const
  await inTransaction(ctx, (tx) => tx.events.emit(tx, { ...event, payload: { reference_id: reference } }))
}

async function isWanted(ctx: Context, payment: Payment, asked = false): Promise<boolean> {
  if (payment.status !== 'OPEN' || payment.expiresAt <= ctx.now() || (await hasMoney(ctx, payment.id))) return false
  return asked || (await paymentPolicy(ctx, payment.project.id)).reminderMail
}

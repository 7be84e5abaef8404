/**
 * Receipts by e-mail, for everybody who has the link of a paid payment. The requester writes no part of the mail, and few are sent
 * a day, so that the form cannot be used to send spam.
 */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { mailboxKey } from '@kassa/contract/kit/mailbox-key.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { maskEmail } from '../../auth/passwords/service.ts'
import { acceptsEmails, type EmailMessage, sendEmail } from '../../mail/service.ts'
import { getProject } from '../../projects/service.ts'
import type { Payment } from '../payment/payment.ts'
import { getByReference } from '../payment/service.ts'
import { findPayment, lockPayment } from '../payment/store.ts'
import { deleteRequests, insertRequest, listRequests, lockMailbox } from './store.ts'

const DAY_MS = 24 * 3_600_000

/** The most mails a day about one payment, and to one mailbox however it is spelled: enough to correct a mistyped one. */
const MOST_A_DAY = 3

/** An equal request within this time is a second press of the button. */
const SECOND_PRESS_MS = 60_000

/** `limited`: the most mails of a day have been requested. */
export type ReceiptOutcome = 'queued' | 'limited' | 'not_paid' | 'no_address'

export type ReceiptRequest = {
  /** Lower case; empty: the e-mail of the customer. */
  readonly address: string
  readonly message: EmailMessage
}

type ReceiptMail = { readonly reference: string; readonly to: string; readonly message: EmailMessage }

export const mailReceiptJob = job<ReceiptMail>({
  queue: 'payments.mail-receipt',
  worker: 'email-processor',
  run: mailReceipt,
})

/**
 * Queues the receipt of a paid payment, in one transaction with the record of the request.
 * @throws SMTP_NOT_CONFIGURED, PAYMENT_REFERENCE_UNKNOWN
 */
export async function requestReceipt(
  ctx: Context,
  reference: string,
  request: ReceiptRequest,
): Promise<ReceiptOutcome> {
  if (!(await acceptsEmails(ctx))) fail('SMTP_NOT_CONFIGURED')
  const { id } = await getByReference(ctx, reference)
  return inTransaction(ctx, async (tx) => {
    const payment = (await lockPayment(tx, id)) ?? fail('PAYMENT_REFERENCE_UNKNOWN')
    if (!isPaid(payment)) return 'not_paid'
    const address = request.address || payment.customer.email.toLowerCase()
    if (address === '') return 'no_address'
    const mailbox = mailboxKey(address)
    await lockMailbox(tx, mailbox)
    const now = tx.now().getTime()
    const requests = await listRequests(tx, { paymentId: id, mailbox }, new Date(now - DAY_MS))
    const ofPayment = requests.filter((row) => row.payment_id === id)
    const ofMailbox = requests.filter((row) => row.address === mailbox)
    const isAgain = ofPayment.some(
      (row) => row.address === mailbox && row.requested_at.getTime() > now - SECOND_PRESS_MS,
    )
    if (isAgain) return 'queued'
    if (Math.max(ofPayment.length, ofMailbox.length) >= MOST_A_DAY) return 'limited'
    await insertRequest(tx, { paymentId: id, mailbox })
    await mailReceiptJob.send(tx, { reference: payment.reference, to: address, message: request.message })
    return 'queued'
  })
}

/** Sends the mail unless the payment is no longer paid: a reorganisation took its money back while the mail waited. */
async function mailReceipt(ctx: Context, { reference, to, message }: ReceiptMail): Promise<void> {
  const payment = await findPayment(ctx, reference)
  if (!payment || !isPaid(payment) || !(await acceptsEmails(ctx))) return
  const project = await getProject(ctx, payment.project.id)
  await sendEmail(ctx, {
    to,
    message,
    from: project.email_send_request_from,
    replyTo: project.email_send_request_reply_to || project.support_email,
  })
  // After the mail, so that the timeline has no receipt that was never sent. A process that dies between the two sends it again.
  const event = { type: 'payment.receipt_mailed', projectId: project.id, referenceId: reference } as const
  const payload = { reference_id: reference, email: maskEmail(to) }
  await inTransaction(ctx, (tx) => tx.events.emit(tx, { ...event, payload }))
  await deleteRequests(ctx, new Date(ctx.now().getTime() - DAY_MS))
}

function isPaid({ status }: Payment): boolean {
  return status === 'FILLED' || status === 'OVER_FILLED'
}

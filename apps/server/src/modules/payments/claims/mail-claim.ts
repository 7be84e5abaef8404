/** Mails the customer that an address was entered for their refund: everybody who has the link of a payment can enter one. */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { acceptsEmails, type EmailMessage, sendEmail } from '../../mail/service.ts'
import { getProject } from '../../projects/service.ts'
import { linkTo } from '../payment/links.ts'
import type { Payment } from '../payment/payment.ts'
import { findPayment } from '../payment/store.ts'
import { findCurrentClaim } from './store.ts'

type Named = { readonly reference: string; readonly claimId: string; readonly network: string }

/** An address that replaces another is mailed after this time, if it is still the current one: repeated changes do not fill a mailbox. */
const REPLACED_AFTER_MS = 10 * 60_000

export const mailClaimJob = job<Named>({
  queue: 'payments.mail-claim',
  worker: 'email-processor',
  run: mailClaim,
})

/**
 * Queues the mail about a claim to the e-mail that the payment's customer has, never to one that was typed with the claim. Joins
 * the open transaction.
 */
export async function announceToCustomer(
  tx: Context,
  { reference, customer }: Payment,
  claim: { readonly id: number; readonly network: string; readonly isReplacement: boolean },
): Promise<void> {
  if (customer.email === '' || !(await acceptsEmails(tx))) return
  const later = { startAfter: new Date(tx.now().getTime() + REPLACED_AFTER_MS) }
  const named = { reference, claimId: String(claim.id), network: claim.network }
  await mailClaimJob.send(tx, named, claim.isReplacement ? later : {})
}

/** Sends the mail, unless another address has replaced this one meanwhile. */
async function mailClaim(ctx: Context, { reference, claimId, network }: Named): Promise<void> {
  const payment = await findPayment(ctx, reference)
  const claim = payment && (await findCurrentClaim(ctx, payment.id))
  if (!payment || claim?.id !== BigInt(claimId) || claim.status === 'declined') return
  if (payment.customer.email === '' || !(await acceptsEmails(ctx))) return
  const project = await getProject(ctx, payment.project.id)
  const { url } = await linkTo(ctx, project, reference)
  await sendEmail(ctx, {
    to: payment.customer.email,
    message: claimNamed({ payment, address: claim.address, network, url }),
    from: project.email_send_request_from,
    replyTo: project.email_send_request_reply_to || project.support_email,
  })
}

type Facts = { readonly payment: Payment; readonly address: string; readonly network: string; readonly url: string }

function claimNamed({ payment: { project }, address, network, url }: Facts): EmailMessage {
  return {
    subject: `An address was entered for your refund from ${project.name}`,
    paragraphs: [
      `Somebody who has the link of your payment to ${project.name} asked for money to be returned to this address:`,
      `${address} on ${network}`,
      `${project.name} checks this before anything is sent. If it was you, you do not need to do anything.`,
    ],
    action: { label: 'Open the payment', url },
    foot: `If it was not you, open the payment and enter your own address: it replaces this one until a refund is prepared. Then write to ${project.name}${project.supportEmail === '' ? '' : `: ${project.supportEmail}`}.`,
  }
}

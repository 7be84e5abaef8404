/** Mails the former address of a promoter that the shop has changed it (api.md R1). */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { maskEmail } from '../../auth/passwords/service.ts'
import { acceptsEmails, type EmailMessage, sendEmail } from '../../mail/service.ts'
import { getProject } from '../../projects/service.ts'
import type { ReferrerRow } from './store.ts'

type Changed = {
  readonly shop: string
  /** The new address, masked: the former mailbox may be somebody else's now. */
  readonly email: string
  /** Of the shop; empty where it has none. */
  readonly support: string
}

export const mailEmailChangedJob = job({
  queue: 'referral.mail-email-changed',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...changed }: Changed & { readonly to: string }) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: emailChanged(changed) })
  },
})

/** Queues the mail to the address that a promoter had before. Joins the open transaction. */
export async function mailEmailChanged(tx: Context, before: ReferrerRow, email: string): Promise<void> {
  if (!(await acceptsEmails(tx))) return
  const { name: shop, support_email: support } = await getProject(tx, before.project_id)
  await mailEmailChangedJob.send(tx, { to: before.email, shop, email: maskEmail(email), support })
}

function emailChanged({ shop, email, support }: Changed): EmailMessage {
  return {
    subject: `Your e-mail address as a promoter of ${shop} was changed`,
    paragraphs: [
      `${shop} has registered ${email} as your e-mail address, instead of this one. Codes for withdrawals of your rewards are sent there from now on.`,
    ],
    foot: `If you did not ask for this, write to ${shop} at once${support === '' ? '' : `: ${support}`}. A withdrawal can be stopped until it is sent.`,
  }
}

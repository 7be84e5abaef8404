/** Every root learns when addresses are added to the list of a wallet that a project gives addresses from (api.md W20). */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { rootEmails } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import { listLinks } from './store.ts'

type Added = {
  readonly wallet: string
  readonly count: number
  /** Names of the projects whose customers get them. */
  readonly projects: string
  readonly by: string
  /** From when on customers get them, as text; null: from now on. */
  readonly usableAt: string | null
}

export const mailAddressesAddedJob = job({
  queue: 'wallets.mail-addresses-added',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...added }: Added & { readonly to: string }) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: addressesAdded(added) })
  },
})

type Addition = {
  readonly wallet: { readonly id: number; readonly name: string }
  readonly count: number
  readonly usableAt: Date | null
}

/** Mails every root that a linked wallet has further addresses: nothing shows whose keys they are of. Joins the open transaction. */
export async function mailAddressesAdded(tx: Context, { wallet, count, usableAt }: Addition): Promise<void> {
  const links = (await listLinks(tx, 'every')).filter((link) => link.wallet_id === wallet.id)
  if (links.length === 0 || !(await acceptsEmails(tx))) return
  const names: string[] = []
  for (const { project_id: id } of links) names.push((await getProject(tx, id)).name)
  const by = tx.caller.kind === 'operator' ? tx.caller.email : 'Somebody'
  const mail = { wallet: wallet.name, count, projects: names.join(', '), by, usableAt: usableAt?.toISOString() ?? null }
  for (const to of await rootEmails(tx)) await mailAddressesAddedJob.send(tx, { ...mail, to })
}

function addressesAdded({ wallet, count, projects, by, usableAt }: Added): EmailMessage {
  const from = usableAt === null ? 'from now on' : `from ${usableAt} on`
  return {
    subject: `Addresses were added to the deposit wallet ${wallet}`,
    paragraphs: [
      `${by} added ${count} addresses to the list of ${wallet}. New customers of ${projects} get them ${from}, once the earlier ones are in use.`,
    ],
    foot: 'If none of you did this, unlink the wallet on the page Deposit wallets before then, and sign that person out everywhere.',
  }
}

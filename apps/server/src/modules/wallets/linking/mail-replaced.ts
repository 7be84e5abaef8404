/** Every root learns when another wallet takes the place of one that a project gives addresses from (api.md W14). */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { rootEmails } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import { findWalletRow, type WalletRow } from '../wallet/store.ts'

type Replaced = {
  readonly project: string
  readonly family: string
  readonly former: string
  readonly wallet: string
  readonly by: string
  /** When it takes effect, as text; null where it has. */
  readonly effectiveAt: string | null
}

export const mailWalletReplacedJob = job({
  queue: 'wallets.mail-replaced',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...replaced }: Replaced & { readonly to: string }) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: walletReplaced(replaced) })
  },
})

type Place = {
  readonly projectId: number
  /** Such as `ETH_Family`. */
  readonly family: string
  readonly formerId: number
  readonly wallet: WalletRow
  readonly effectiveAt: Date | null
}

/** Mails every root that a project gives its next customers addresses of another wallet, or will. Joins the open transaction. */
export async function mailWalletReplaced(tx: Context, place: Place): Promise<void> {
  const { projectId, family, formerId, wallet, effectiveAt } = place
  if (!(await acceptsEmails(tx))) return
  const { name: project } = await getProject(tx, projectId)
  const former = (await findWalletRow(tx, formerId))?.name ?? `wallet ${formerId}`
  const by = tx.caller.kind === 'operator' ? tx.caller.email : 'Somebody'
  const names = { project, family: family.split('_')[0] ?? family, former, wallet: wallet.name, by }
  const mail = { ...names, effectiveAt: effectiveAt?.toISOString() ?? null }
  for (const to of await rootEmails(tx)) await mailWalletReplacedJob.send(tx, { ...mail, to })
}

function walletReplaced({ project, family, former, wallet, by, effectiveAt }: Replaced): EmailMessage {
  if (effectiveAt === null) {
    return {
      subject: `The deposit wallet of ${project} was replaced`,
      paragraphs: [
        `${by} replaced the deposit wallet of ${project} for the ${family} family: ${wallet} takes the place of ${former}.`,
        'New customers get addresses of the new wallet. Customers keep the addresses they have.',
      ],
      foot: 'If nobody of you did this, link the former wallet again on the page Deposit wallets, and sign that person out everywhere.',
    }
  }
  return {
    subject: `The deposit wallet of ${project} is to be replaced`,
    paragraphs: [
      `${by} asked that ${wallet} takes the place of ${former} as the deposit wallet of ${project} for the ${family} family.`,
      `It takes effect at ${effectiveAt}. From then on new customers get addresses of the new wallet. Customers keep the addresses they have.`,
    ],
    foot: 'If nobody of you did this, withdraw it before then on the page Deposit wallets, and sign that person out everywhere.',
  }
}

/** The mail to the leads of a project about every key that reaches it (api.md I2). */
import type { Context } from '../../context.ts'
import { job } from '../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../mail/service.ts'
import { leadEmails } from '../operators/accounts/service.ts'
import { getProject } from '../projects/service.ts'
import type { ApiKeyRow } from './tables.ts'

type Mail = {
  readonly to: string
  readonly name: string
  readonly last4: string
  readonly project: string
  readonly by: string
  readonly scopes: readonly string[]
}

export const mailApiKeyJob = job({
  queue: 'api-keys.mail-created',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...key }: Mail) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: apiKeyCreated(key) })
  },
})

/** Mails the leads of a project about its new key. Joins the open transaction. */
export async function mailKeyCreated(
  tx: Context,
  { project_id: projectId, name, last4, scopes }: ApiKeyRow,
): Promise<void> {
  if (!(await acceptsEmails(tx))) return
  const { name: project } = await getProject(tx, projectId)
  const by = tx.caller.kind === 'operator' ? tx.caller.email : 'Kassa'
  for (const to of await leadEmails(tx, projectId)) {
    await mailApiKeyJob.send(tx, { ...{ to, name, last4, project, by }, scopes: [...scopes] })
  }
}

function apiKeyCreated({ name, last4, project, by, scopes }: Omit<Mail, 'to'>): EmailMessage {
  return {
    subject: `An API key of ${project} was created`,
    paragraphs: [`${by} created the API key ${name}, which ends in ${last4}.`, `It may: ${scopes.join(', ')}.`],
    foot: 'If nobody of you did this, revoke the key on the page Developers, and sign that person out everywhere.',
  }
}

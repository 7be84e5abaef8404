/** The mail to whoever leads a project about a disabled endpoint (api.md 6.4). */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { leadEmails } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import type { WebhookRow } from '../record/store.ts'

type Mail = { readonly to: string; readonly url: string; readonly project: string }

export const mailGoneJob = job({
  queue: 'webhooks.mail-gone',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...endpoint }: Mail) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: endpointGone(endpoint) })
  },
})

/** Mails the leads of its project that an endpoint returned 410 Gone. Joins the open transaction. */
export async function mailEndpointGone(tx: Context, { project_id: projectId, url }: WebhookRow): Promise<void> {
  if (!(await acceptsEmails(tx))) return
  const { name: project } = await getProject(tx, projectId)
  for (const to of await leadEmails(tx, projectId)) await mailGoneJob.send(tx, { to, url: placeOf(url), project })
}

/** The address without its query, which may contain a secret. */
function placeOf(url: string): string {
  const parsed = URL.parse(url)
  return parsed === null ? url : parsed.origin + parsed.pathname
}

function endpointGone({ url, project }: Omit<Mail, 'to'>): EmailMessage {
  return {
    subject: `A webhook endpoint of ${project} was disabled`,
    paragraphs: [
      `${url} returned 410 Gone, which says that nothing listens there any more. Nothing is sent there.`,
      'What waited for it is discarded. The record of what happened stays complete: send it again once the endpoint is back.',
    ],
    foot: 'Turn it on again, or delete it, on the page Developers, Webhooks.',
  }
}

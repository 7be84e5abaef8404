/** The mail to the leads of a project about a disabled endpoint (api.md 6.4). */
import type { Context } from '../../../context.ts'
import { job } from '../../../jobs/jobs.ts'
import { type EmailMessage, sendEmail, acceptsEmails } from '../../mail/service.ts'
import { leadEmails } from '../../operators/accounts/service.ts'
import { getProject } from '../../projects/service.ts'
import type { WebhookRow } from '../record/store.ts'

type Mail = { readonly to: string; readonly url: string; readonly project: string }

/** `code` is what the last attempt was answered with, null when there was no answer. */
type FailingMail = Mail & { readonly since: string; readonly code: number | null }

export const mailGoneJob = job({
  queue: 'webhooks.mail-gone',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...endpoint }: Mail) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: endpointGone(endpoint) })
  },
})

export const mailFailingJob = job({
  queue: 'webhooks.mail-failing',
  worker: 'email-processor',
  async run(ctx: Context, { to, ...endpoint }: FailingMail) {
    if (await acceptsEmails(ctx)) await sendEmail(ctx, { to, message: endpointFailing(endpoint) })
  },
})

/** Mails the leads of its project that an endpoint returned 410 Gone. Joins the open transaction. */
export async function mailEndpointGone(tx: Context, webhook: WebhookRow): Promise<void> {
  if (!(await acceptsEmails(tx))) return
  for (const mail of await mailsAbout(tx, webhook)) await mailGoneJob.send(tx, mail)
}

/** Mails the leads of its project that an endpoint has accepted nothing for days. Joins the open transaction. */
export async function mailEndpointFailing(tx: Context, webhook: WebhookRow): Promise<void> {
  const since = (webhook.failing_since ?? tx.now()).toISOString()
  for (const mail of await mailsAbout(tx, webhook)) {
    await mailFailingJob.send(tx, { ...mail, since, code: webhook.last_response_code })
  }
}

async function mailsAbout(tx: Context, { project_id: projectId, url }: WebhookRow): Promise<Mail[]> {
  const { name: project } = await getProject(tx, projectId)
  return (await leadEmails(tx, projectId)).map((to) => ({ to, url: placeOf(url), project }))
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

function endpointFailing({ url, project, since, code }: Omit<FailingMail, 'to'>): EmailMessage {
  const answer = code === null ? 'The last attempt got no answer.' : `The last attempt was answered with ${code}.`
  return {
    subject: `A webhook endpoint of ${project} has failed for five days`,
    paragraphs: [
      `${url} has accepted nothing since ${since.slice(0, 16).replace('T', ' ')} UTC, so that your shop may not know of payments. ${answer}`,
      'It stays on: what is new is still sent there. A message that failed ten times is not sent again by itself.',
    ],
    foot: 'See why it fails, and send again what failed, on the page Developers, Webhooks.',
  }
}

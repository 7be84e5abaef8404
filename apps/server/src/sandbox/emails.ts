/** The e-mails of a sandbox without a mail server, to each caller those they may read (decision 0040). */
import type { SandboxEmail } from '@kassa/contract/sandbox/schemas.ts'

import type { Context } from '../context.ts'
import { type SandboxEmailRow, sandboxEmails } from '../modules/mail/service.ts'
import { mayReadMailTo } from '../modules/operators/accounts/service.ts'

/** Lists the e-mails that the caller may read, newest first: links to members with more rights are hidden. */
export async function listEmails(ctx: Context): Promise<SandboxEmail[]> {
  const emails = await sandboxEmails(ctx)
  const readable = new Set<string>()
  for (const address of new Set(emails.map(({ recipient }) => recipient))) {
    if (await mayReadMailTo(ctx, address)) readable.add(address)
  }
  return emails.filter(({ recipient }) => readable.has(recipient)).map(emailView)
}

function emailView({ id, created_at: createdAt, recipient, message }: SandboxEmailRow): SandboxEmail {
  const { subject, paragraphs, action, foot } = message
  return { id, createdAt, to: recipient, subject, paragraphs: [...paragraphs], action: action ?? null, foot }
}

/**
 * Mails leave through the one mail server of the install (api.md C12–C15). Without a mail server nothing is sent, and a request
 * for a mail fails with the reason; a sandbox stores the e-mail instead and shows it (X5, decision 0040). A job hands mails
 * over, so that no request waits; a server that refuses them raises an alarm.
 */
import { fail, ApiError } from '@kassa/contract/kit/api-error.ts'
import type { MailTestInput, NewMailServer } from '@kassa/contract/mail/inputs.ts'
import type { MailTest } from '@kassa/contract/mail/schemas.ts'
import { type Context, inTransaction } from '../../context.ts'
import { requirePresence } from '../../http/access.ts'
import { clearAlarm, raiseAlarm } from '../alarms/service.ts'
import { forget, open, seal } from '../vaults/service.ts'
import type { AddressedEmail } from './addressed-email.ts'
import type { EmailMessage } from './email-message.ts'
import {
  encryptionOf,
  failureText,
  isLoginRefused,
  isSameServer,
  mergeServer,
  sendsPasswordElsewhere,
  shortenEmail,
} from './rules.ts'
import {
  deleteMailServer,
  findMailServer,
  insertEmail,
  listEmails,
  lockMailServer,
  updateVerified,
  upsertMailServer,
} from './store.ts'
import type { SandboxEmailRow, MailServerRow } from './tables.ts'
import { type OpenedServer, transmit } from './transport.ts'

export { htmlOf } from './email-message.ts'

export type { AddressedEmail } from './addressed-email.ts'

export type { EmailMessage } from './email-message.ts'

export type { SandboxEmailRow } from './tables.ts'

/** E-mails that a sandbox stores: more than anybody reads, and some hundred kilobytes. */
const MOST_EMAILS = 200

const FAILING = { kind: 'mail_failing', subject: 'mail' } as const

/** Whether mails reach the mailboxes of people. */
export async function canMail(ctx: Context): Promise<boolean> {
  return (await findMailServer(ctx)) !== undefined
}

/** Whether e-mails are stored here instead: on a sandbox without a mail server. */
export async function storesEmails(ctx: Context): Promise<boolean> {
  return ctx.config.network === 'sandbox' && !(await canMail(ctx))
}

/** Whether an e-mail has a destination: a mailbox, or the sandbox's own store. */
export async function acceptsEmails(ctx: Context): Promise<boolean> {
  return ctx.config.network === 'sandbox' || canMail(ctx)
}

/** Reads the mail server. @throws SMTP_NOT_SET */
export async function readMailServer(ctx: Context): Promise<MailServerRow> {
  return (await findMailServer(ctx)) ?? fail('SMTP_NOT_SET')
}

/**
 * Sets the mail server; without a password the stored one stays, unless the server is another one: a password is never sent to
 * a host it was not given for. Emits configuration.changed.
 * @throws EGRESS_NOT_ALLOWED, EDIT_CONFLICT when it was changed after `lastChange`
 */
export async function saveMailServer(
  ctx: Context,
  input: NewMailServer,
  lastChange: Date | null = null,
): Promise<MailServerRow> {
  ctx.egress.checkHost('smtp', input.host)
  return inTransaction(ctx, async (tx) => {
    const former = await lockMailServer(tx)
    if (lastChange !== null && former && former.updated_at > lastChange) return fail('EDIT_CONFLICT')
    const keepsPassword = input.password === undefined && former?.host === input.host
    const row = await upsertMailServer(tx, {
      host: input.host,
      port: input.port,
      username: input.username || null,
      password_ref: keepsPassword ? former.password_ref : await sealPassword(tx, input.password),
      encryption: encryptionOf(input),
      sender: input.from,
      sender_name: input.fromName || null,
      reply_to: input.replyTo || null,
    })
    tx.change(former ? shown(former) : null, shown(row))
    if (!keepsPassword && former?.password_ref) await forget(tx, former.password_ref)
    await publishChange(tx)
    return row
  })
}

/** What the activity log shows of a mail server. */
function shown({ host, port, username, encryption, sender, password_ref: sealed }: MailServerRow) {
  return { host, port, username, encryption, sender, sealedAs: sealed }
}

/** Removes the mail server and its password. Emits configuration.changed. @throws SMTP_NOT_SET */
export async function removeMailServer(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const former = (await lockMailServer(tx)) ?? fail('SMTP_NOT_SET')
    await deleteMailServer(tx)
    tx.change(shown(former), null)
    if (former.password_ref) await forget(tx, former.password_ref)
    await clearAlarm(tx, FAILING)
    await publishChange(tx)
  })
}

/**
 * Sends one mail now, with given values in place of stored ones, and returns the result.
 * @throws SMTP_NOT_SET when neither stored nor given values name a server, EGRESS_NOT_ALLOWED, STEP_UP_REQUIRED when the stored
 * password would go to another port or be encrypted otherwise
 */
export async function testMailServer(ctx: Context, input: MailTestInput, to: string): Promise<MailTest> {
  const row = await findMailServer(ctx)
  const stored = row && (await openServer(ctx, row))
  const server = mergeServer(stored, input) ?? fail('SMTP_NOT_SET')
  ctx.egress.checkHost('smtp', server.host)
  if (sendsPasswordElsewhere(input, { tried: server, stored })) {
    // Requires the same proof as setting the mail server, so that a stolen session alone cannot obtain the password.
    requirePresence(ctx.caller, { stepUp: 'S', action: 'C13', now: ctx.now() })
  }
  const transcript: string[] = []
  try {
    await transmit(ctx, server, { to, message: TEST_MESSAGE }, (line) => transcript.push(line))
  } catch (thrown) {
    if (thrown instanceof ApiError) throw thrown
    return { success: false, message: failureText(thrown), transcript }
  }
  if (row && isSameServer(server, stored)) await noteSent(ctx, row)
  return { success: true, message: `The mail server took a mail for ${to}.`, transcript }
}

/**
 * Hands a message to the mail server, or stores it (`storesEmails`). For jobs: it waits for the network, and a failed one is
 * tried again.
 * @throws SMTP_NOT_CONFIGURED, EGRESS_NOT_ALLOWED, or an Error that says what failed
 */
export async function sendEmail(ctx: Context, mail: AddressedEmail): Promise<void> {
  const row = await findMailServer(ctx)
  if (!row) return ctx.config.network === 'sandbox' ? storeEmail(ctx, mail) : fail('SMTP_NOT_CONFIGURED')
  try {
    await transmit(ctx, await openServer(ctx, row), mail)
  } catch (thrown) {
    const error = isLoginRefused(thrown) ? null : failureText(thrown)
    await raiseAlarm(ctx, { ...FAILING, params: { host: row.host, error } })
    throw thrown
  }
  await noteSent(ctx, row)
}

/** Stores an e-mail instead of sending it. Joins the open transaction. */
export async function storeEmail(ctx: Context, { to, message }: AddressedEmail): Promise<void> {
  await insertEmail(ctx, { recipient: to, message: shortenEmail(message) }, MOST_EMAILS)
}

/** The stored e-mails, newest first. */
export async function sandboxEmails(ctx: Context): Promise<SandboxEmailRow[]> {
  return listEmails(ctx)
}

async function noteSent(ctx: Context, row: MailServerRow): Promise<void> {
  await updateVerified(ctx, row)
  await clearAlarm(ctx, FAILING)
}

async function openServer(ctx: Context, row: MailServerRow): Promise<OpenedServer> {
  return { ...row, password: row.password_ref === null ? null : (await open(ctx, row.password_ref)).toString('utf8') }
}

async function sealPassword(ctx: Context, password: string | null | undefined): Promise<number | null> {
  if (!password) return null
  return seal(ctx, { kind: 'mail_password', label: 'Password of the mail server', value: Buffer.from(password) })
}

async function publishChange(ctx: Context): Promise<void> {
  await ctx.events.emit(ctx, { type: 'configuration.changed', projectId: null, payload: { key: 'smtp' } })
}

const TEST_MESSAGE: EmailMessage = {
  subject: 'Kassa can send mail',
  paragraphs: ['This is the mail that was asked for to try the mail server. It works.'],
  foot: 'Sent because an operator pressed "Send test e-mail" in the settings.',
}

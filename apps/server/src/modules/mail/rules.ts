import type { MailTestInput } from '@kassa/contract/mail/inputs.ts'
import type { MAIL_ENCRYPTIONS } from '@kassa/contract/mail/schemas.ts'

import type { EmailMessage } from './email-message.ts'
import type { OpenedServer } from './transport.ts'

type Encryption = (typeof MAIL_ENCRYPTIONS)[number]

/** The port on which TLS begins at once (RFC 8314). */
const SUBMISSIONS = 465

/** The encryption that was chosen; older installers write `ssl` (from the start) and `tls` (by the upgrade). */
export function encryptionOf(input: Pick<MailTestInput, 'encryption' | 'ssl' | 'tls' | 'port'>): Encryption {
  if (input.encryption !== undefined) return input.encryption
  if (input.ssl === true) return 'tls'
  if (input.tls === undefined && input.port === SUBMISSIONS) return 'tls'
  return input.tls === false && input.ssl === false ? 'none' : 'starttls'
}

/**
 * The stored server with the values that are to be tried instead; null when no server is named. A stored password is only sent
 * to its own host.
 */
export function mergeServer(stored: OpenedServer | undefined, input: MailTestInput): OpenedServer | null {
  const host = input.host ?? stored?.host
  const sender = input.from ?? stored?.sender
  if (host === undefined || sender === undefined) return null
  const own = stored?.host === host ? stored : undefined
  const chosen = input.encryption ?? input.ssl ?? input.tls
  return {
    host,
    sender,
    port: input.port ?? own?.port ?? SUBMISSIONS,
    encryption: chosen === undefined && own ? own.encryption : encryptionOf(input),
    username: (input.username ?? own?.username) || null,
    password: (input.password === undefined ? own?.password : input.password) || null,
    sender_name: (input.fromName ?? stored?.sender_name) || null,
    reply_to: (input.replyTo ?? stored?.reply_to) || null,
    updated_at: new Date(0),
  }
}

/**
 * Whether the stored password, because none was typed, would go to another port of its host, or with other encryption, than it
 * was given for: another program may listen there.
 */
export function sendsPasswordElsewhere(
  input: MailTestInput,
  { tried, stored }: { readonly tried: OpenedServer; readonly stored: OpenedServer | undefined },
): boolean {
  if (input.password !== undefined || !stored?.password || tried.host !== stored.host) return false
  return tried.port !== stored.port || tried.encryption !== stored.encryption
}

/** Whether what was tried is what is stored, password included. */
export function isSameServer(tried: OpenedServer, stored: OpenedServer | undefined): boolean {
  return stored !== undefined && COMPARED.every((name) => tried[name] === stored[name])
}

const COMPARED = [
  'host',
  'port',
  'encryption',
  'username',
  'password',
  'sender',
  'sender_name',
  'reply_to',
] as const satisfies readonly (keyof OpenedServer)[]

/** The limit of a stored e-mail: none of ours is longer, and a longer one must not fill the disk. */
const MOST_PARAGRAPHS = 10
const LONGEST_PARAGRAPH = 2_000

/** Returns an e-mail as it is stored: what is too long is cut and ends with an ellipsis. */
export function shortenEmail({ subject, paragraphs, action, foot, language }: EmailMessage): EmailMessage {
  return {
    subject: shortened(subject),
    paragraphs: paragraphs.slice(0, MOST_PARAGRAPHS).map(shortened),
    // Half of an address would lead nowhere.
    ...(action && action.url.length <= LONGEST_PARAGRAPH && { action: { ...action, label: shortened(action.label) } }),
    foot: shortened(foot),
    ...(language && { language }),
  }
}

function shortened(text: string): string {
  return storable(text.length <= LONGEST_PARAGRAPH ? text : `${text.slice(0, LONGEST_PARAGRAPH - 1)}…`)
}

/** PostgreSQL stores neither U+0000 nor the half of a character at which a text was cut. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Why a mail failed, in a sentence: the mail server's own where it gave one. */
export function failureText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'It failed.'
  if (isLoginRefused(thrown)) return 'The mail server did not accept user name and password.'
  const details = storable('details' in thrown ? String(thrown.details) : thrown.message)
  return details.endsWith('.') ? details : `${details}.`
}

/** Whether the mail server did not accept user name and password. */
export function isLoginRefused(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'EAUTH'
}

/** Hands one mail to a mail server (RFC 5321), through the guarded egress. */
import type { Context } from '../../context.ts'
import { type AddressedEmail, mailboxOf } from './addressed-email.ts'
import { htmlOf, textOf } from './email-message.ts'
import type { MailServerRow } from './tables.ts'

const TIMEOUT_MS = 15_000

/** A mail server with its password, as it is about to be used. */
export type OpenedServer = Omit<MailServerRow, 'only_row' | 'password_ref' | 'created_at' | 'verified_at'> & {
  readonly password: string | null
}

type Line = { readonly tnx?: string }

/**
 * Sends a message. `onLine` receives the dialogue of the two servers, without credentials.
 * @throws EGRESS_NOT_ALLOWED, or an Error that says what failed, in the mail server's words where it has some
 */
export async function transmit(
  ctx: Context,
  server: OpenedServer,
  { to, message, ...own }: AddressedEmail,
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const onLog = ({ tnx }: Line = {}, text = '', ...values: unknown[]) => {
    if (tnx !== 'client' && tnx !== 'server') return
    onLine(`${tnx === 'client' ? 'C' : 'S'}: ${values.length > 0 ? String(values[0]) : text}`)
  }
  // Loaded with the first mail, because many installs never send one.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.encryption === 'tls',
    requireTLS: server.encryption === 'starttls',
    ignoreTLS: server.encryption === 'none',
    ...(server.username !== null && { auth: { user: server.username, pass: server.password ?? '' } }),
    getSocket: (_options, done) => {
      ctx.egress.connect('smtp', server).then(
        (connection) => done(null, { connection }),
        (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
      )
    },
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    debug: true,
    logger: {
      level: () => undefined,
      trace: onLog,
      debug: onLog,
      info: onLog,
      warn: onLog,
      error: onLog,
      fatal: onLog,
    },
  })
  const from = mailboxOf(own.from) ?? { name: server.sender_name ?? 'Kassa', address: server.sender }
  const replyTo = mailboxOf(own.replyTo) ?? (own.from ? null : mailboxOf(server.reply_to ?? ''))
  try {
    await transport.sendMail({
      from,
      ...(replyTo !== null && { replyTo }),
      to,
      subject: message.subject,
      text: textOf(message),
      html: htmlOf(message),
      // Automatic responders do not answer it (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
    })
  } finally {
    transport.close()
  }
}

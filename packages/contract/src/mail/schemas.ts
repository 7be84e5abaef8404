import * as z from 'zod/mini'

import { int, ts } from '../kit/codecs.ts'

/** How the connection to a mail server is encrypted; `starttls` demands the upgrade, `tls` begins with it (RFC 8314). */
export const MAIL_ENCRYPTIONS = ['none', 'starttls', 'tls'] as const

/** The mail server of the install; its password is never shown. */
export const MailServer = z.object({
  host: z.string(),
  port: int,
  username: z.nullable(z.string()),
  password: z.null(),
  passwordSet: z.boolean(),
  encryption: z.enum(MAIL_ENCRYPTIONS),
  from: z.string(),
  fromName: z.nullable(z.string()),
  replyTo: z.nullable(z.string()),
  /** When it last took a mail of ours with these values; null when it never did. */
  verifiedAt: z.nullable(ts),
  /** When these values were set: what a change of them starts from (`If-Unmodified-Since`). */
  updatedAt: ts,
})
export type MailServer = z.output<typeof MailServer>

/** How a mail was tried. */
export const MailTest = z.object({
  success: z.boolean(),
  message: z.string(),
  /** The dialogue of the servers, without credentials. */
  transcript: z.array(z.string()),
})
export type MailTest = z.output<typeof MailTest>

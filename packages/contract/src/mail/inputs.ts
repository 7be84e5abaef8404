import * as z from 'zod/mini'

import { isEmail } from '../kit/email.ts'
import { clearableText, email, oneOf, text, wholeNumber } from '../kit/fields.ts'
import { MAIL_ENCRYPTIONS } from './schemas.ts'

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]*[a-z0-9])?$|^[0-9a-f:]+:[0-9a-f:.]+$/i

const host = text('Host', { max: 253 }).check(
  z.toLowerCase(),
  z.regex(HOST, { error: 'Host must be a name or an address, such as smtp.example.com' }),
)
const replyTo = z.pipe(
  clearableText('Reply-to', { max: 254 }),
  z.optional(
    z.string().check(
      z.toLowerCase(),
      z.refine((value) => value === '' || isEmail(value), { error: 'Enter a valid e-mail address' }),
    ),
  ),
)
/** One line: it stands in the header of each mail. */
const fromName = clearableText('Sender name', { max: 100 }).check(
  z.refine((value) => !/[\n\u0085\u2028\u2029]/.test(value ?? ''), { error: 'Sender name must be one line' }),
)
const flag = (label: string) => z.optional(z.boolean({ error: `${label} must be true or false` }))

/** Everything about a mail server; `ssl` and `tls` are what older installers send instead of `encryption`. */
const fields = {
  host,
  port: wholeNumber('Port', 1, 65_535),
  username: clearableText('User name'),
  /** Absent keeps the one that is stored, empty forgets it. */
  password: z.optional(z.nullable(z.string({ error: 'Password must be text' }).check(z.maxLength(1_024)))),
  encryption: z.optional(oneOf('Encryption', MAIL_ENCRYPTIONS)),
  ssl: flag('SSL'),
  tls: flag('TLS'),
  from: email('Sender'),
  fromName,
  replyTo,
}

export const NewMailServer = z.object(fields)
export type NewMailServer = z.output<typeof NewMailServer>

/** Where to send a mail to try the server, and values to try without storing them. */
export const MailTestInput = z.object({
  to: z.optional(email('Recipient')),
  ...fields,
  host: z.optional(fields.host),
  port: z.optional(fields.port),
  from: z.optional(fields.from),
})
export type MailTestInput = z.output<typeof MailTestInput>

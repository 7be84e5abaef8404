import type { MailServer } from '@kassa/contract/mail/schemas.ts'

import type { MailServerRow } from './tables.ts'

/** A mail server as the wire shows it: its password only as being set. */
export function mailServerView(row: MailServerRow): MailServer {
  return {
    host: row.host,
    port: row.port,
    username: row.username,
    password: null,
    passwordSet: row.password_ref !== null,
    encryption: row.encryption,
    from: row.sender,
    fromName: row.sender_name,
    replyTo: row.reply_to,
    verifiedAt: row.verified_at,
    updatedAt: row.updated_at,
  }
}

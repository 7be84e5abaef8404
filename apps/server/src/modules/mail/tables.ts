import type { Generated, JSONColumnType, Selectable } from 'kysely'

import type { CreatedAt, UpdatedAt } from '../../db/columns.ts'
import type { EmailMessage } from './email-message.ts'

export type MailServerTable = {
  only_row: Generated<boolean>
  host: string
  port: number
  username: string | null
  /** Sealed; see the vault. */
  password_ref: number | null
  encryption: 'none' | 'starttls' | 'tls'
  sender: string
  sender_name: string | null
  reply_to: string | null
  verified_at: Date | null
  created_at: CreatedAt
  updated_at: UpdatedAt
}

export type MailServerRow = Selectable<MailServerTable>

/** An e-mail that a sandbox without a mail server keeps. */
export type SandboxEmailTable = {
  id: Generated<number>
  recipient: string
  message: JSONColumnType<EmailMessage>
  created_at: CreatedAt
}

export type SandboxEmailRow = Selectable<SandboxEmailTable>

export type MailTables = { mail_server: MailServerTable; sandbox_emails: SandboxEmailTable }

import { NewMailServer } from '@kassa/contract/mail/inputs.ts'
import type { MailServer } from '@kassa/contract/mail/schemas.ts'
import { t } from '@lingui/core/macro'

import type { MailServerRequest } from '../../api/mail.ts'
import { fieldErrors } from '../../lib/forms/field-errors.ts'
import type { FieldErrors } from '../../lib/forms/form.ts'

export type MailValues = {
  readonly host: string
  readonly port: string
  readonly encryption: string
  readonly username: string
  /** Empty: what is stored stays. */
  readonly password: string
  readonly from: string
  readonly fromName: string
  readonly replyTo: string
}

/** The usual port of each way to encrypt (RFC 6409, RFC 8314). */
const USUAL_PORTS: Readonly<Record<string, string>> = { tls: '465', starttls: '587', none: '25' }

/** Returns what the form starts with. */
export function mailValues(server: MailServer | null): MailValues {
  return {
    host: server?.host ?? '',
    port: String(server?.port ?? USUAL_PORTS.tls),
    encryption: server?.encryption ?? 'tls',
    username: server?.username ?? '',
    password: '',
    from: server?.from ?? '',
    fromName: server?.fromName ?? '',
    replyTo: server?.replyTo ?? '',
  }
}

/** Returns the values after another way to encrypt was chosen: a usual port follows it, one that was typed stays. */
export function withEncryption(values: MailValues, encryption: string): Partial<MailValues> {
  const isUsual = values.port === '' || Object.values(USUAL_PORTS).includes(values.port)
  return { encryption, ...(isUsual ? { port: USUAL_PORTS[encryption] ?? values.port } : {}) }
}

/** Returns what is sent; an empty password is left out and so keeps the stored one. */
export function mailRequest({ port, password, encryption, ...texts }: MailValues): MailServerRequest {
  return {
    ...texts,
    port: Number(port),
    encryption: encryption as NonNullable<MailServerRequest['encryption']>,
    ...(password === '' ? {} : { password }),
  }
}

/** Returns every field that fails, with the contract's text. */
export function mailErrors(values: MailValues): FieldErrors<MailValues> {
  const errors = fieldErrors(NewMailServer, mailRequest(values))
  return values.port.trim() === '' ? { ...errors, port: t`Port is required` } : errors
}

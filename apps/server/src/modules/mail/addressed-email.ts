import type { EmailMessage } from './email-message.ts'

/** A message and whom it is for. */
export type AddressedEmail = {
  readonly to: string
  readonly message: EmailMessage
  /** An e-mail, with a name or alone, in place of the mail server's own sender; empty: that one. */
  readonly from?: string
  /** Where an answer goes; empty: to the sender, of the mail server's own to where that one says. */
  readonly replyTo?: string
}

/** A name and an e-mail from `Shop <pay@shop.example>` or from an e-mail alone; null from nothing. The name is one line. */
export function mailboxOf(text = ''): { readonly name: string; readonly address: string } | null {
  if (text === '') return null
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? []
  return { name: name.replaceAll(/\s+/g, ' ').trim(), address: address.trim() }
}

/** Characters that cannot be mistaken for each other: no I, O, 0 and 1. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** 34 billion codes: too many to guess, and short enough to type. */
const CODE_LENGTH = 7

/** Returns the code that random bytes give, seven of them. */
export function codeOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

/** Reads a code as people type it. */
export function readCode(typed: string): string {
  return typed.trim().toUpperCase()
}

/** Providers that deliver a name with and without dots to one mailbox, under both domains. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * Whether two e-mail addresses probably reach one mailbox: case and what follows a plus do not count, nor dots at Gmail. A
 * suspicion of self-referral only: no mail is sent to such a spelling, and no account is found by it.
 */
export function shareMailbox(one: string, other: string): boolean {
  return mailboxOf(one) === mailboxOf(other)
}

function mailboxOf(email: string): string {
  const text = email.trim().toLowerCase()
  const at = text.lastIndexOf('@')
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)]
  const [base = ''] = name.split('+')
  // What begins with a plus has no name without it.
  if (base === '') return text
  return WITHOUT_DOTS.has(domain) ? `${base.replaceAll('.', '')}@gmail.com` : `${base}@${domain}`
}

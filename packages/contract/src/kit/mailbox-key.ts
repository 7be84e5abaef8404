/** Providers that deliver a name with and without dots to one mailbox, under both domains. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * Returns one text for every spelling of an e-mail address that probably reaches the same mailbox: case and what follows a plus
 * do not count, nor dots at Gmail. It is compared and counted only: no mail is sent to it, and no account is found by it.
 */
export function mailboxKey(email: string): string {
  const text = email.trim().toLowerCase()
  const at = text.lastIndexOf('@')
  const [name, domain] = [text.slice(0, at), text.slice(at + 1)]
  const [base = ''] = name.split('+')
  // What begins with a plus has no name without it.
  if (base === '') return text
  return WITHOUT_DOTS.has(domain) ? `${base.replaceAll('.', '')}@gmail.com` : `${base}@${domain}`
}

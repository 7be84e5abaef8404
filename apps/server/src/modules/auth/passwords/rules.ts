/** How long a link to choose a password works (api.md 2.1). */
const TOKEN_MINUTES = { reset: 30, temporary: 30, invite: 72 * 60 } as const

/** Links one address may ask for within an hour (api.md 1.7 reset). */
export const RESETS_PER_HOUR = 5

export type PasswordPurpose = keyof typeof TOKEN_MINUTES

/** Returns when a link that is made now stops working. */
export function tokenEnd(purpose: PasswordPurpose, now: Date): Date {
  return new Date(now.getTime() + TOKEN_MINUTES[purpose] * 60_000)
}

/**
 * Returns the address of the screen that takes a token; it differs for members who have chosen a password before (api.md 2.4).
 */
export function passwordLink(origin: string, purpose: PasswordPurpose, token: string): string {
  return `${origin}/${purpose === 'reset' ? 'createPassword' : 'setPassword'}?resetPasswordToken=${token}`
}

/** Returns the origin for a link: the one asked for when it is allowed, else the site's (api.md 2.5). */
export function linkOrigin(asked: string | undefined, site: string, allowed: readonly string[]): string {
  const origin = asked === undefined ? null : (URL.parse(asked)?.origin ?? null)
  return origin !== null && allowed.includes(origin) ? origin : site
}

/**
 * Masks an e-mail address so that only its owner recognises it: `o…r@shop.example`. A short name shows less, because its ends
 * are the whole name: `j…@shop.example`, `…@shop.example`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = Array.from(email.slice(0, at))
  const first = name.length > 1 ? name[0] : ''
  const last = name.length > 3 ? name.at(-1) : ''
  return `${first}…${last}${email.slice(at)}`
}

/** Codes work this long after their mail (api.md D18). */
export const CODE_MS = 10 * 60_000

/** With six digits, five tries find a code once in 200,000 times. */
export const MOST_TRIES = 5

/** How many of something are allowed in a span of time. */
export type Limit = { readonly most: number; readonly withinMs: number }

/** Mails about one subject in ten minutes (api.md 1.7, class `otp`). */
export const SENDS: Limit = { most: 3, withinMs: 10 * 60_000 }

/** Mails to one person in an hour: a stolen API key cannot flood its author. */
export const SENDS_TO_PERSON: Limit = { most: 20, withinMs: 3_600_000 }

const DAY_MS = 24 * 3_600_000

/** Mails about one subject in a day: enough for every withdrawal that a person makes by hand. */
export const SENDS_A_DAY: Limit = { most: 10, withinMs: DAY_MS }

/** Mails to one mailbox in a day, for whoever names it: three people who use up all of theirs. */
const SENDS_TO_MAILBOX: Limit = { most: 30, withinMs: DAY_MS }

/** The same for one who has had few of them: filling it needs dozens of others who name the mailbox, and floods nobody. */
const FIRST_SENDS_TO_MAILBOX: Limit = { most: 100, withinMs: DAY_MS }

/** A code, and another one for a mail that was late. */
const FIRST_SENDS = 2

/** How many mails a mailbox may have had in a day for one more to somebody who has had so many of them. */
export function mailboxLimit(own: number): Limit {
  return own < FIRST_SENDS ? FIRST_SENDS_TO_MAILBOX : SENDS_TO_MAILBOX
}

/** Wrong codes in a day: whoever tries every day finds one of six digits after a century. */
export const TRIES_A_DAY: Limit = { most: 20, withinMs: DAY_MS }

/** Seconds until one more is allowed; null when one is allowed now. `times` are those of the last span, oldest first. */
export function waitFor(times: readonly Date[], { most, withinMs }: Limit, now: Date): number | null {
  const blocking = times.at(-most)
  const ends = blocking === undefined ? 0 : blocking.getTime() + withinMs
  return ends <= now.getTime() ? null : Math.max(1, Math.ceil((ends - now.getTime()) / 1000))
}

/** Codes work this long after their mail (api.md D18). */
export const CODE_MS = 10 * 60_000

/** With six digits, five tries find a code once in 200,000 times. */
export const MOST_TRIES = 5

/** Mails per recipient in ten minutes (api.md 1.7, class `otp`). */
export const SENDS = { most: 3, withinMs: 10 * 60_000 } as const

/** Mails to one person in an hour: a stolen API key cannot flood its author. */
export const SENDS_TO_PERSON = { most: 20, withinMs: 3_600_000 } as const

/** Seconds until one more mail may be sent; null when one may be sent now. `times` are those of the last window, oldest first. */
export function waitForSend(
  times: readonly Date[],
  { most, withinMs }: { readonly most: number; readonly withinMs: number },
  now: Date,
): number | null {
  const blocking = times.at(-most)
  if (blocking === undefined) return null
  return Math.max(1, Math.ceil((blocking.getTime() + withinMs - now.getTime()) / 1000))
}

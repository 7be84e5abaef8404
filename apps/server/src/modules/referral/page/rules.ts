/** A page's token expires after this long without use (api.md 2.1). */
const IDLE_MS = 24 * 3_600_000

/** And after this long in any case. */
const MOST_MS = 7 * 24 * 3_600_000

/** A token that is renewed to nearly the same end is not written, so that calls do not all write. */
const STEP_MS = 10 * 60_000

/** The new end of a token that is used now; null when it is nearly the same as the present one. */
export function tokenEnd(
  { createdAt, expiresAt }: { readonly createdAt: Date; readonly expiresAt: Date },
  now: Date,
): Date | null {
  const end = Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + MOST_MS)
  return end - expiresAt.getTime() > STEP_MS ? new Date(end) : null
}

/** The link a promoter shares: the shop's page, with the code. Empty where the shop has no page. */
export function shareLink(website: string, code: string): string {
  const url = URL.parse(website)
  if (url === null) return ''
  url.searchParams.set('ref', code)
  return url.href
}

/** The origin of the shop's own pages, which may frame the page; null where it has none. */
export function frameOrigin(website: string): string | null {
  const url = URL.parse(website)
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin : null
}

/** What the server names the stand-in for a logo; the payment page shows the shop's initials in its place. */
const STAND_IN = '/placeholder-'

/** Returns where a project's own logo is; empty while it has none, or only the stand-in it was made with. */
export function ownLogo(path: string): string {
  return path.includes(STAND_IN) ? '' : path
}

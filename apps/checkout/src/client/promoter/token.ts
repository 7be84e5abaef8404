/**
 * Takes the token out of the address bar, where history, bookmarks and screenshots would keep it; the page remembers it for
 * as long as it is open.
 */
export function takeToken(): string {
  const token = location.pathname.split('/').filter(Boolean).at(1) ?? ''
  history.replaceState(null, '', `/referral${location.search}`)
  return token
}

/** `acme.com`, `shop.acme.com:8443/welcome`: a name with a dot and an ending of letters, and what may follow it. */
const BARE = /^(?:[\p{L}\d-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u

/** Returns a web address in full: https:// goes in front of one that is typed as people say it; all else stays as it is. */
export function withScheme(text: string): string {
  const bare = text.trim()
  return BARE.test(bare) ? `https://${bare}` : text
}

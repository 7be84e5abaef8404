/** Longer path segments count as keys ("v2" and "rpc" stay readable). */
const LONGEST_PLAIN_SEGMENT = 8

const MASK = '•••'

/** Prints a node's URL without user-info, keys in the path, or query values. */
export function maskUrl(url: string): string {
  if (!URL.canParse(url)) return MASK
  const { protocol, host, username, pathname, search } = new URL(url)
  const path = pathname.split('/').map((part) => (part.length > LONGEST_PLAIN_SEGMENT ? MASK : part))
  return `${protocol}//${username ? `${MASK}@` : ''}${host}${path.join('/')}${search ? `?${MASK}` : ''}`.replace(
    /\/$/,
    '',
  )
}

/** Lists the parts of a node's URL that must not appear in any message, longest first. */
export function secretsOf(url: string): string[] {
  if (!URL.canParse(url)) return []
  const { username, password, pathname, search, searchParams } = new URL(url)
  const keys = pathname.split('/').filter((part) => part.length > LONGEST_PLAIN_SEGMENT)
  return [url, search, username, password, ...keys, ...searchParams.values()]
    .flatMap((secret) => [secret, decode(secret)])
    .filter((secret) => secret.length > 1)
    .toSorted((a, b) => b.length - a.length)
}

/** Replaces every secret in a text. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, MASK), text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

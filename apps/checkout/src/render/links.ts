import { isEmail } from '@kassa/contract/kit/email.ts'
import { isHttpUrl } from '@kassa/contract/kit/fields.ts'

/** The payment URIs that this page links to, by scheme (money.md 1.8). */
const WALLET_LINK = /^(ethereum|bitcoin|solana|tron):[\x21-\x7e]+$/i

/** Gives the first of some addresses that is a plain http or https one. */
export function webLink(...candidates: readonly (string | null | undefined)[]): string | null {
  return candidates.find((url) => typeof url === 'string' && isHttpUrl(url)) ?? null
}

/** Gives a wallet link when its scheme is one we write. */
export function walletLink(uri: string | null): string | null {
  return uri !== null && WALLET_LINK.test(uri) ? uri : null
}

/** Gives a mail link with its subject and text filled in, or null when the address is not one. */
export function mailLink(address: string, subject: string, body: string): string | null {
  if (!isEmail(address)) return null
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
}

/** Gives the path of a picture on our own origin, else null: our pages make no third-party requests. */
export function ownPicture(path: string, siteUrl: string): string | null {
  const site = URL.parse(siteUrl)
  const url = site === null ? null : URL.parse(path, site.origin)
  if (url === null || site === null || path === '' || url.origin !== site.origin) return null
  return url.pathname
}

/** Host names that resolve only in a private network, and IP addresses, which may be private. */
const NOT_PUBLIC = /(^|\.)(localhost|local|internal|lan|test|home\.arpa)\.?$|^[\d.]+$|^\[|^[^.]+$/

/** Gives the absolute https URL of one of our pages when it can be opened from any network, else null. */
export function publicPage(path: string, siteUrl: string): string | null {
  const url = URL.parse(path, URL.parse(siteUrl)?.origin)
  return url === null || url.protocol !== 'https:' || NOT_PUBLIC.test(url.hostname) ? null : url.href
}

/** Gives the origin of a URL: the only one whose window may receive the payment's state by `postMessage`. */
export function originOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? null)
}

import { isEmail } from '@kassa/contract/kit/email.ts'
import { isHttpUrl } from '@kassa/contract/kit/fields.ts'

/** The wallet schemes of money.md 1.8. */
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
export function mailLink(address: string, viewModel: string, body: string): string | null {
  if (!isEmail(address)) return null
  return `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}?subject=${encodeURIComponent(viewModel)}&body=${encodeURIComponent(body)}`
}

/** Gives a picture's address when it lies on our own origin: no page of ours makes a third-party request. */
export function ownPicture(path: string, siteUrl: string): string | null {
  const site = URL.parse(siteUrl)
  const url = site === null ? null : URL.parse(path, site.origin)
  if (url === null || site === null || path === '' || url.origin !== site.origin) return null
  return url.pathname
}

/** Hosts that a stranger's phone cannot find, and bare numbers, of which nobody knows where they lead. */
const NOT_PUBLIC = /(^|\.)(localhost|local|internal|lan|test|home\.arpa)\.?$|^[\d.]+$|^\[|^[^.]+$/

/** Gives the whole address of a page of ours when everybody can open it, by https; else null. */
export function publicPage(path: string, siteUrl: string): string | null {
  const url = URL.parse(path, URL.parse(siteUrl)?.origin)
  return url === null || url.protocol !== 'https:' || NOT_PUBLIC.test(url.hostname) ? null : url.href
}

/** Gives the origin of a web address, for the one window a state may be told to. */
export function originOf(url: string | null): string | null {
  return url === null ? null : (URL.parse(url)?.origin ?? null)
}

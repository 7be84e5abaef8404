import { html, trusted } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { ownPicture } from '../links.ts'
import { brandStyle, CHECKOUT_SHEETS, inlineHash, type Sheets } from './style.ts'
import type { Rendered, Theme } from '../view.ts'
import type { Translator } from '../text/translator.ts'

/** What every page here is wrapped in. */
export type Frame = {
  readonly title: string
  readonly main: Html
  readonly translator: Translator
  readonly brandColor: string
  readonly theme: Theme | undefined
  /** `compact` and `screen` of 3.44: without a footer, `compact` without a header too. */
  readonly shape: 'plain' | 'compact' | 'screen'
  readonly header?: Html | null
  readonly footer?: Html | null
  /** A script of ours by its address, or one that stands in the page: saved, it works without us. */
  readonly script?: { readonly url: string } | { readonly inline: string }
  /** The style; that of payment pages by default. */
  readonly sheets?: Sheets
  readonly refreshEvery?: number | undefined
  readonly isTest?: boolean
  /** Its script follows a payment, and says when the network or the server does not answer. */
  readonly isLive?: true
}

/** Draws the whole document. */
export function renderDocument(frame: Frame): Rendered {
  const { translator, shape } = frame
  const { code, dir } = translator.language
  const brand = brandStyle(frame.brandColor)
  const theme = frame.theme !== undefined && html` data-theme="${frame.theme}"`
  const refresh =
    frame.refreshEvery !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${Math.max(10, Math.trunc(frame.refreshEvery))}" /></noscript>`
  const script = frame.script && 'url' in frame.script && html`<script src="${frame.script.url}" defer></script>`
  const sheet = (frame.sheets ?? CHECKOUT_SHEETS)[frame.theme ?? 'system']
  const inline = frame.script && 'inline' in frame.script ? frame.script.inline : null
  const page = html`<!doctype html><html lang="${code}" dir="${dir}"${theme}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover"><title>${frame.title}</title><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><link rel="icon" href="/favicon.svg" type="image/svg+xml">${refresh}<style>${trusted(sheet.text)}</style><style>${trusted(brand)}</style>${script}</head><body${shape !== 'plain' && html` class="${shape}"`}>${frame.isTest === true && html`<aside class="ribbon">${translator.say('ribbon')}</aside>`}${frame.isLive && banners(translator)}${shape !== 'compact' && frame.header}${frame.main}${shape === 'plain' && frame.footer}${inline !== null && trusted(`<script>${inline}</script>`)}</body></html>`
  return {
    html: page.text,
    styleHashes: [sheet.hash, inlineHash(brand)],
    scriptHashes: inline === null ? [] : [inlineHash(inline)],
  }
}

function banners(translator: Translator): Html {
  const banner = (id: 'offline' | 'unreachable') =>
    html`<p class="banner" id="${id}" role="alert" hidden>${translator.say(id)}</p>`
  return html`${banner('offline')}${banner('unreachable')}`
}

/** Draws a shop's logo, which the server keeps within the page's 30 kB, else its initials. */
export function logo(logoPath: string, name: string, siteUrl: string): Html {
  const picture = ownPicture(logoPath, siteUrl)
  if (picture !== null) {
    return html`<img class="logo" src="${picture}" alt="" width="32" height="32" />`
  }
  return html`<span class="logo initials" aria-hidden="true">${initials(name)}</span>`
}

function initials(name: string): string {
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? '')
  return letters.join('').slice(0, 2).toUpperCase()
}

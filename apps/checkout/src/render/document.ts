import { html, trusted } from './html.ts'
import type { Html } from './html.ts'
import { ownPicture } from './links.ts'
import { brandStyle, STYLE, STYLE_HASH, styleHash } from './style.ts'
import { TEXTS } from './messages.ts'
import type { ProjectPublic, Rendered, Theme } from './view.ts'

/** What every page here is wrapped in. */
export type Frame = {
  readonly title: string
  readonly main: Html
  readonly brandColor: string
  readonly theme: Theme | undefined
  readonly compact: boolean
  readonly header?: Html | null
  readonly footer?: Html | null
  readonly scriptUrl?: string
  readonly refreshEvery?: number | undefined
  readonly isTest?: boolean
}

/** Draws the whole document. */
export function renderDocument(frame: Frame): Rendered {
  const brand = brandStyle(frame.brandColor)
  const theme = frame.theme !== undefined && html` data-theme="${frame.theme}"`
  const refresh =
    frame.refreshEvery !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${Math.max(10, Math.trunc(frame.refreshEvery))}" /></noscript>`
  const script = frame.scriptUrl !== undefined && html`<script src="${frame.scriptUrl}" defer></script>`
  const page = html`<!doctype html><html lang="en"${theme}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${frame.title}</title><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><link rel="icon" href="/favicon.svg" type="image/svg+xml">${refresh}<style>${trusted(STYLE)}</style><style>${trusted(brand)}</style>${script}</head><body${frame.compact && html` class="compact"`}>${frame.isTest === true && html`<aside class="ribbon">${TEXTS.ribbon}</aside>`}<p class="banner" id="offline" role="alert" hidden>${TEXTS.offline}</p><p class="banner" id="unreachable" role="alert" hidden>${TEXTS.unreachable}</p>${!frame.compact && frame.header}${frame.main}${!frame.compact && frame.footer}</body></html>`
  return { html: page.text, styleHashes: [STYLE_HASH, styleHash(brand)] }
}

/** Draws whose page this is: its logo, which the server keeps within the page's 30 kB, else initials. */
export function merchantHeader(project: ProjectPublic, merchant: string, siteUrl: string): Html {
  return html`<header class="head">
    ${logo(project, merchant, siteUrl)}<span class="name"><bdi>${merchant}</bdi></span>
  </header>`
}

function logo(project: ProjectPublic, merchant: string, siteUrl: string): Html {
  const picture = ownPicture(project.logoPath, siteUrl)
  if (picture !== null) {
    return html`<img class="logo" src="${picture}" alt="" width="32" height="32" />`
  }
  return html`<span class="logo initials" aria-hidden="true">${initials(merchant)}</span>`
}

function initials(name: string): string {
  const letters = name.split(/\s+/).map((word) => Array.from(word)[0] ?? '')
  return letters.join('').slice(0, 2).toUpperCase()
}

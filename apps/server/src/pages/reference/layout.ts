import { createHash } from 'node:crypto'

import { escapeHtml } from '../html.ts'

const STYLE =
  ':root{color-scheme:light dark;--line:light-dark(#e2e4df,#343731);--muted:light-dark(#5f635b,#a9aca5);--sunken:light-dark(#eff1ed,#252722)}' +
  'body{font:16px/1.55 system-ui,sans-serif;margin:0;background:light-dark(#f6f7f4,#090b07);color:light-dark(#10120e,#f6f7f4)}' +
  'header,main{max-width:60rem;margin:0 auto;padding:1.5rem 1.25rem}header{padding-bottom:0}h1{font-size:1.75rem;letter-spacing:-.01em;overflow-wrap:anywhere}h2{margin-top:2.5rem;font-size:1.3rem}' +
  'nav{display:flex;flex-wrap:wrap;gap:.4rem 1rem}a{color:light-dark(#536e09,#caff54)}a[aria-current]{color:inherit;font-weight:600}p,li{max-width:68ch}' +
  ':focus-visible{outline:2px solid currentColor;outline-offset:2px}' +
  'article{border:1px solid var(--line);border-radius:12px;padding:1rem 1.25rem;margin:1rem 0;background:light-dark(#fff,#10120e)}' +
  'article h3{margin:0 0 .35rem;font-size:1rem}code{font-family:ui-monospace,monospace;font-size:.875em;overflow-wrap:anywhere}' +
  'pre{overflow-x:auto;padding:1rem;border:1px solid var(--line);border-radius:12px;background:light-dark(#fff,#10120e)}pre code{overflow-wrap:normal}' +
  '.method{display:inline-block;font-weight:600;padding:0 .45rem;border-radius:4px;background:var(--sunken);margin-inline-end:.5rem}' +
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1.25rem;margin:.75rem 0 0;font-size:.9375rem}dt{color:var(--muted)}dd{margin:0;min-width:0}' +
  '@media(max-width:40rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}'
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`

const SECTIONS = [
  ['/docs', 'Quick start'],
  ['/docs/calls', 'Calls'],
  ['/docs/errors', 'Errors'],
  ['/docs/states', 'States'],
] as const

export type ReferencePage = {
  /** The section it belongs to. */
  readonly section: (typeof SECTIONS)[number][0]
  readonly title: string
  /** HTML below the title. */
  readonly body: string
}

/** A page of the reference, with the way to the others. */
export function layout({ section, title, body }: ReferencePage): string {
  const links = SECTIONS.map(
    ([href, name]) => `<a href="${href}"${href === section ? ' aria-current="true"' : ''}>${name}</a>`,
  )
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${escapeHtml(title)} · Kassa</title><style>${STYLE}</style></head><body>` +
    `<header><nav aria-label="Documentation">${links.join('')}</nav></header>` +
    `<main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`
  )
}

/** Names with what is said of each. */
export function descriptions(rows: readonly (readonly [string, string])[]): string {
  return `<dl>${rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`).join('')}</dl>`
}

import { createHash } from 'node:crypto'
import { brandOf } from './brand.ts'
import type { Theme } from '../view.ts'
import { CHECKOUT_CSS } from './style-checkout.ts'
import { PAGE_CSS } from './style-page.ts'

/** The semantic tokens of screens.md 1.3 and 1.4 that these pages use: [light, dark]. */
export const TOKENS = {
  bg: ['#f6f7f4', '#090b07'],
  surface: ['#ffffff', '#10120e'],
  sunken: ['#eff1ed', '#252722'],
  border: ['#e2e4df', '#343731'],
  control: ['#848880', '#6a6d66'],
  text: ['#10120e', '#f6f7f4'],
  muted: ['#6a6d66', '#a9aca5'],
  link: ['#536e09', '#caff54'],
  focus: ['#3e5305', '#caff54'],
  selected: ['#e7fec3', '#192303'],
  'neutral-text': ['#4e514a', '#d1d4ce'],
  'neutral-tint': ['#eff1ed', '#252722'],
  'neutral-line': ['#d1d4ce', '#4e514a'],
  'info-text': ['#005494', '#a2cfff'],
  'info-tint': ['#e9f4ff', '#0e243a'],
  'info-line': ['#aed5ff', '#285077'],
  'progress-text': ['#593f91', '#cec0ff'],
  'progress-tint': ['#f3f0ff', '#251d38'],
  'progress-line': ['#d4c8ff', '#504374'],
  'success-text': ['#006336', '#87e2a8'],
  'success-tint': ['#e1fae8', '#0b2a18'],
  'success-line': ['#a7e1ba', '#225a39'],
  'warning-text': ['#704a00', '#f8bf6c'],
  'warning-tint': ['#fff0dc', '#311f03'],
  'warning-line': ['#f0ca96', '#664610'],
  'danger-text': ['#8c2d2b', '#ffb5ae'],
  'danger-tint': ['#ffeeec', '#371816'],
  'danger-line': ['#ffbeb8', '#733a36'],
} as const satisfies Record<string, readonly [light: string, dark: string]>

/** A style sheet with its hash for `style-src`. */
type Sheet = { readonly text: string; readonly hash: string }

/** One for each choice of colours: a page carries only those that it may be seen in. */
export type Sheets = Readonly<Record<Theme | 'system', Sheet>>

/** Makes the sheets of some rules, with the tokens that the rules use and no other. */
export function sheetsOf(rules: string): Sheets {
  const css = rules
    .replace(/\s*\n\s*/g, '')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replace(/: /g, ':')
  const [light, dark] = [variables(css, 0), variables(css, 1)]
  return {
    system: sheet(`:root{color-scheme:light dark;${light}}@media (prefers-color-scheme:dark){:root{${dark}}}${css}`),
    light: sheet(`:root{color-scheme:light;${light}}${css}`),
    dark: sheet(`:root{color-scheme:dark;${dark}}${css}`),
  }
}

/** The style of the pages of a payment and of addresses. */
export const CHECKOUT_SHEETS = sheetsOf(PAGE_CSS + CHECKOUT_CSS)

function variables(css: string, theme: 0 | 1): string {
  const used = Object.entries(TOKENS).filter(([name]) => css.includes(`var(--${name})`))
  const tokens = used.map(([name, pair]) => `--${name}:${pair[theme]}`)
  return [...tokens, `--brand-edge:var(--edge-${theme === 0 ? 'light' : 'dark'})`].join(';')
}

function sheet(text: string): Sheet {
  return { text, hash: inlineHash(text) }
}

/** Prints the few lines that differ from merchant to merchant. */
export function brandStyle(colour: string): string {
  const { fill, ink, edge } = brandOf(colour)
  const line = (shown: boolean) => (shown ? 'var(--text)' : 'transparent')
  return `:root{--brand:${fill};--on-brand:${ink};--edge-light:${line(edge.light)};--edge-dark:${line(edge.dark)}}`
}

/** Hashes an inline style or script the way a Content-Security-Policy names it. */
export function inlineHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

import { createHash } from 'node:crypto'
import { brandOf } from './brand.ts'
import { PARTS_CSS } from './style-parts.ts'

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

function variables(theme: 0 | 1): string {
  const tokens = Object.entries(TOKENS).map(([name, pair]) => `--${name}:${pair[theme]}`)
  return [...tokens, `--brand-edge:var(--edge-${theme === 0 ? 'light' : 'dark'})`].join(';')
}

/** The style sheet of every page here. */
export const STYLE = [
  `:root{color-scheme:light dark;${variables(0)}}`,
  `@media (prefers-color-scheme:dark){:root{${variables(1)}}}`,
  `[data-theme=light]{color-scheme:light;${variables(0)}}`,
  `[data-theme=dark]{color-scheme:dark;${variables(1)}}`,
  PARTS_CSS.replace(/\s*\n\s*/g, '')
    .replace(/\s*([{};,])\s*/g, '$1')
    .replace(/: /g, ':'),
].join('')

/** The hash of `STYLE` for `style-src`. */
export const STYLE_HASH = inlineHash(STYLE)

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

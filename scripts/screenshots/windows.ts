/** The windows that screens are pictured in, and which screens each of them takes. */
import type { Browser } from 'playwright-core'

import { LARGE_TEXT, openBrowser, openVisit, type Visit } from '../../e2e/browser.ts'
import { type PseudoLocale, speakPseudo } from '../../e2e/spec/pseudo-catalogue.ts'

/** `A` in every window, `B` in three, `C` in one. */
export type PictureSet = 'A' | 'B' | 'C'

/** Phone, tablet, desktop. */
const SIZES = {
  phone: { width: 390, height: 844 },
  tablet: { width: 768, height: 1024 },
  desktop: { width: 1440, height: 900 },
} as const

export type WindowKind = {
  /** As it stands in the names of pictures. */
  readonly name: string
  readonly size: keyof typeof SIZES
  readonly sets: string
  readonly isDark?: boolean
  readonly locale?: PseudoLocale
  readonly hasForcedColors?: boolean
  readonly hasLargeText?: boolean
}

export const WINDOWS: readonly WindowKind[] = [
  { name: '390-light', size: 'phone', sets: 'A' },
  { name: '768-light', size: 'tablet', sets: 'AB' },
  { name: '1440-light', size: 'desktop', sets: 'ABC' },
  { name: '390-dark', size: 'phone', sets: 'AB', isDark: true },
  { name: '768-dark', size: 'tablet', sets: 'A', isDark: true },
  { name: '1440-dark', size: 'desktop', sets: 'A', isDark: true },
  { name: '390-en-XA', size: 'phone', sets: 'A', locale: 'en-XA' },
  { name: '1440-ar-XB', size: 'desktop', sets: 'A', locale: 'ar-XB' },
  { name: '1440-forced', size: 'desktop', sets: 'A', hasForcedColors: true },
  { name: '768-large-text', size: 'tablet', sets: 'A', hasLargeText: true },
]

const TIMEOUT_MS = 15_000

/** Starts the browser that windows of the kind need. */
export function openBrowserFor(kind: WindowKind): Promise<Browser> {
  return openBrowser(kind.hasLargeText === true ? LARGE_TEXT : [])
}

/** Opens a window of the kind, with a session where one is given. */
export async function openWindow(browser: Browser, url: string, kind: WindowKind, session?: string): Promise<Visit> {
  const visit = await openVisit(browser, url, {
    viewport: SIZES[kind.size],
    colorScheme: kind.isDark === true ? 'dark' : 'light',
    forcedColors: kind.hasForcedColors === true ? 'active' : 'none',
  })
  const { page } = visit
  page.setDefaultTimeout(TIMEOUT_MS)
  await page.addInitScript(forget)
  if (session !== undefined) await page.addInitScript(signIn, session)
  if (kind.locale !== undefined) await speakPseudo(page.context(), kind.locale)
  return visit
}

type Storage = {
  readonly localStorage: {
    readonly setItem: (name: string, text: string) => void
    readonly removeItem: (name: string) => void
  }
}

/** Runs in the page, before its own scripts: what the screen before chose for the device is not chosen any more. */
function forget(): void {
  const { localStorage } = globalThis as unknown as Storage
  for (const name of ['sidebar', 'density', 'theme', 'paymentLinkOptions', 'kassa-deployment'])
    localStorage.removeItem(name)
}

/** Runs in the page, before its own scripts. */
function signIn(key: string): void {
  const { localStorage } = globalThis as unknown as Storage
  localStorage.setItem('user', JSON.stringify({ key, role: { name: 'root' }, rootExists: true }))
}

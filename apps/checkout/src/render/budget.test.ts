import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

import { LANGUAGES } from './text/languages.ts'
import type { Language } from './text/languages.ts'
import { PROMOTER } from '../testing/promoter.ts'
import { SAMPLES } from '../testing/samples.ts'
import { VARIANTS } from '../testing/variants.ts'
import { renderCheckout } from './page.ts'
import { renderPromoter } from './promoter/page.ts'

const HERE = new URL('../../', import.meta.url)
const KB = 1000

/** The links to wallet apps stand on pages that everybody can reach. */
const SITE = 'https://pay.acme.example'

/** What a page may weigh with everything needed to pay, a logo of 8 KiB included (screens.md 5.3). */
const PAGE_BUDGET = 30 * KB
const SCRIPT_BUDGET = 10 * KB
/** What is loaded only when it is wanted: the wallet parts, each with its family, and the page that derives. */
const WALLET_BUDGET = 12 * KB
/** Points of two curves: those of keys that derive, and those of the lists of Solana. */
const DERIVE_BUDGET = 32 * KB
const LOGO_BUDGET = 8 * 1024
/** What the page of a promoter may weigh, its logo included (screens.md 3.47). */
const PROMOTER_BUDGET = 25 * KB

function gz(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length
}

describe('checkout.bytes', () => {
  it('stay within 25 kB for the page of a promoter in the longest languages, script included', () => {
    execFileSync(process.execPath, ['build.mjs'], { cwd: HERE })
    const { promoter } = JSON.parse(readFileSync(new URL('build/manifest.json', HERE), 'utf8')) as { promoter: string }
    const script = readFileSync(new URL(`build/${promoter}`, HERE), 'utf8')
    const pages = LANGUAGES.map(({ code }) => gz(renderPromoter({ ...PROMOTER, script, lang: code }).html))
    const heaviest = Math.max(...pages)
    process.stdout.write(`promoter: document ${heaviest} B gz, script in it ${gz(script)} B gz\n`)
    expect(heaviest + LOGO_BUDGET).toBeLessThanOrEqual(PROMOTER_BUDGET)
  })

  it('stay within 30 kB for every state in the longest languages, script and logo included', () => {
    execFileSync(process.execPath, ['build.mjs'], { cwd: HERE })
    const manifest = readFileSync(new URL('build/manifest.json', HERE), 'utf8')
    const { script, wallet, tronWallet, solanaWallet, derive } = JSON.parse(manifest) as Record<
      'script' | 'wallet' | 'tronWallet' | 'solanaWallet' | 'derive',
      string
    >
    const weigh = (name: string) => gz(readFileSync(new URL(`build/${name}`, HERE)))
    const scriptBytes = weigh(script)
    const views = [...Object.values(SAMPLES), ...Object.values(VARIANTS)]
    const length = (language: Language) => gz(JSON.stringify(language.texts))
    const longest = LANGUAGES.toSorted((a, b) => length(b) - length(a)).slice(0, 2)
    const pages = longest.flatMap(({ code }) =>
      views.map((view) =>
        gz(
          renderCheckout({ ...view, lang: code, walletUrls: { ETH_Family: `/checkout/${wallet}` }, siteUrl: SITE })
            .html,
        ),
      ),
    )
    const heaviest = Math.max(...pages)
    for (const part of [wallet, tronWallet, solanaWallet]) expect(weigh(part)).toBeLessThanOrEqual(WALLET_BUDGET)
    expect(weigh(derive)).toBeLessThanOrEqual(DERIVE_BUDGET)
    process.stdout.write(
      `checkout: document with styles ${heaviest} B gz, script ${scriptBytes} B gz, together ${heaviest + scriptBytes} B gz\n`,
    )
    expect(script).toMatch(/^checkout\.[0-9a-f]{12}\.js$/)
    expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET)
    expect(heaviest + scriptBytes + LOGO_BUDGET).toBeLessThanOrEqual(PAGE_BUDGET)
  })
})

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

import { SAMPLES } from '../testing/samples.ts'
import { VARIANTS } from '../testing/variants.ts'
import { renderCheckout } from './page.ts'

const HERE = new URL('../../', import.meta.url)
const KB = 1000

/** What a page may weigh with everything needed to pay, a logo of 8 KiB included (screens.md 5.3). */
const PAGE_BUDGET = 30 * KB
const SCRIPT_BUDGET = 10 * KB
const LOGO_BUDGET = 8 * 1024

function gz(content: string | Uint8Array): number {
  return gzipSync(content, { level: 9 }).length
}

describe('checkout.bytes', () => {
  it('stay within 30 kB for every state, script and logo included', () => {
    execFileSync(process.execPath, ['build.mjs'], { cwd: HERE })
    const { script } = JSON.parse(readFileSync(new URL('build/manifest.json', HERE), 'utf8')) as { script: string }
    const scriptBytes = gz(readFileSync(new URL(`build/${script}`, HERE)))
    const pages = [...Object.values(SAMPLES), ...Object.values(VARIANTS)].map((view) => gz(renderCheckout(view).html))
    const heaviest = Math.max(...pages)
    process.stdout.write(
      `checkout: document with styles ${heaviest} B gz, script ${scriptBytes} B gz, together ${heaviest + scriptBytes} B gz\n`,
    )
    expect(script).toMatch(/^checkout\.[0-9a-f]{12}\.js$/)
    expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET)
    expect(heaviest + scriptBytes + LOGO_BUDGET).toBeLessThanOrEqual(PAGE_BUDGET)
  })
})

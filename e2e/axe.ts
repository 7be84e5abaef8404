/** The accessibility rules of axe-core, run in the page: only violations are reported, so that little is counted and sent. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

/** What is looked at: the whole page unless a part is named by a selector, by all rules unless some are. */
export type Look = { readonly rules?: readonly string[]; readonly part?: string }

type Found = { readonly id: string; readonly nodes: readonly { readonly target: string; readonly summary: string }[] }

/** Lists what breaks the rules: rule, place and what to do about it. */
export async function runAxe(page: Page, { rules, part }: Look = {}): Promise<readonly string[]> {
  // The rules stay in a document until it is left; they are half a megabyte that a page reads anew each time.
  if (!(await page.evaluate<boolean>(`typeof axe === 'object'`))) await page.evaluate(AXE)
  const context = part === undefined ? 'document' : JSON.stringify({ include: [[part]] })
  const options = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: rules }) }
  const found = await page.evaluate<Found[]>(`axe.run(${context}, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ target, failureSummary }) => ({ target: target.join(' '), summary: failureSummary ?? '' })),
    })),
  )`)
  return found.flatMap(({ id, nodes }) => nodes.map(({ target, summary }) => `${id} ${target}: ${summary}`))
}

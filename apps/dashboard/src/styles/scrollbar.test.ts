// @vitest-environment node
import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

const styles = readFileSync(new URL('./app.css', import.meta.url), 'utf8')

describe('the scrollbar of the page', () => {
  it('leaves no strip beside an overlay: no space is kept for a scrollbar where there is none', () => {
    expect(styles).not.toMatch(/scrollbar-gutter/)
    expect(styles).toMatch(/html:has\(dialog:modal\) \{\s*overflow: hidden;/)
  })

  it('moves nothing when it comes or goes: the page takes its width where there is none', () => {
    expect(styles).toMatch(/body \{[^}]*padding-inline-end: calc\(var\(--scrollbar, 0px\) - \(100vw - 100%\)\);/)
  })
})

import { describe, expect, it } from 'vitest'

import { html } from './html.ts'
import type { Html } from './html.ts'

describe('html', () => {
  it('escapes text in elements and quoted attributes', () => {
    const evil = `"><script>alert('x')</script>&`
    expect(html`<a title="${evil}">${evil}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;</a>',
    )
  })

  it('keeps markup and lists of it', () => {
    const words = ['a', '<'].map((word) => html`<i>${word}</i>`)
    expect(html`<p>${words}</p>`.text).toBe('<p><i>a</i><i>&lt;</i></p>')
  })

  it('prints nothing for what is absent, and numbers as they are', () => {
    expect(html`${null}${undefined}${false}${0}${12}`.text).toBe('012')
  })

  it('refuses an object that only looks like markup', () => {
    const forged = JSON.parse('{"text":"<script>"}') as Html
    expect(() => html`${forged}`.text).toThrow(TypeError)
  })
})

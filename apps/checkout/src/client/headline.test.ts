// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'

import { renderCheckout } from '../render/page.ts'
import { SAMPLES } from '../testing/samples.ts'
import { followSteps } from './headline.ts'

function show(state: keyof typeof SAMPLES): void {
  const fresh = new DOMParser().parseFromString(renderCheckout(SAMPLES[state]).html, 'text/html')
  document.documentElement.innerHTML = fresh.documentElement.innerHTML
  followSteps()
}
const submit = (selector: string) =>
  document.querySelector(selector)?.dispatchEvent(new Event('submit', { bubbles: true }))

beforeEach(() => sessionStorage.clear())

describe('headline', () => {
  it('comes into focus after Continue, once', () => {
    show('choose')
    expect(document.activeElement).toBe(document.body)
    submit('form[data-choice]')
    show('waiting')
    expect(document.activeElement?.id).toBe('headline')
    show('waiting')
    expect(document.activeElement).toBe(document.body)
  })

  it('stays out of focus after a question about a transaction, which answers in place', () => {
    show('waiting')
    submit('form[data-ask]')
    show('waiting')
    expect(document.activeElement).toBe(document.body)
  })
})

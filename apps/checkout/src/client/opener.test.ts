// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'

import { notifyOpener } from './opener.ts'

afterEach(() => void vi.unstubAllGlobals())

describe('opener', () => {
  const sent: unknown[] = []
  const open = () => vi.stubGlobal('opener', { postMessage: (...message: unknown[]) => sent.push(message) })

  it('hears reference and state, at the shop’s origin', () => {
    document.body.innerHTML =
      '<div id="view" data-reference="r" data-state="paid" data-shop="https://acme.example"></div>'
    open()
    notifyOpener()
    expect(sent).toEqual([[{ reference: 'r', state: 'paid' }, 'https://acme.example']])
  })

  it('hears nothing when the shop’s origin is not known', () => {
    sent.length = 0
    document.body.innerHTML = '<div id="view" data-reference="r" data-state="paid"></div>'
    open()
    notifyOpener()
    expect(sent).toEqual([])
  })
})

// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { noticeWallets } from './wallet-apps.ts'

const request = vi.fn<() => void>()
const announce = () =>
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: {}, provider: { request } } }))
const isHere = () => document.documentElement.dataset['wallet'] !== undefined

beforeEach(() => {
  delete document.documentElement.dataset['wallet']
  addEventListener('eip6963:requestProvider', announce)
})
afterEach(() => removeEventListener('eip6963:requestProvider', announce))

describe('wallet apps', () => {
  it('stay hidden beside a wallet that is here, which is asked nothing', () => {
    document.body.innerHTML = '<details id="wallet-apps"></details>'
    noticeWallets()
    expect(isHere()).toBe(true)
    expect(request).not.toHaveBeenCalled()
  })

  it('stay shown where no wallet announces itself', () => {
    removeEventListener('eip6963:requestProvider', announce)
    document.body.innerHTML = '<details id="wallet-apps"></details>'
    noticeWallets()
    expect(isHere()).toBe(false)
  })

  it('are looked for only where they are offered', () => {
    const asked = vi.fn<() => void>()
    addEventListener('eip6963:requestProvider', asked)
    document.body.innerHTML = ''
    noticeWallets()
    removeEventListener('eip6963:requestProvider', asked)
    expect(asked).not.toHaveBeenCalled()
  })
})

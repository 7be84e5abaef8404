// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { CHECKOUT_SHEETS } from '../render/layout/style.ts'
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

describe('wallets of this browser', () => {
  it.each([
    '<details id="wallet-apps"></details>',
    '<button id="pay-with-wallet"></button>',
    '<button data-with-wallet></button>',
  ])('are noticed beside %s, and asked nothing', (offer) => {
    document.body.innerHTML = offer
    noticeWallets()
    expect(isHere()).toBe(true)
    expect(request).not.toHaveBeenCalled()
  })

  it('are not there before one announces itself, and are as soon as one does', () => {
    removeEventListener('eip6963:requestProvider', announce)
    document.body.innerHTML = '<button id="pay-with-wallet"></button>'
    noticeWallets()
    expect(isHere()).toBe(false)
    announce()
    expect(isHere()).toBe(true)
  })

  it('are offered only where one is here', () => {
    const shown = () => {
      document.documentElement.innerHTML = `<head><style>${CHECKOUT_SHEETS.system.text}</style></head><body><button id="pay-with-wallet"></button><button data-with-wallet></button></body>`
      return [...document.querySelectorAll('button')].map((button) => getComputedStyle(button).display)
    }
    expect(shown()).toEqual(['none', 'none'])
    noticeWallets()
    expect(shown()).not.toContain('none')
  })

  it('are looked for only where that changes what is offered', () => {
    const asked = vi.fn<() => void>()
    addEventListener('eip6963:requestProvider', asked)
    document.body.innerHTML = ''
    noticeWallets()
    removeEventListener('eip6963:requestProvider', asked)
    expect(asked).not.toHaveBeenCalled()
  })
})

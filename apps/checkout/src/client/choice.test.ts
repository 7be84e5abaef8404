// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest'

import { renderCheckout } from '../render/page.ts'
import { sampleOption, SAMPLES } from '../testing/samples.ts'
import { listenToChoices, restoreChoice } from './choice.ts'

const ten = ['USDC', 'USDT', 'ETH', 'DAI', 'POL'].flatMap((currency) => [
  sampleOption(currency, 'ETH', 'Ethereum'),
  sampleOption(currency, 'BASE', 'Base'),
])

function show(view: Parameters<typeof renderCheckout>[0]): void {
  const fresh = new DOMParser().parseFromString(renderCheckout(view).html, 'text/html')
  document.documentElement.innerHTML = fresh.documentElement.innerHTML
}

function pressed(): string | undefined {
  return document.querySelector<HTMLInputElement>('input[name=asset]:checked')?.value
}

listenToChoices()
beforeEach(() => localStorage.clear())

describe('choice', () => {
  it('presses what was used last on this device', () => {
    show(SAMPLES.choose)
    expect(pressed()).toBe('BASE:USDC')
    document.getElementById('asset-ETH:USDT')?.click()
    document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true }))
    show(SAMPLES.choose)
    restoreChoice()
    expect(pressed()).toBe('ETH:USDT')
  })

  it('never presses what is not ready', () => {
    localStorage.setItem('kassa.checkout.last', 'BTC:BTC')
    show(SAMPLES.choose)
    restoreChoice()
    expect(pressed()).toBe('BASE:USDC')
  })

  it('narrows a long list by currency and network', () => {
    show({ ...SAMPLES.choose, options: ten })
    const field = document.querySelector<HTMLInputElement>('[data-filter]')
    if (field === null) throw new Error('no filter')
    field.value = 'usd base'
    field.dispatchEvent(new Event('input', { bubbles: true }))
    const shown = [...document.querySelectorAll<HTMLElement>('.option')].filter((row) => !row.hidden)
    expect(shown.map((row) => row.dataset['words'])).toEqual(['usdc on base usdc', 'usdt on base usdt'])
  })

  it('offers no filter for a short list', () => {
    show(SAMPLES.choose)
    expect(document.querySelector('[data-filter]')).toBeNull()
  })
})

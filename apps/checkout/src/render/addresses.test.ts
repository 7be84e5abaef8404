import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../testing/document.ts'
import { answerAddresses, renderAddresses } from './addresses.ts'
import type { AddressesView } from './addresses.ts'
import { inlineHash } from './layout/style.ts'

const VIEW: AddressesView = {
  tab: 'real',
  link: '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d',
  address: '0x5aAe"<b>',
  publicKey: 'a2V5',
  scriptUrl: '/checkout/check.js',
  deriveScript: 'derive()',
}
const draw = (changes: Partial<AddressesView> = {}) => parseDocument(renderAddresses({ ...VIEW, ...changes }).html)

describe('addresses', () => {
  it('asks for link and address, filled in where the payment’s page knew them', () => {
    const document = draw()
    expect(textOf(document.querySelector('h1'))).toBe('Check an address')
    const fields = [...document.querySelectorAll('input')]
    expect(fields.map((field) => [field.id, field.getAttribute('value')])).toEqual([
      ['link', VIEW.link],
      ['address', VIEW.address],
    ])
    expect(textOf(document.querySelector('form button'))).toBe('Check')
    expect(document.querySelector('#answer')?.getAttribute('data-key')).toBe('a2V5')
    expect(textOf(document.querySelector('.hint'))).toBe('Public key of this server: a2V5')
    expect(document.querySelector('script')?.getAttribute('src')).toBe('/checkout/check.js')
  })

  it('derives on a page that holds all it needs and can send nothing', () => {
    const { html, scriptHashes } = renderAddresses({ ...VIEW, tab: 'derive' })
    const document = parseDocument(html)
    expect(scriptHashes).toEqual([inlineHash('derive()')])
    expect([...document.querySelectorAll('script')].map((script) => script.textContent)).toEqual(['derive()'])
    expect(document.querySelectorAll('[name]:not(meta), form[action], form[method]')).toHaveLength(0)
    expect(document.body.textContent).not.toContain('a2V5')
  })

  it('has two tabs that are pages, and keeps the language', () => {
    const document = draw({ tab: 'derive', lang: 'de' })
    const tabs = [...document.querySelectorAll('.tabs a')]
    expect(tabs.map((tab) => tab.getAttribute('href'))).toEqual([
      '/addresses?lang=de',
      '/addresses?tabId=derive&lang=de',
    ])
    expect(tabs.map((tab) => tab.getAttribute('aria-current'))).toEqual([null, 'page'])
    expect(document.documentElement.getAttribute('lang')).toBe('de')
  })

  it('leads back to the payment it was opened from, in the same language, and to nothing else', () => {
    const back = (changes: Partial<AddressesView>) => draw(changes).querySelector('.after a')?.getAttribute('href')
    expect(back({ lang: 'de' })).toBe(`/payments?reference_id=${VIEW.link}&lang=de`)
    expect(textOf(draw().querySelector('.after a'))).toBe('Back to the payment')
    expect([back({ link: '' }), back({ link: '//evil.example' }), back({ tab: 'derive' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('keeps what was filled in when the language changes', () => {
    const arabic = draw({ address: '0xabc' }).querySelector('#languages [lang=ar]')?.getAttribute('href')
    expect(arabic).toBe(`/addresses?reference_id=${VIEW.link}&address=0xabc&lang=ar`)
  })

  it('is what its query asks for, as far as it is text', () => {
    const derive = () => VIEW.deriveScript
    const answer = (query: Record<string, unknown>) =>
      answerAddresses(query, { lang: 'de' }, VIEW.publicKey, { checkUrl: VIEW.scriptUrl, deriveText: derive }).html
    const { html } = renderAddresses({ ...VIEW, lang: 'de', deriveScript: '' })
    expect(answer({ reference_id: VIEW.link, address: VIEW.address })).toBe(html)
    const empty = { ...VIEW, lang: 'de', link: '', address: '' }
    expect(answer({ tabId: ['derive', 'derive'], address: ['a', 'b'] })).toBe(renderAddresses(empty).html)
    expect(answer({ tabId: 'derive' })).toBe(renderAddresses({ ...empty, tab: 'derive' }).html)
  })
})

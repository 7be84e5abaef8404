import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../testing/document.ts'
import { ADDRESS, SAMPLES } from '../testing/samples.ts'
import { renderCheckout } from './page.ts'
import { renderReceipt } from './receipt.ts'
import { renderRefund } from './refund.ts'
import { LANGUAGES } from './text/languages.ts'
import type { CheckoutView } from './view.ts'

type Refund = NonNullable<CheckoutView['refund']>

const OPEN: Refund = { networks: ['BASE'], claim: null }
const CLAIM = {
  id: 3,
  blockchainCode: 'BASE',
  address: ADDRESS,
  status: 'open',
  claimedAt: new Date(0),
  declinedNote: null,
} as const

const draw = (refund: Refund, more: object = {}) =>
  parseDocument(renderRefund({ ...SAMPLES.overpaid, refund, ...more }).html)
const linkOf = (html: string) => parseDocument(html).querySelector('a[href^="/refund?"]')

describe('checkout.refund', () => {
  it('is offered where money can return, beside the way back', () => {
    for (const view of [SAMPLES.overpaid, SAMPLES['late-held'], SAMPLES.unapplied, SAMPLES['partly-lapsed']]) {
      expect(linkOf(renderCheckout({ ...view, refund: OPEN }).html)?.textContent).toBe('Ask for money back')
      expect(linkOf(renderCheckout(view).html)).toBeNull()
    }
    expect(linkOf(renderReceipt({ ...SAMPLES.overpaid, refund: OPEN }).html)).not.toBeNull()
    expect(linkOf(renderCheckout({ ...SAMPLES.paid, refund: { networks: [], claim: null } }).html)).toBeNull()
  })

  it('asks for an address, and for the network only where there are several', () => {
    const page = draw(OPEN)
    expect(textOf(page.querySelector('h1'))).toBe('Where should the money return to?')
    expect(page.querySelector('select')).toBeNull()
    expect(page.querySelector('[name=blockchainCode]')?.getAttribute('value')).toBe('BASE')
    expect(page.querySelector('label[for=refund-address]')).not.toBeNull()
    expect([...draw({ networks: ['ETH', 'BASE'], claim: null }).querySelectorAll('option')]).toHaveLength(2)
  })

  it('keeps what was typed and says what is wrong with it', () => {
    const error = { code: 'ADDRESS_INVALID', text: '' }
    const page = draw(OPEN, { error, typed: { blockchainCode: 'BASE', address: '0x12' } })
    const field = page.querySelector('#refund-address')
    expect(field?.getAttribute('value')).toBe('0x12')
    expect(field?.getAttribute('aria-invalid')).not.toBeNull()
    expect(field?.getAttribute('aria-describedby')).toContain('refusal')
    expect(textOf(page.querySelector('#refusal'))).toBe('This is not a valid address on this network.')
  })

  it('shows the claimed address whole, and what becomes of it', () => {
    const open = draw({ networks: ['BASE'], claim: CLAIM })
    expect(textOf(open.querySelector('.rows'))).toContain(ADDRESS)
    expect(open.querySelectorAll('.rows .address span')).toHaveLength(10)
    expect(open.querySelector('details[open]')).toBeNull()
    expect(open.querySelector('details form')).not.toBeNull()
    const refused = draw({ networks: ['BASE'], claim: CLAIM }, { error: { code: 'ADDRESS_INVALID', text: '' } })
    expect(refused.querySelector('details[open] form')).not.toBeNull()
    const accepted = draw({ networks: [], claim: { ...CLAIM, status: 'accepted' } })
    expect(textOf(accepted.body)).toContain('Acme is preparing a refund to this address.')
    expect(accepted.querySelector('form')).toBeNull()
    const declined = draw({ networks: [], claim: { ...CLAIM, status: 'declined', declinedNote: 'Write to <us>.' } })
    expect(textOf(declined.body)).toContain('Write to <us>.')
    expect(textOf(draw({ networks: [], claim: null }).body)).toContain('There is nothing to return right now.')
  })

  it('asks no more where the money should return to once that was answered', () => {
    const page = draw({ networks: ['BASE'], claim: CLAIM })
    expect(textOf(page.querySelector('h1'))).toBe('Your refund request')
    expect(page.title).toBe('Your refund request · Acme')
  })

  it('is written in every language', () => {
    for (const { code, texts } of LANGUAGES) {
      expect(textOf(draw(OPEN, { lang: code }).querySelector('h1'))).toBe(texts['refund.title'])
      const claimed = draw({ networks: [], claim: CLAIM }, { lang: code })
      expect(textOf(claimed.querySelector('h1'))).toBe(texts['refund.claimed'])
    }
  })
})

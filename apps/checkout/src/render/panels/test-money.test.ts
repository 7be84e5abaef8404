import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../../testing/document.ts'
import { SAMPLES } from '../../testing/samples.ts'
import { renderCheckout } from '../page.ts'
import type { CheckoutView } from '../view.ts'

const button = (view: CheckoutView) => parseDocument(renderCheckout(view).html).querySelector('#test-money')

describe('checkout: pay with test money', () => {
  it('is a form of the page where something is to be paid on the sandbox, and nowhere else', () => {
    const pressed = button({ ...SAMPLES.waiting, networkMode: 'sandbox' })
    expect(textOf(pressed)).toBe('Pay with test money')
    const form = pressed?.closest('form')
    expect(form?.getAttribute('action')).toBe(`/payments?reference_id=${SAMPLES.waiting.payment.referenceID}`)
    expect(button({ ...SAMPLES['partly-open'], networkMode: 'sandbox' })).not.toBeNull()
    for (const state of ['choose', 'paid', 'expired', 'confirming'] as const)
      expect([state, button({ ...SAMPLES[state], networkMode: 'sandbox' })]).toEqual([state, null])
    for (const networkMode of ['testnet', 'mainnet', undefined] as const)
      expect(button({ ...SAMPLES.waiting, networkMode })).toBeNull()
  })
})

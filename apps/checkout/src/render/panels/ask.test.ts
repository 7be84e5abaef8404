import { DIAGNOSIS_VERDICTS } from '@kassa/contract/payments/diagnosis.ts'
import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../../testing/document.ts'
import { OPTIONS, SAMPLES } from '../../testing/samples.ts'
import { sampleAsked, VARIANTS } from '../../testing/variants.ts'
import { APPEARANCE } from './appearance.ts'
import { renderCheckout } from '../page.ts'
import type { StateName } from '../rules.ts'
import type { CheckoutView } from '../view.ts'

const draw = (view: CheckoutView) => parseDocument(renderCheckout(view).html)

describe('checkout.ask', () => {
  it('is offered in each state in which money may have been sent and is not seen', () => {
    const offered = Object.keys(SAMPLES).filter(
      (state) => draw(SAMPLES[state as keyof typeof SAMPLES]).querySelector('#already-paid') !== null,
    )
    expect(offered).toEqual([
      'waiting',
      'network-behind',
      'price-lapsed',
      'partly-open',
      'partly-lapsed',
      'expired',
      'superseded',
      'cancelled',
      'reverted',
    ])
  })

  it('is a folded form that posts to its own page without a script', () => {
    const document = draw(SAMPLES.waiting)
    expect(document.querySelector('#already-paid')?.hasAttribute('open')).toBe(false)
    const form = document.querySelector('form[data-ask]')
    expect([form?.getAttribute('method'), form?.getAttribute('action')]).toEqual([
      'post',
      `/payments?reference_id=${SAMPLES.waiting.payment.referenceID}#already-paid`,
    ])
    expect([...(form?.querySelectorAll('label') ?? [])].map((label) => label.getAttribute('for'))).toEqual([
      'tx-hash',
      'tx-network',
    ])
    expect([...(form?.querySelectorAll('option') ?? [])].map(textOf)).toEqual([
      'Any network',
      'Base',
      'Ethereum',
      'Bitcoin',
    ])
    const one = OPTIONS.filter(({ blockchainCode }) => blockchainCode === 'BASE')
    expect(draw({ ...SAMPLES.waiting, options: one }).querySelector('#tx-network')).toBeNull()
  })

  for (const verdict of DIAGNOSIS_VERDICTS) {
    it(`shows ${verdict} with its sentence, in a region that speaks`, () => {
      const text = `The sentence of ${verdict}.`
      const region = draw(sampleAsked({ verdict, text })).querySelector('#already-paid[open] [role=status]')
      expect(textOf(region?.querySelector('h2'))).not.toBe('')
      expect(textOf(region?.querySelector('h2 + p'))).toBe(text)
      expect(region?.querySelector('.verdict')?.getAttribute('data-glyph')).not.toBe('')
    })
  }

  it('marks in both addresses, shown whole, where they differ', () => {
    const document = draw(VARIANTS['asked-wrong-address'])
    const [went, asked] = document.querySelectorAll('.compare dd')
    expect(textOf(went)).toBe(VARIANTS['asked-wrong-address'].asked?.diagnosis?.paidTo)
    expect(textOf(asked)).toBe(SAMPLES.waiting.payment.depositAddress)
    expect(went?.querySelector('mark')?.textContent?.startsWith('6f1A')).toBe(true)
    const same = sampleAsked({ verdict: 'wrong_address', text: '', paidTo: null })
    expect(draw(same).querySelector('.compare')).toBeNull()
  })

  it('keeps what was typed and says at the field what is wrong with it', () => {
    const document = draw(VARIANTS['asked-nonsense'])
    const field = document.querySelector('#tx-hash')
    expect([field?.getAttribute('value'), field?.getAttribute('aria-invalid')]).toEqual(['order 4711', 'true'])
    expect(field?.getAttribute('aria-describedby')).toBe('tx-help refusal')
    expect(textOf(document.querySelector('#refusal'))).toBe('This is not a valid transaction hash')
    const chosen = draw(sampleAsked({ verdict: 'not_found', text: '' })).querySelector('option[selected]')
    expect(chosen?.getAttribute('value')).toBe('BASE')
  })

  it('asks without the hash by a form of its own, which stays open with what was typed', () => {
    const folded = draw(SAMPLES.waiting).querySelector('#already-paid > #no-hash')
    expect(folded?.hasAttribute('open')).toBe(false)
    const form = folded?.querySelector('form[data-ask]')
    expect(form?.getAttribute('method')).toBe('post')
    const names = [...(form?.querySelectorAll('input') ?? [])].map((input) => input.getAttribute('name'))
    expect(names).toEqual(['amount', 'address', 'paidOn'])
    const asked = draw(VARIANTS['asked-without-hash'])
    expect(asked.querySelector('#no-hash[open] #sent-amount')?.getAttribute('value')).toBe('49')
    expect(asked.querySelector('#paid-on')?.getAttribute('value')).toBe('2026-11-20')
    const german = draw({ ...VARIANTS['asked-without-hash'], lang: 'de' })
    expect(textOf(german.querySelector('#answer h2 + p'))).toMatch(/^Für diese Anfrage ist noch keine passende Zahlung/)
    const nonsense = draw(VARIANTS['asked-without-hash-nonsense'])
    expect(nonsense.querySelector('#sent-amount')?.getAttribute('aria-invalid')).toBe('true')
    expect(nonsense.querySelector('#tx-hash')?.hasAttribute('aria-invalid')).toBe(false)
    expect(textOf(nonsense.querySelector('#refusal'))).toBe('Enter an amount such as 49, or a complete address.')
  })

  it('is there in every state that takes money', () => {
    const states = Object.keys(APPEARANCE) as StateName[]
    const asking = states.filter((state) => APPEARANCE[state].panel === 'pay')
    expect(asking.filter((state) => !APPEARANCE[state].actions.includes('already-paid'))).toEqual([])
  })
})

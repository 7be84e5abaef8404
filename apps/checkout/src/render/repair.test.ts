import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../testing/document.ts'
import {
  fundedPayment,
  inMinutes,
  unappliedPayment,
  NOW,
  OPTIONS,
  pinnedPayment,
  PROJECT,
  SAMPLES,
  sampleRepair,
  sampleView,
  UNLISTED,
} from '../testing/samples.ts'
import { VARIANTS } from '../testing/variants.ts'
import { renderCheckout } from './page.ts'
import { checkoutState, hasReceipt, restOf } from './rules.ts'
import type { CheckoutView } from './view.ts'

const draw = (view: CheckoutView) => parseDocument(renderCheckout(view).html)
const headline = (view: CheckoutView) => textOf(draw(view).querySelector('h1'))
const notes = (view: CheckoutView) => [...draw(view).querySelectorAll('.note.plain')].map(textOf)
const actions = (view: CheckoutView) => [...draw(view).querySelectorAll('.outcome .actions > *')].map(textOf)
const rows = (view: CheckoutView) => [...draw(view).querySelectorAll('.rows > div > dt')].map(textOf)
const hrefOf = (view: CheckoutView, text: string) =>
  [...draw(view).querySelectorAll('a')].find((link) => textOf(link) === text)?.getAttribute('href')

describe('checkout.rest', () => {
  it('asks for the rest only, from the first seen transfer until the rate lock ends', () => {
    const document = draw(VARIANTS['partly-on-its-way'])
    expect(textOf(document.querySelector('h1'))).toBe('0.4 USDC is still missing.')
    expect(textOf(document.querySelector('.due + p'))).toBe(
      'You sent 48.6 USDC of 49 USDC. Send the rest to the same address; the price is held until 05:54 UTC.',
    )
    expect(textOf(document.querySelector('#clock'))).toBe('until 05:54 UTC')
    expect(document.querySelector('#copy-rest')?.getAttribute('data-copy')).toBe('0.4')
    expect(rows(VARIANTS['partly-on-its-way'])).toEqual(['48.6 USDCBeing confirmed, 3 of 12'])
  })

  it('asks once for what is on its way: final, seen and missing add up to the whole', () => {
    const view = VARIANTS['partly-in-two']
    expect([view.payment.amountDue, restOf(view.payment)]).toEqual(['9', '0.4'])
    expect(headline(view)).toBe('0.4 USDC is still missing.')
    expect(rows(view)).toEqual(['40 USDCCounted', '8.6 USDCon Ethereum · Being confirmed, 12 of 12'])
    const enough = fundedPayment('48.6', { paymentState: 'PARTIALLY_FILLED', fundingState: 'detected', repair: null })
    expect(checkoutState(enough, OPTIONS, NOW)).toBe('detected')
  })

  it('offers a wallet link for the rest when it asks for just that', () => {
    const { payment } = SAMPLES['partly-open']
    const paymentURI = payment.paymentURI?.replace('49000000', '400000') ?? null
    expect(draw(sampleView({ ...payment, paymentURI })).querySelector('a[href^="ethereum:"]')).not.toBeNull()
    expect(draw(SAMPLES['partly-open']).querySelector('a[href^="ethereum:"]')).toBeNull()
  })

  it('asks for nothing any more once the time is over, and says whom to ask', () => {
    const document = draw(SAMPLES['partly-lapsed'])
    expect(textOf(document.querySelector('.words p'))).toBe(
      'What you sent, 48.6 USDC of 49 USDC, is safe. Don’t send the rest now: Acme can count what came or send it back.',
    )
    expect(document.querySelector('.address, .qr, #clock')).toBeNull()
    expect(actions(SAMPLES['partly-lapsed'])).toEqual(['Contact Acme', 'Back to Acme'])
    const mail = decodeURIComponent(hrefOf(SAMPLES['partly-lapsed'], 'Contact Acme') ?? '')
    expect(mail).toContain('Missing: 0.4 USDC')
    expect(mail).toContain(`Transaction: ${SAMPLES['partly-lapsed'].payment.deposits[0]?.txHash}`)
  })

  it('is no receipt while something is missing or looked at', () => {
    expect(hasReceipt(VARIANTS['partly-on-its-way'].payment)).toBe(false)
    expect(hasReceipt(SAMPLES['on-hold'].payment)).toBe(false)
    expect(hasReceipt(SAMPLES.confirming.payment)).toBe(true)
  })
})

describe('checkout.repair', () => {
  it('lets the surplus be asked back, amount and transaction filled in', () => {
    const mail = decodeURIComponent(hrefOf(SAMPLES.overpaid, 'Contact Acme') ?? '')
    expect(mail).toMatch(/^mailto:help@acme\.example/)
    expect(mail).toContain('More than asked: 0.51 USDC')
    const site = { ...SAMPLES.overpaid, project: { ...PROJECT, supportEmail: '' } }
    expect(hrefOf(site, 'Contact Acme')).toBe('https://acme.example')
  })

  it('says of a token that is not accepted that it does not count, and whom to ask; of an imitation no name', () => {
    const nameless = { ...UNLISTED, symbol: null, amount: null }
    const fake = { ...UNLISTED, symbol: null, isLookAlike: true, amount: '49' }
    const view = sampleView(pinnedPayment({ unlisted: [UNLISTED, nameless, fake] }))
    expect(notes(view)).toEqual([
      '12.5 DAI arrived on Base. Acme does not accept this token, and it does not count here. If you sent it, ask Acme to send it back. abab…abab (opens in a new tab)',
      '0x6B17…1d0F arrived on Base. Acme does not accept this token, and it does not count here. If you sent it, ask Acme to send it back. abab…abab (opens in a new tab)',
    ])
    expect(hrefOf(view, 'abab…abab (opens in a new tab)')).toBe(UNLISTED.explorerTransaction)
    const [said = ''] = notes(sampleView(fundedPayment('49', { unlisted: [fake] })))
    expect(said).toMatch(/^A token that only imitates a currency arrived on Base\. It does not count here\./)
    expect(said).not.toMatch(/49|USDC/)
  })

  it('leads from a replaced request to the newer one, in the same view', () => {
    const newer = SAMPLES.superseded.payment.supersededBy
    expect(hrefOf(SAMPLES.superseded, 'Open it')).toBe(`/payments?reference_id=${newer}`)
    expect(hrefOf({ ...SAMPLES.superseded, compact: true }, 'Open it')).toMatch(/^\/pay\?/)
    const unknown = sampleView({ ...SAMPLES.superseded.payment, supersededBy: null })
    expect(actions(unknown)).toEqual(['Back to Acme'])
  })

  it('starts again at the shop when the time is over', () => {
    expect(actions(SAMPLES.expired)).toEqual(['Start again at Acme', 'Contact Acme'])
    expect(hrefOf(SAMPLES.expired, 'Start again at Acme')).toBe('https://acme.example/cart')
  })

  it('says why money of weight waits longer, and that late money still counts', () => {
    expect(notes(VARIANTS['second-source'])[0]).toContain('a second source must confirm it')
    expect(headline(VARIANTS['second-source'])).toBe('11 of 12 confirmations.')
    expect(notes(VARIANTS['late-on-its-way'])).toEqual([
      'It was sent after the time was up. It still counts once it is confirmed.',
    ])
    expect(notes(SAMPLES.confirming)).toEqual([])
  })

  it('says why a payment is not confirmed while its network is not followed, guesses no time, and looks again soon', () => {
    expect(notes(VARIANTS['held-up'])).toEqual([
      'Base is not followed right now. Money on its way is found and confirmed as soon as it is again; none is lost.',
    ])
    expect(headline(VARIANTS['held-up'])).toBe('3 of 12 confirmations.')
    expect(draw(VARIANTS['held-up']).querySelector('#view')?.getAttribute('data-refresh')).toBe('15')
  })

  it('tells beside a paid request what else is amiss', () => {
    const view = VARIANTS['paid-and-more-held']
    expect(headline(view)).toBe('Paid. Thank you.')
    expect(notes(view)).toEqual(['Acme is checking the 5 USDC that arrived. Nothing for you to do.'])
    expect(rows(view)).toEqual(['49 USDCCounted', '5 USDCBeing checked'])
  })

  it('says the same thing once: a state that is about the repair has no note of it', () => {
    for (const state of [
      'overpaid',
      'partly-open',
      'partly-lapsed',
      'late-held',
      'other-asset',
      'unapplied',
      'on-hold',
    ] as const)
      expect([state, notes(SAMPLES[state])]).toEqual([state, []])
  })

  it('adds up only what counts, in the currency asked for', () => {
    const { payment } = SAMPLES.confirming
    const [deposit] = payment.deposits
    if (deposit === undefined) throw new Error('no deposit')
    const dust = [
      { ...deposit, amount: '0.01', state: 'ignored' as const },
      { ...deposit, amount: '7', currencyCode: 'DAI' },
    ]
    const view = sampleView({ ...payment, deposits: [deposit, ...dust] })
    expect(textOf(draw(view).querySelector('.words p'))).toContain('We see your payment of 49 USDC.')
  })

  it('names money that does not count, and why', () => {
    expect(rows(VARIANTS['below-minimum'])).toEqual(['0.01 USDCBelow the minimum, does not count'])
    expect(headline(VARIANTS['below-minimum'])).toBe('Send exactly 49 USDC on Base')
    expect(rows(SAMPLES['other-network'])).toEqual(['49 USDCon Polygon · Not applied yet'])
    expect(rows(SAMPLES['other-asset'])).toEqual(['49 DAINot applied yet'])
  })

  it('goes back to "expired" when the network took a payment and the time ran out', () => {
    expect(headline(VARIANTS['taken-back-for-good'])).toBe('This request has expired.')
    expect(notes(VARIANTS['taken-back-for-good'])[0]).toContain('see in your wallet whether it failed')
  })

  it('shows the reason of each network or price that is away', () => {
    expect(textOf(draw(SAMPLES['network-behind']).querySelector('.note'))).toBe(
      'Base answers slowly right now. Payments are found a little later; none is lost.',
    )
    expect([...draw(SAMPLES.unavailable).querySelectorAll('.rows li')].map(textOf)).toContain(
      'USDC on BaseThere is no trustworthy price right now.',
    )
    expect(notes(VARIANTS['price-gone'])).toEqual([
      'There is no trustworthy price right now. Choose another way to pay.',
    ])
    const radios = [...draw(VARIANTS['price-gone']).querySelectorAll('[data-choice] input[type=radio]')]
    const choices = radios
      .filter((radio) => !radio.hasAttribute('disabled'))
      .map((radio) => radio.getAttribute('value'))
    expect(choices).not.toEqual([])
    expect(choices).not.toContain('BASE:USDC')
    expect(radios.filter((radio) => radio.hasAttribute('checked')).map((radio) => radio.getAttribute('value'))).toEqual(
      choices.slice(0, 1),
    )
    expect(actions(VARIANTS['price-gone'])).toEqual(['Back to Acme'])
    expect(draw(VARIANTS['price-gone']).querySelectorAll('.primary')).toHaveLength(1)
    const nothing = VARIANTS['price-gone'].options.map((option) => ({ ...option, ready: false }))
    const closed = { ...VARIANTS['price-gone'], options: nothing }
    expect(actions(closed)).toEqual(['Try again', 'Back to Acme'])
    expect(draw(closed).querySelector('[data-choice]')).toBeNull()
    expect(notes(closed)).toEqual(['There is no trustworthy price right now.'])
    const noPrice = OPTIONS.map((option) => ({ ...option, ready: false, obstacle: 'price' as const }))
    expect(checkoutState(pinnedPayment(), noPrice, NOW)).toBe('waiting')
  })
})

describe('checkout.again', () => {
  const again = (view: CheckoutView) => ({ ...view, paysAgain: true })

  it('is offered after money that does not count, and after money that was taken back', () => {
    const url = `/payments?reference_id=${pinnedPayment().referenceID}&again=1`
    expect(hrefOf(SAMPLES['other-asset'], 'Pay 49 USDC on Base instead')).toBe(url)
    expect(hrefOf(SAMPLES.reverted, 'My wallet says it failed: pay again')).toBe(url)
    expect(draw(SAMPLES.reverted).querySelector('.outcome .primary')).toBeNull()
    expect(headline(again(SAMPLES['other-asset']))).toBe('Send exactly 49 USDC on Base')
    expect(notes(again(SAMPLES['other-asset']))[0]).toContain('does not count for this request yet')
    expect(headline(again(SAMPLES.reverted))).toBe('Send exactly 49 USDC on Base')
  })

  it('never asks again for money that counts, is looked at, or is on its way', () => {
    for (const state of [
      'paid',
      'overpaid',
      'on-hold',
      'detected',
      'confirming',
      'partly-lapsed',
      'late-held',
    ] as const)
      expect(headline(again(SAMPLES[state]))).toBe(headline(SAMPLES[state]))
    const over = unappliedPayment({ currencyCode: 'DAI' }, { expiresAt: inMinutes(-1) })
    expect(checkoutState(over, OPTIONS, NOW, true)).toBe('other-asset')
    expect(actions(sampleView(over))).toEqual(['Contact Acme'])
  })

  it('asks for the rest, not the whole, when a part was taken back and a part stays', () => {
    const partly = fundedPayment('40', {
      paymentState: 'PARTIALLY_FILLED',
      fundingState: 'reverted',
      repair: sampleRepair('send_rest', '9'),
      rateLockedUntil: inMinutes(41),
    })
    expect(checkoutState(partly, OPTIONS, NOW)).toBe('reverted')
    expect(checkoutState(partly, OPTIONS, NOW, true)).toBe('reverted')
  })
})

import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../../testing/document.ts'
import { OPTIONS, pinnedPayment, SAMPLES, sampleView } from '../../testing/samples.ts'
import { renderCheckout } from '../page.ts'
import type { CheckoutView } from '../view.ts'

const SITE = 'https://pay.acme.example'
const REFERENCE = '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d'

function drawn(view: CheckoutView) {
  const links = [...parseDocument(renderCheckout(view).html).querySelectorAll('.only-touch a, a.only-touch')]
  return Object.fromEntries(links.map((link) => [textOf(link), link.getAttribute('href')]))
}

describe('open wallet app', () => {
  it('opens this page, compact, in the browser of a wallet', () => {
    expect(drawn(sampleView(pinnedPayment(), { siteUrl: SITE, lang: 'en' }))).toEqual({
      MetaMask: `https://link.metamask.io/dapp/pay.acme.example/pay?reference_id=${REFERENCE}&lang=en`,
      'Trust Wallet': `https://link.trustwallet.com/open_url?coin_id=60&url=${encodeURIComponent(`${SITE}/pay?reference_id=${REFERENCE}&lang=en`)}`,
      'Coinbase Wallet': `https://go.cb-w.com/dapp?cb_url=${encodeURIComponent(`${SITE}/pay?reference_id=${REFERENCE}&lang=en`)}`,
    })
  })

  it('opens the same from the compact page', () => {
    const view = sampleView(pinnedPayment(), { siteUrl: SITE })
    expect(drawn({ ...view, compact: true })).toEqual(drawn(view))
  })

  it('needs no script', () => {
    const document = parseDocument(renderCheckout(sampleView(pinnedPayment(), { siteUrl: SITE })).html)
    expect(document.querySelectorAll('#wallet-apps a')).toHaveLength(3)
    expect(document.querySelector('#wallet-apps')?.closest('[data-script]')).toBeNull()
  })

  it.each([
    '',
    'http://pay.acme.example',
    'http://localhost:8080',
    'https://localhost',
    'https://10.0.0.7',
    'https://kassa',
  ])('leads to no wallet’s browser from "%s", which a phone may not reach', (siteUrl) => {
    const payment = pinnedPayment()
    expect(drawn(sampleView(payment, { siteUrl }))).toEqual({ 'Open wallet app': payment.paymentURI })
  })

  it('is the payment link on networks whose wallets read it rightly', () => {
    const paymentURI = `bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.0007`
    const payment = pinnedPayment({
      blockchainSymbol: 'BTC',
      currencySymbol: 'BTC',
      currencyAddress: null,
      currencyDecimals: 8,
      amount: '0.0007',
      amountDue: '0.0007',
      depositAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      paymentURI,
    })
    const options = OPTIONS.filter(({ blockchainCode }) => blockchainCode === 'BTC')
    expect(drawn(sampleView(payment, { options, addresses: [], siteUrl: SITE }))).toEqual({
      'Open wallet app': paymentURI,
    })
  })

  it('is offered only where money is asked for', () => {
    expect(drawn({ ...SAMPLES.paid, siteUrl: SITE })).toEqual({})
    expect(drawn({ ...SAMPLES['price-lapsed'], siteUrl: SITE })).toEqual({})
  })
})

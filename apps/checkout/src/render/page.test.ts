import { describe, expect, it } from 'vitest'

import { parseDocument, textOf } from '../testing/document.ts'
import {
  NOW,
  OPTIONS,
  pinnedPayment,
  PROJECT,
  samplePayment,
  SAMPLES,
  sampleView,
  unappliedPayment,
} from '../testing/samples.ts'
import { APPEARANCE } from './panels/appearance.ts'
import { renderCheckout, renderFault, renderUnknown } from './page.ts'
import { inlineHash } from './layout/style.ts'
import type { CheckoutView } from './view.ts'

function draw(view: CheckoutView) {
  return parseDocument(renderCheckout(view).html)
}

const HEADLINES: Record<keyof typeof SAMPLES, string> = {
  choose: 'Choose how to pay',
  waiting: 'Send exactly 49 USDC on Base',
  'network-behind': 'Send exactly 49 USDC on Base',
  'price-lapsed': 'The price has lapsed.',
  detected: 'We see your payment.',
  confirming: '3 of 12 confirmations, about 1 minute left.',
  paid: 'Paid. Thank you.',
  overpaid: 'Paid, with 0.51 USDC more than asked.',
  'partly-open': '0.4 USDC is still missing.',
  'partly-lapsed': '0.4 USDC was missing when time ran out.',
  expired: 'This request has expired.',
  'late-counted': 'It arrived late, and it counts.',
  'late-held': 'It arrived after the time was up.',
  superseded: 'There’s a newer request for you.',
  cancelled: 'Acme cancelled this request.',
  'other-network': 'It came in on Polygon instead of Base.',
  'other-asset': 'You sent DAI; Acme asked for USDC.',
  unapplied: 'Acme holds what arrived for you.',
  'on-hold': 'Acme is checking this payment.',
  reverted: 'The network took back a block.',
  unavailable: 'This can’t be paid right now.',
}

describe('checkout.states', () => {
  for (const [state, headline] of Object.entries(HEADLINES)) {
    it(`says "${headline}" when ${state}`, () => {
      const view = SAMPLES[state as keyof typeof SAMPLES]
      const document = draw(view)
      expect(textOf(document.querySelector('h1'))).toBe(headline)
      expect(document.querySelectorAll('[role=status]:not(#answer)')).toHaveLength(1)
      expect(textOf(document.querySelector('#status'))).not.toBe('')
      expect(textOf(document.body)).not.toMatch(/\{\w+\}|undefined|null|NaN/)
    })
  }

  it('asks for money only where sending is right', () => {
    for (const [state, view] of Object.entries(SAMPLES)) {
      const asks = APPEARANCE[state as keyof typeof SAMPLES].panel === 'pay'
      const document = draw(view)
      expect(document.querySelector('.address') !== null).toBe(asks)
      expect(document.querySelector('.qr') !== null).toBe(asks)
    }
  })
})

/** A network of each family, with its own coin, and the token that it shares with another. */
const FAMILY_NETWORKS = [
  { code: 'ETH', name: 'Ethereum', currencies: ['ETH', 'USDC', 'USDT'] },
  { code: 'TRX', name: 'TRON', currencies: ['TRX', 'USDT'] },
  { code: 'BTC', name: 'Bitcoin', currencies: ['BTC'] },
  { code: 'SOLANA', name: 'Solana', currencies: ['SOL', 'USDC', 'USDT'] },
] as const

describe('checkout.wrong-network', () => {
  const pairs = FAMILY_NETWORKS.flatMap((asked) =>
    FAMILY_NETWORKS.filter((sent) => sent !== asked).map((sent) => [asked.name, sent.name, { asked, sent }] as const),
  )
  it.each(pairs)('%s was asked for, and money on %s is named with its network', (_asked, _sent, { asked, sent }) => {
    for (const currency of sent.currencies) {
      const isShared = asked.currencies.some((one) => one === currency)
      const currencySymbol = isShared ? currency : asked.currencies[0]
      const arrived = { blockchainCode: sent.code, currencyCode: currency, reason: 'wrong_asset' } as const
      const payment = unappliedPayment(arrived, { blockchainSymbol: asked.code, currencySymbol })
      const main = draw(sampleView(payment)).querySelector('main')
      const headline = isShared
        ? `It came in on ${sent.name} instead of ${asked.name}.`
        : `You sent ${currency}; Acme asked for ${currencySymbol}.`
      expect(textOf(main?.querySelector('h1'))).toBe(headline)
      expect(textOf(main)).toContain(`on ${sent.name}`)
    }
  })
})

describe('checkout.choose', () => {
  it('posts to its own path without a script, the recommended option pressed', () => {
    const form = draw(SAMPLES.choose).querySelector('form')
    expect(form?.getAttribute('method')).toBe('post')
    expect(form?.getAttribute('action')).toBe(`/payments?reference_id=${samplePayment().referenceID}`)
    const pressed = form?.querySelector('input[checked]')
    expect([pressed?.getAttribute('value'), pressed?.getAttribute('aria-label')]).toEqual(['BASE:USDC', 'USDC on Base'])
    expect(textOf(form?.querySelector('button') ?? null)).toBe('Continue')
  })

  it('lists the networks of each currency together, with what they cost and how long they take', () => {
    const groups = [...draw(SAMPLES.choose).querySelectorAll('.asset')].map((group) => [
      textOf(group.querySelector('h2')),
      ...[...group.querySelectorAll('.what, .option:not(.off) .terms')].map(textOf),
    ])
    expect(groups).toEqual([
      ['USDC USD Coin', 'Base', 'Low fee, about 1 minute', 'Ethereum', 'High fee, about 3 minutes'],
      ['USDT', 'Ethereum', 'High fee, about 3 minutes'],
      ['ETH', 'Base', 'Low fee, about 1 minute'],
      ['BTC', 'Bitcoin'],
    ])
  })

  it('says why an option is not ready, and never presses it', () => {
    const options = OPTIONS.filter(({ currencyCode }) => currencyCode === 'BTC' || currencyCode === 'USDT')
    const document = draw({ ...SAMPLES.choose, options })
    const off = document.querySelector('input[value="BTC:BTC"]')
    expect(off?.hasAttribute('disabled')).toBe(true)
    expect(textOf(document.querySelector('.off'))).toContain('Payments on Bitcoin are not noticed right now.')
    expect(document.querySelector('input[checked]')?.getAttribute('value')).toBe('ETH:USDT')
  })

  it('shows what went wrong with the last try', () => {
    const said = (code: string) =>
      textOf(draw({ ...SAMPLES.choose, error: { code, text: 'As it was sent.' } }).querySelector('[role=alert].note'))
    expect(said('RATE_UNAVAILABLE')).toBe('No trustworthy price right now. Try again shortly.')
    expect(said('UNHEARD_OF')).toBe('As it was sent.')
  })
})

describe('checkout.pay', () => {
  const document = draw(SAMPLES.waiting)

  it('shows the whole address, and copies exactly that and the bare digits', () => {
    const address = pinnedPayment().depositAddress
    expect(document.querySelector('.address')?.textContent).toBe(address)
    expect(document.querySelector('[aria-label="Copy address"]')?.getAttribute('data-copy')).toBe(address)
    expect(document.querySelector('[aria-label="Copy amount"]')?.getAttribute('data-copy')).toBe('49')
  })

  it('says that a transaction was replaced or dropped, until another one is there', () => {
    const gone = { txHash: 'ab12', replacedBy: null, at: NOW, explorerTransaction: '' }
    const payment = { ...SAMPLES.waiting.payment, dropped: [gone] }
    expect(textOf(draw({ ...SAMPLES.waiting, payment }).querySelector('main'))).toContain(
      'Your transaction was replaced or dropped by the network before it was confirmed',
    )
    const again = { ...payment, deposits: SAMPLES.detected.payment.deposits }
    expect(textOf(draw({ ...SAMPLES.waiting, payment: again }).querySelector('main'))).not.toContain('was replaced')
  })

  it('copies the rest, not the whole, of a partly paid payment', () => {
    const copies = [...draw(SAMPLES['partly-open']).querySelectorAll('[data-copied="Amount Copied!"]')]
    expect(copies.map((button) => button.getAttribute('data-copy'))).toEqual(['0.4', '0.4'])
  })

  it('names the network three times', () => {
    expect(textOf(document.querySelector('h1'))).toContain('on Base')
    expect(textOf(document.querySelector('.badge'))).toContain('Base')
    expect(textOf(document.querySelector('.pay .note'))).toContain('Only USDC on Base.')
  })

  it('shows the bare address first on EVM, the wallet link first on Bitcoin', () => {
    expect(document.querySelector('input[name=by][checked]')?.id).toBe('by-address')
    expect(document.querySelector('.qr')?.getAttribute('aria-label')).toBe('QR code for the address')
    const bitcoin = draw(
      sampleView(
        pinnedPayment({
          currencySymbol: 'BTC',
          blockchainSymbol: 'BTC',
          currencyDecimals: 8,
          amount: '0.00071',
          depositAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
          paymentURI: 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.00071&label=Acme',
        }),
        { addresses: [], options: OPTIONS.map((option) => ({ ...option, ready: true })) },
      ),
    )
    expect(bitcoin.querySelector('input[name=by][checked]')?.id).toBe('by-link')
  })

  it('names the source of the price, and marks a sandbox price as made up', () => {
    expect(textOf(document.querySelector('.hints'))).toContain('1 USDC = $1.00, price from Kraken, Coinbase')
    const addresses = SAMPLES.waiting.addresses.map((given) => ({
      ...given,
      quote: given.quote && { ...given.quote, sources: ['sandbox'] },
    }))
    const hints = textOf(draw({ ...SAMPLES.waiting, addresses }).querySelector('.hints'))
    expect(hints).toContain('1 USDC = $1.00, a made-up price for testing')
    expect(hints).not.toContain('sandbox')
  })

  it('offers no wallet link that asks for something else', () => {
    expect(document.querySelector('a[href^="ethereum:"]')).not.toBeNull()
    expect(draw(SAMPLES['partly-open']).querySelector('a[href^="ethereum:"]')).toBeNull()
  })

  it('tells the end of the price as clock time, for browsers without a script', () => {
    expect(textOf(document.querySelector('#clock'))).toBe('until 05:26 UTC')
    expect(document.querySelector('meta[http-equiv=refresh]')).toBeNull()
    const refreshing = renderCheckout({ ...SAMPLES.waiting, refreshEvery: 30 }).html
    expect(refreshing).toMatch(/<noscript>\s*<meta http-equiv="refresh" content="30"\s*\/?>\s*<\/noscript>/)
  })
})

describe('checkout.ends', () => {
  const shop = { website: '', supportEmail: '', successEndpoint: '', cancelEndpoint: '' }
  const drawn = (state: 'paid' | 'expired', project: Partial<typeof PROJECT>) => {
    const { payment } = SAMPLES[state]
    const nowhere = { ...payment, successURL: null, cancelURL: null }
    return draw({ ...SAMPLES[state], payment: nowhere, project: { ...PROJECT, ...shop, ...project } })
  }
  const links = (document: ReturnType<typeof draw>) =>
    [...document.querySelectorAll('.actions a, footer a')].map((link) => [textOf(link), link.getAttribute('href')])

  it('lead to the shop’s website where no address of its own was given', () => {
    expect(links(drawn('paid', { website: 'https://acme.example' }))).toEqual([
      ['Back to Acme', 'https://acme.example'],
      ['Receipt', expect.stringMatching(/^\/success/)],
      ['Contact Acme', 'https://acme.example'],
    ])
  })

  it('lead to the other pages of the shop', () => {
    const telegramURL = 'https://t.me/acme'
    expect(links(drawn('expired', { telegramURL }))).toEqual([
      ['Contact Acme', telegramURL],
      ['Contact Acme', telegramURL],
    ])
  })

  it('say in words what to do where no link can', () => {
    const asking = 'To pay after all, ask Acme for a new link.'
    expect(textOf(drawn('expired', {}).querySelector('.outcome'))).toContain(asking)
    expect(textOf(drawn('expired', { supportEmail: 'a@b.example' }).querySelector('.outcome'))).not.toContain(asking)
  })
})

describe('checkout.document', () => {
  it('hashes every inline style, and has no other inline code', () => {
    const { html, styleHashes } = renderCheckout(SAMPLES.waiting)
    const styles = [...html.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style = '']) => inlineHash(style))
    expect(styles).toEqual(styleHashes)
    const document = parseDocument(html)
    for (const element of document.querySelectorAll('*')) {
      for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^(on|style$)/)
    }
    expect([...document.querySelectorAll('script')].map((script) => script.getAttribute('src'))).toEqual([
      '/checkout/checkout.js',
    ])
  })

  it('requests nothing from another host', () => {
    const view = sampleView(pinnedPayment(), {
      project: { ...PROJECT, logoPath: 'https://cdn.evil.example/a.png' },
    })
    const { html } = renderCheckout(view)
    const loaded = [...html.matchAll(/<(?:img|script|link)[^>]+(?:src|href)="([^"]*)"/g)].map(([, url]) => url)
    expect(loaded).toEqual(['/favicon.svg', '/checkout/checkout.js'])
    expect(html).not.toMatch(/@import|url\(/)
  })

  it('shows a logo of ours, initials otherwise', () => {
    const logo = (logoPath: string) => draw({ ...SAMPLES.waiting, project: { ...PROJECT, logoPath } })
    const own = logo('http://localhost:8080/uploads/acme.png').querySelector('img.logo')
    expect(own?.getAttribute('src')).toBe('/uploads/acme.png')
    for (const path of ['', 'https://cdn.evil.example/a.png']) {
      expect(logo(path).querySelector('img.logo')).toBeNull()
      expect(logo(path).querySelector('.initials')?.textContent).not.toBe('')
    }
  })

  it('says what is paid for, on every page of a payment, long words unfolding', () => {
    const drawn = (description: string) => draw(sampleView(pinnedPayment({ description }))).querySelector('.about')
    for (const view of Object.values(SAMPLES))
      expect(textOf(draw(view).querySelector('.about'))).toBe('Two bags of Ethiopia Guji, 250 g')
    expect(drawn('  ')).toBeNull()
    expect(drawn('<b>Beans</b>')?.textContent).toBe('<b>Beans</b>')
    const long = 'Beans and a <grinder> '.repeat(6).trim()
    expect(drawn(long)?.tagName).toBe('DETAILS')
    expect(textOf(drawn(long)?.querySelector('summary'))).toBe(long)
    expect(drawn(long)?.querySelector('summary')?.getAttribute('title')).toBe(long)
  })

  it('names the shop once on a counter, with its logo and no menus, however it was opened', () => {
    for (const compact of [true, false]) {
      const document = draw({ ...SAMPLES.waiting, display: 'screen', compact })
      expect(textOf(document.querySelector('header'))).toBe('AAcme')
      expect(document.querySelectorAll('header .logo')).toHaveLength(1)
      expect(textOf(document.querySelector('.bill'))).not.toContain('Acme')
      expect(document.querySelector('footer, header details')).toBeNull()
    }
  })

  it('is bare at /pay and tells the shop’s origin only', () => {
    const document = draw({ ...SAMPLES.waiting, compact: true })
    expect(document.querySelector('header, footer')).toBeNull()
    expect(document.querySelector('#view')?.getAttribute('data-shop')).toBe('https://acme.example')
    expect(document.querySelector('form')?.getAttribute('action')).toMatch(/^\/pay\?/)
    expect(draw(SAMPLES.waiting).querySelector('#view')?.hasAttribute('data-shop')).toBe(false)
  })

  it('warns that a test is no real money, only then', () => {
    expect(textOf(draw(sampleView(samplePayment({ test: true }))).querySelector('.ribbon'))).toBe(
      'Test payment: no real money',
    )
    expect(draw(SAMPLES.choose).querySelector('.ribbon')).toBeNull()
  })

  it('says of an unknown reference only that it is not known', () => {
    const document = parseDocument(renderUnknown().html)
    expect(textOf(document.querySelector('h1'))).toBe('Payment link not found.')
    expect(document.querySelector('script')).toBeNull()
  })

  it('stands in for a page that failed, with a reference to tell the shop', () => {
    const document = parseDocument(renderFault('abc<b>').html)
    expect(textOf(document.querySelector('h1'))).toBe('This page could not be shown.')
    expect(textOf(document.querySelector('main'))).toContain('Reference for the shop: abc<b>')
  })
})

describe('checkout.injection', () => {
  const evil = `"'><img src=x onerror=alert(1)><script>alert(1)</script>`
  const script = 'javascript:alert(1)//'
  const hostile: Partial<CheckoutView> = {
    project: {
      ...PROJECT,
      name: evil,
      brandColor: `red}</style>${evil}`,
      website: script,
      successEndpoint: script,
      cancelEndpoint: script,
      supportEmail: `a@b.example${evil}`,
      logoPath: `/uploads/"${evil}`,
    },
    error: { code: 'UNHEARD_OF', text: evil },
    options: OPTIONS.map((option) => ({ ...option, network: evil, currency: evil, reason: evil })),
    now: NOW,
  }

  for (const [state, view] of Object.entries(SAMPLES)) {
    it(`comes to nothing when ${state}`, () => {
      const payment = {
        ...view.payment,
        merchantName: evil,
        invoiceID: evil,
        description: evil,
        successURL: script,
        cancelURL: script,
        explorerTransaction: script,
        paymentURI: `ethereum:${evil}`,
        deposits: view.payment.deposits.map((deposit) => ({ ...deposit, txHash: evil, explorerTransaction: script })),
      }
      const document = draw({ ...view, ...hostile, payment })
      expect(document.querySelectorAll('script')).toHaveLength(1)
      expect(document.querySelector('[onerror]')).toBeNull()
      expect(document.querySelectorAll('style')).toHaveLength(2)
      for (const link of document.querySelectorAll('a, form')) {
        expect(link.getAttribute('href') ?? link.getAttribute('action')).toMatch(/^(\/|https?:|mailto:)/)
      }
    })
  }
})

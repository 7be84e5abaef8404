// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  fakeWallet,
  HASH,
  isPayOffered,
  late,
  load,
  press,
  refusal,
  show,
  soon,
  startOver,
  words,
} from '../../testing/browser-wallet.ts'
import { fundedPayment, inMinutes, pinnedPayment, SAMPLES, sampleView } from '../../testing/samples.ts'
import { endTron, fakeServer, fakeTronWallet, TOKEN_VIEW, TRON_HASH } from '../../testing/tron-wallet.ts'
import type { CheckoutView } from '../../render/view.ts'
import { answerWalletButton } from '../wallet-button.ts'
import { followSent } from './follow.ts'
import { rememberSent, sentFor } from './memory.ts'
import { drawSent } from './notice.ts'

const EXPLORER = 'https://basescan.org/tx/{tx}'
const VIEW = { ...SAMPLES.waiting, explorerTransaction: EXPLORER }
const WARNING = 'It may still arrive. If you pay again, both payments may arrive.'
const reference = VIEW.payment.referenceID

vi.useFakeTimers({ toFake: ['setInterval', 'Date'] })
answerWalletButton(load)
followSent()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  startOver()
  show(VIEW)
})
afterEach(() => {
  endTron()
  vi.useRealTimers()
})

const notice = () => document.querySelector('#sent')?.textContent ?? ''
const again = () => document.querySelector<HTMLElement>('#sent [data-pay-again]')

/** The page as it is loaded again, or as the server draws it by then: nothing is left but what the tab has stored. */
function reload(view: CheckoutView = VIEW): void {
  for (const name of ['sent', 'asking', 'ahead']) Reflect.deleteProperty(document.documentElement.dataset, name)
  show(view)
  drawSent()
}

/** As a page that comes back into view: it asks what became of what it has sent. */
async function lookAgain(): Promise<void> {
  vi.resetModules()
  const { followSent: follow } = await import('./follow.ts')
  follow()
  await new Promise((done) => setTimeout(done, 20))
}

describe('what a wallet of this tab has sent', () => {
  it('stands in place of "Pay" when the page is loaded again, with its page of the explorer', async () => {
    const wallet = fakeWallet()
    await press()
    reload()
    expect(words()).toContain('9f3c…a01b')
    expect(words()).toContain('Waiting to see it on Base.')
    expect(notice()).toContain(WARNING)
    expect(document.querySelector('#sent a')?.getAttribute('href')).toBe(EXPLORER.replace('{tx}', HASH))
    expect([isPayOffered(), again()]).toEqual([false, null])
    document.querySelector<HTMLElement>('#pay-with-wallet')?.click()
    await new Promise((done) => setTimeout(done, 300))
    expect(wallet.sent()).toHaveLength(1)
  })

  it('is remembered without anything secret', async () => {
    fakeWallet()
    await press()
    expect(sentFor(reference)).toEqual([
      {
        ...{ reference, at: expect.any(Number), hash: HASH, amount: '49 USDC', network: 'Base', chain: 'BASE' },
        link: EXPLORER.replace('{tx}', HASH),
      },
    ])
  })

  it.each([
    ['seen', fundedPayment('49', { paymentState: 'OPEN', fundingState: 'detected', filledAmount: '0' })],
    ['paid by another transaction', SAMPLES.paid.payment],
  ])('is forgotten once it is %s', async (name, payment) => {
    fakeWallet()
    await press()
    const deposits = payment.deposits.map((one) => (name === 'seen' ? { ...one, txHash: HASH.toUpperCase() } : one))
    reload(sampleView({ ...payment, deposits }))
    expect([notice(), sentFor(reference), sessionStorage.getItem('kassa.checkout.sent')]).toEqual(['', [], null])
  })

  it('is not repeated beside money that the page sees, and stays known until the payment is paid', async () => {
    fakeWallet()
    await press()
    reload(SAMPLES.detected)
    expect([notice(), sentFor(reference)]).toEqual(['', [expect.objectContaining({ hash: HASH })]])
  })

  it.each([
    ['another currency', sampleView(pinnedPayment({ currencySymbol: 'ETH', blockchainSymbol: 'ETH' }))],
    ['none', SAMPLES.choose],
    ['a price that has lapsed', SAMPLES['price-lapsed']],
  ])('stays on the page when %s is chosen by then', async (_, view) => {
    fakeWallet()
    await press()
    reload(view)
    expect(notice()).toContain('Waiting to see it on Base.')
    expect(notice()).toContain(WARNING)
    expect(isPayOffered()).toBe(false)
  })

  it('can be paid once more on purpose, after half an hour, while the warning stays', async () => {
    const wallet = fakeWallet()
    await press()
    vi.setSystemTime(inMinutes(29))
    reload()
    expect(again()).toBeNull()
    vi.setSystemTime(inMinutes(31))
    const view = sampleView(pinnedPayment({ rateLockedUntil: inMinutes(60), expiresAt: inMinutes(90) }))
    reload({ ...view, now: inMinutes(31) })
    expect([again()?.textContent, isPayOffered()]).toEqual(['Pay again', false])
    again()?.click()
    expect([isPayOffered(), again()]).toEqual([true, null])
    reload({ ...view, now: inMinutes(31) })
    expect([isPayOffered(), notice().includes(WARNING)]).toEqual([true, true])
    await press()
    await soon(() => expect(wallet.sent()).toHaveLength(2))
    await soon(() => expect(isPayOffered()).toBe(false))
    expect(sentFor(reference)).toHaveLength(2)
    expect([...document.querySelectorAll('#sent > *')].map((one) => one.querySelector('h1') !== null)).toEqual([
      true,
      false,
    ])
  })

  it('says that the wallet was asked where the page was loaded again before it answered', async () => {
    const hash = late()
    const wallet = fakeWallet({ eth_sendTransaction: hash.answer })
    document.querySelector<HTMLElement>('#pay-with-wallet')?.click()
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    drawSent()
    expect(notice()).toBe('')
    reload()
    expect(words()).toBe(
      'Your wallet was asked to send 49 USDC on Base. Check there whether it did before you pay again.',
    )
    expect([isPayOffered(), again()?.textContent]).toEqual([false, 'Pay again'])
    hash.give(HASH)
    await soon(() => expect(words()).toContain('Sent from your wallet'))
  })

  it('is nothing when the customer declines', async () => {
    fakeWallet({ eth_sendTransaction: refusal(4001) })
    await press()
    expect([words(), sentFor(reference)]).toEqual(['You declined. Nothing was sent.', []])
    reload()
    expect([isPayOffered(), notice()]).toEqual([true, ''])
  })

  it('keeps no more than twenty', () => {
    const one = { reference, hash: HASH, amount: '49 USDC', network: 'Base', chain: 'BASE', link: null }
    for (let at = 0; at < 25; at++) rememberSent({ ...one, at })
    expect(sentFor(reference).map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, index) => 24 - index))
  })

  it('is known to the page itself where storage is switched off', async () => {
    const off = () => {
      throw new Error('denied')
    }
    vi.stubGlobal('sessionStorage', { getItem: off, setItem: off, removeItem: off, clear: off })
    fakeWallet()
    await press()
    expect([words().includes('9f3c…a01b'), isPayOffered()]).toEqual([true, false])
    vi.unstubAllGlobals()
    Reflect.deleteProperty(document.documentElement.dataset, 'sentPayments')
  })
})

describe('a payment that can no longer arrive', () => {
  const answers = (verdict: string) => {
    const asked: unknown[] = []
    vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
      asked.push([path, JSON.parse(body)])
      return Response.json({ verdict })
    })
    return asked
  }
  const payOnTron = async () => {
    show(TOKEN_VIEW)
    fakeServer({})
    fakeTronWallet()
    await press()
  }

  it.each([
    [14, 'not_found', 'The network did not take your payment in time. It can no longer arrive: you can pay again.'],
    [14, 'chain_behind', null],
    [14, 'pending', null],
    [14, 'failed_on_chain', 'The network rejected it; only the fee was spent. You can pay again.'],
    [12, 'not_found', null],
  ])('is one that TRON does not know after its time: %d minutes, %s', async (minutes, verdict, said) => {
    await payOnTron()
    vi.setSystemTime(inMinutes(minutes))
    const asked = answers(verdict)
    reload(TOKEN_VIEW)
    await lookAgain()
    expect(notice()).toContain(said ?? 'Waiting to see it on TRON.')
    expect(isPayOffered()).toBe(said !== null)
    const path = `/api/v1/payment/reference/${TOKEN_VIEW.payment.referenceID}/diagnose`
    expect(asked).toEqual(minutes === 12 ? [] : [[path, { txHash: TRON_HASH, blockchainCode: 'TRX' }]])
  })

  const payOnBase = async (verdict: string) => {
    fakeWallet()
    await press()
    vi.setSystemTime(inMinutes(5))
    answers(verdict)
    reload()
    await lookAgain()
  }

  it('is one that failed on an EVM network', async () => {
    await payOnBase('failed_on_chain')
    expect(notice()).toContain('The network rejected it; only the fee was spent. You can pay again.')
    expect(notice()).not.toContain(WARNING)
    expect([isPayOffered(), again()]).toEqual([true, null])
  })

  it.each([
    ['replaced', 'Pay again'],
    ['not_found', undefined],
  ])('is none of an EVM network, where another may have taken its place: %s', async (verdict, offered) => {
    await payOnBase(verdict)
    expect(notice()).toContain('Waiting to see it on Base.')
    expect(notice()).toContain(WARNING)
    expect([isPayOffered(), again()?.textContent]).toEqual([false, offered])
  })
})

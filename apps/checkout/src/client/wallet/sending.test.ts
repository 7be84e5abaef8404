// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { PayFacts } from '../../render/panels/wallet.ts'
import {
  BASE,
  HASH,
  comeToSend,
  fakeWallet,
  late,
  load,
  named,
  press,
  redraw,
  refusal,
  show,
  soon,
  startOver,
  words,
  isPayOffered,
} from '../../testing/browser-wallet.ts'
import { inMinutes, SAMPLES } from '../../testing/samples.ts'
import { answerWalletButton } from '../wallet-button.ts'

answerWalletButton(load)
beforeEach(startOver)
afterEach(() => void vi.useRealTimers())

describe('what a wallet of the browser sends', () => {
  it.each([
    ['an error of its node', refusal(-32_603)],
    ['a lost connection', refusal(4900)],
    ['an error without a code', new Error('timeout')],
    ['no hash', null],
    ['something else than a hash', { hash: HASH }],
  ])('asks for no more money when it does not know whether something was sent: %s', async (_, answer) => {
    fakeWallet({ eth_sendTransaction: answer })
    await press()
    expect(words()).toBe(
      'Your wallet was asked to send 49 USDC on Base. Check there whether it did before you pay again.',
    )
    expect(isPayOffered()).toBe(false)
    expect(document.querySelector('#sent [data-pay-again]')?.textContent).toBe('Pay again')
  })

  it('sends nothing to a token that is no contract, whatever else the wallet does not say', async () => {
    const wallet = fakeWallet({ eth_call: '0x' })
    await press()
    expect([words(), wallet.sent()]).toEqual(['This account has too little USDC.', []])
    expect(named('Send 49 USDC')?.disabled).toBe(true)
    wallet.answers['eth_getBalance'] = refusal(-32_603)
    await press()
    expect([words(), wallet.sent()]).toEqual(['This account has too little USDC.', []])
  })

  it('sends what the page shows at that moment', async () => {
    const wallet = fakeWallet({ eth_chainId: '0x1' })
    await press()
    redraw({ units: '400000' })
    wallet.answers['eth_chainId'] = BASE
    wallet.heard['chainChanged']?.()
    await soon(() => expect(named('Send 49 USDC')?.disabled).toBe(false))
    named('Send 49 USDC')?.click()
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    expect(JSON.stringify(wallet.sent())).toContain((400_000).toString(16).padStart(64, '0'))
  })

  it.each([
    ['amount', { units: '400000' }],
    ['address', { to: '0x3333333333333333333333333333333333333333' }],
    ['token', { token: '0x4444444444444444444444444444444444444444' }],
    ['network', { chainId: '0x1' }],
  ])('does not send when the page shows another %s by then', async (_, changes) => {
    const wallet = fakeWallet({ eth_gasPrice: () => (redraw(changes), '0x1') })
    await press()
    expect(wallet.sent()).toEqual([])
    expect(named('Send 49 USDC')).toBeDefined()
  })

  it('does not send what was redrawn since the button was: it is offered, and then sent', async () => {
    const wallet = fakeWallet()
    await comeToSend(wallet)
    const { texts } = JSON.parse(document.querySelector<HTMLElement>('#view')?.dataset['pay'] ?? '{}') as PayFacts
    redraw({ units: '400000', texts: { ...texts, send: 'Send 0.4 USDC' } })
    named('Send 49 USDC')?.click()
    await soon(() => expect(named('Send 0.4 USDC')?.disabled).toBe(false))
    expect(wallet.sent()).toEqual([])
    named('Send 0.4 USDC')?.click()
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    expect(JSON.stringify(wallet.sent())).toContain((400_000).toString(16).padStart(64, '0'))
  })

  it('sends nothing once the price has lapsed, by the server’s clock', async () => {
    const wallet = fakeWallet()
    vi.setSystemTime(inMinutes(13))
    await press()
    expect([words(), wallet.calls.map(({ method }) => method)]).toEqual([
      'The price has lapsed.',
      ['eth_requestAccounts'],
    ])
    document.documentElement.dataset['ahead'] = '-60000'
    wallet.answers['eth_gasPrice'] = () => (vi.setSystemTime(inMinutes(14)), '0x1')
    await press()
    expect([words(), wallet.sent()]).toEqual(['The price has lapsed.', []])
    vi.setSystemTime(inMinutes(13))
    wallet.answers['eth_gasPrice'] = '0x1'
    await press()
    expect(wallet.sent()).toHaveLength(1)
  })

  it('has one transfer at a time in the wallet: until it is answered nothing else begins', async () => {
    const wallet = fakeWallet()
    await comeToSend(wallet)
    const hash = late()
    wallet.answers['eth_sendTransaction'] = hash.answer
    named('Send 49 USDC')?.click()
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    const button = document.querySelector('#pay-with-wallet')
    expect([words(), button?.getAttribute('aria-busy')]).toEqual(['Go on in your wallet.', 'true'])
    const asked = wallet.calls.length
    button?.removeAttribute('aria-busy')
    document.querySelector<HTMLElement>('#pay-with-wallet')?.click()
    wallet.heard['accountsChanged']?.()
    await new Promise((done) => setTimeout(done, 400))
    expect([words(), wallet.calls.length]).toEqual(['Go on in your wallet.', asked])
    hash.give(HASH)
    await soon(() => expect(words()).toContain('Sent from your wallet'))
    expect([wallet.sent().length, isPayOffered()]).toEqual([1, false])
  })

  it('sends once when two attempts were under way', async () => {
    const wallet = fakeWallet()
    await comeToSend(wallet)
    const gas = late()
    wallet.answers['eth_estimateGas'] = gas.answer
    const asked = wallet.calls.length
    named('Send 49 USDC')?.click()
    await soon(() => expect(wallet.calls.slice(asked).map(({ method }) => method)).toContain('eth_estimateGas'))
    wallet.answers['eth_estimateGas'] = '0xffff'
    await press()
    expect(wallet.sent()).toHaveLength(1)
    gas.give('0xffff')
    await new Promise((done) => setTimeout(done, 50))
    expect(wallet.sent()).toHaveLength(1)
    expect(words()).toContain('Sent from your wallet')
  })

  it('says where the page now is what became of the money', async () => {
    const hash = late()
    const wallet = fakeWallet({ eth_sendTransaction: hash.answer })
    document.querySelector<HTMLElement>('#pay-with-wallet')?.click()
    await soon(() => expect(wallet.sent()).toHaveLength(1))
    show(SAMPLES.waiting)
    document.querySelector<HTMLElement>('#pay-with-wallet')?.click()
    await soon(() => expect(words()).toBe('Go on in your wallet.'))
    hash.give(HASH)
    await soon(() => expect(words()).toContain('Sent from your wallet'))
    expect(wallet.sent()).toHaveLength(1)
  })

  it.each([
    ['eth_chainId', refusal(-32_603)],
    ['eth_chainId', 'nonsense'],
    ['eth_accounts', refusal(4900)],
    ['eth_requestAccounts', null],
  ])('says that the wallet failed when it answers %s with %s', async (method, answer) => {
    fakeWallet({ [method]: answer })
    await press()
    expect(words()).toBe('Your wallet reported an error. Look there before you try again.')
    expect(isPayOffered()).toBe(true)
  })

  it.each([
    [4100, 'Your wallet is locked. Unlock it, then try again.'],
    [-32_002, 'Your wallet still waits for your answer to an earlier request. Open it, then try again.'],
  ])('says what to do when the wallet answers %d', async (code, said) => {
    fakeWallet({ eth_requestAccounts: refusal(code) })
    await press()
    expect(words()).toBe(said)
  })

  it('says that the wallet failed when it tells of a change and then says nothing more', async () => {
    const wallet = fakeWallet({ eth_chainId: '0x1' })
    await press()
    wallet.answers['eth_accounts'] = refusal(-32_603)
    wallet.heard['accountsChanged']?.()
    await soon(() => expect(words()).toBe('Your wallet reported an error. Look there before you try again.'))
  })
})

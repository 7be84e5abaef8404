// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import {
  buttons,
  fakeWallet,
  load,
  loads,
  named,
  press,
  refusal,
  show,
  soon,
  startOver,
  words,
  isPayOffered,
} from '../../testing/browser-wallet.ts'
import {
  COIN_VIEW,
  endTron,
  fakeServer,
  fakeTronWallet,
  PAID_TO,
  PAYER,
  SHASTA,
  SIGNATURE,
  TOKEN_VIEW,
  TRON_HASH,
  USDT,
  written,
} from '../../testing/tron-wallet.ts'
import { inMinutes } from '../../testing/samples.ts'
import { payAgain } from '../sent/notice.ts'
import { answerWalletButton } from '../wallet-button.ts'
import { noticeWallets } from '../wallet-apps.ts'

answerWalletButton(load)
beforeEach(() => {
  startOver()
  sessionStorage.clear()
  show(TOKEN_VIEW)
})
afterEach(() => {
  endTron()
  vi.useRealTimers()
})

const OTHER = 'TVT47XAzaing2Tkm7Qf7yj678QSbeqpEXP'
/** Presses "Pay with wallet" on a page that remembers nothing but what its tab has stored. */
const pressOnNewPage = async () => {
  vi.resetModules()
  const { payWithWallet } = await import('./tron/main.ts')
  const steps = document.getElementById('wallet-steps')
  if (steps) await payWithWallet(steps)
}
const gone = (code: string) => Response.json({ code }, { status: 409 })

describe('pay with a wallet of TRON', () => {
  it('signs what the server wrote and has it sent, in one press', async () => {
    const [wallet, server] = [fakeTronWallet(), fakeServer({})]
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect(words()).toContain('9f3c…a01b')
    expect(loads()).toEqual(['/checkout/tron-wallet.js'])
    expect(server.posts[0]?.body).toEqual({ from: PAYER, amount: '49' })
    expect(server.posts[0]?.path).toMatch(/^\/api\/v1\/payment\/reference\/[0-9a-f-]{36}\/wallet-transaction$/)
    expect(server.sent()).toEqual([{ rawData: written(), signature: SIGNATURE }])
    const [shown] = wallet.signed
    expect(shown?.raw_data_hex).toBe(written())
    expect(shown?.raw_data.contract[0]?.type).toBe('TriggerSmartContract')
    expect(isPayOffered()).toBe(false)
  })

  it('has it written once, and again only by another press', async () => {
    const server = fakeServer({})
    const { state } = fakeTronWallet()
    state.sign = vi.fn<() => Promise<never>>().mockRejectedValue('Confirmation declined by user')
    await press()
    expect([words(), server.drafts()]).toEqual(['You declined. Nothing was sent.', 1])
    await press()
    await soon(() => expect(server.drafts()).toBe(2))
  })

  it('pays TRX plainly', async () => {
    show(COIN_VIEW)
    const rawData = written({ token: null, units: 150_500_000n })
    const server = fakeServer({ draft: () => ({ rawData, obstacle: null }) })
    const { signed } = fakeTronWallet()
    await press()
    expect(server.posts[0]?.body).toEqual({ from: PAYER, amount: '150.5' })
    expect(signed[0]?.raw_data.contract[0]?.parameter.value).toMatchObject({ amount: 150_500_000 })
    expect(server.sent()).toHaveLength(1)
  })

  it.each([
    ['receiver', written({ to: OTHER })],
    ['amount', written({ units: 49_000_001n })],
    ['token', written({ token: OTHER })],
    ['kind', written({ token: null })],
    ['account', written({ from: OTHER })],
  ])('signs nothing with another %s than the page shows', async (_, rawData) => {
    const server = fakeServer({ draft: () => ({ rawData, obstacle: null }) })
    const { signed } = fakeTronWallet()
    await press()
    expect(words()).toBe('Your wallet reported an error. Look there before you try again.')
    expect([signed, server.sent()]).toEqual([[], []])
  })

  it('sends nothing on another network: it is named, switched, and only then can be sent', async () => {
    const server = fakeServer({})
    const { state } = fakeTronWallet({ eth_chainId: SHASTA })
    await press()
    expect(words()).toBe('Your wallet is on Shasta. This payment is on TRON.')
    expect(named('Send 49 USDT')?.disabled).toBe(true)
    state.answers['wallet_switchEthereumChain'] = () => void (state.answers['eth_chainId'] = '0x2b6653dc')
    await press('Switch to TRON')
    await soon(() => expect(named('Send 49 USDT')?.disabled).toBe(false))
    expect(server.sent()).toEqual([])
    await press('Send 49 USDT')
    await soon(() => expect(server.sent()).toHaveLength(1))
  })

  it.each([
    ['short_of_asset', 'This account has too little USDT.'],
    ['short_of_coin', 'This account has too little TRX for the network’s fee.'],
    ['would_fail', 'The network does not take this transfer from this account. Nothing was sent.'],
  ])('names the obstacle: %s', async (obstacle, said) => {
    fakeServer({ draft: () => ({ rawData: null, obstacle }) })
    const { signed } = fakeTronWallet()
    await press()
    expect([words(), signed]).toEqual([said, []])
    expect(named('Send 49 USDT')?.disabled).toBe(true)
  })

  it.each([
    [{ eth_requestAccounts: refusal(4001) }, 'You declined. Nothing was sent.'],
    [{ eth_requestAccounts: refusal(-32_000) }, 'Your wallet is locked. Unlock it, then try again.'],
    [
      { eth_requestAccounts: refusal(-32_002) },
      'Your wallet still waits for your answer to an earlier request. Open it, then try again.',
    ],
  ])('says why it was not let in: %o', async (answers, said) => {
    fakeServer({})
    fakeTronWallet(answers)
    await press()
    expect(words()).toBe(said)
  })

  it('says that nothing was sent when the customer declines', async () => {
    const server = fakeServer({})
    const { state } = fakeTronWallet()
    // As TronLink does: no Error, but its words.
    state.sign = vi.fn<() => Promise<never>>().mockRejectedValue('Confirmation declined by user')
    await press()
    expect([words(), server.sent()]).toEqual(['You declined. Nothing was sent.', []])
  })

  it('checks again when the account changes', async () => {
    const server = fakeServer({ draft: () => ({ rawData: written({ from: OTHER }), obstacle: null }) })
    const { state, heard } = fakeTronWallet({ eth_chainId: SHASTA })
    await press()
    state.answers['eth_chainId'] = '0x2b6653dc'
    state.account = OTHER
    heard['accountsChanged']?.()
    await soon(() => expect(words()).toBe('The account in your wallet changed. Check it before you send.'))
    named('Send 49 USDT')?.click()
    await soon(() => expect(server.sent()).toHaveLength(1))
    expect(server.posts.at(-2)?.body).toMatchObject({ from: OTHER })
  })

  it('signs once, and sends the same again, while no node says whether it took it', async () => {
    let isBack = false
    const server = fakeServer({
      send: () => (isBack ? Response.json({ transactionHash: TRON_HASH }) : gone('NODE_UNREACHABLE')),
    })
    const { signed } = fakeTronWallet()
    await press()
    await soon(() => expect(words()).toContain('Temporarily unavailable.'))
    isBack = true
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect(signed).toHaveLength(1)
    expect(new Set(server.sent().map((body) => JSON.stringify(body))).size).toBe(1)
  })

  it('sends the same again after the page was loaded again, and asks for no second signature', async () => {
    let isBack = false
    const server = fakeServer({
      send: () => (isBack ? Response.json({ transactionHash: TRON_HASH }) : gone('NODE_UNREACHABLE')),
    })
    const { signed } = fakeTronWallet()
    await pressOnNewPage()
    await soon(() => expect(words()).toContain('Temporarily unavailable.'))
    isBack = true
    await pressOnNewPage()
    await soon(() => expect(words()).toContain('Sent from your wallet: '))
    expect(signed).toHaveLength(1)
    expect(new Set(server.sent().map((body) => JSON.stringify(body))).size).toBe(1)
    expect(Object.keys(sessionStorage)).toEqual(['kassa.checkout.sent'])
  })

  it('signs again only when the customer says so, once an unanswered transaction has expired', async () => {
    let isBack = false
    const server = fakeServer({
      send: () => (isBack ? Response.json({ transactionHash: TRON_HASH }) : gone('NODE_UNREACHABLE')),
    })
    const { signed } = fakeTronWallet()
    await press()
    await soon(() => expect(words()).toContain('Temporarily unavailable.'))
    isBack = true
    show({ ...TOKEN_VIEW, payment: { ...TOKEN_VIEW.payment, rateLockedUntil: inMinutes(60) } })
    vi.setSystemTime(inMinutes(12))
    await press()
    await soon(() => expect(isPayOffered()).toBe(false))
    expect(document.querySelector('#sent')?.textContent).toContain('Your wallet was asked to send 49 USDT on TRON.')
    expect([signed.length, server.drafts()]).toEqual([1, 1])
    payAgain()
    await press()
    await soon(() => expect(signed).toHaveLength(2))
  })

  it('has it signed anew once the network has refused it', async () => {
    let isRefused = true
    fakeServer({
      send: () => (isRefused ? gone('TRANSACTION_REFUSED') : Response.json({ transactionHash: TRON_HASH })),
    })
    const { signed } = fakeTronWallet()
    await press()
    expect(words()).toBe('The network does not take this transfer from this account. Nothing was sent.')
    isRefused = false
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect(signed).toHaveLength(2)
  })

  it('says that it is to be tried again when the server does not answer', async () => {
    fakeServer({ draft: () => gone('NODE_UNREACHABLE') })
    const { signed } = fakeTronWallet()
    await press()
    expect([words().startsWith('Temporarily unavailable.'), signed]).toEqual([true, []])
  })
})

describe('which wallets pay on TRON', () => {
  it('are those that announce themselves, by name, and never one of an EVM network', async () => {
    const evm = fakeWallet()
    fakeServer({})
    const [one, other] = [fakeTronWallet({}, 'One'), fakeTronWallet({}, 'Other')]
    await press()
    expect([words(), buttons().map(({ textContent }) => textContent)]).toEqual(['Which wallet?', ['One', 'Other']])
    named('Other')?.click()
    await soon(() => expect(other.signed).toHaveLength(1))
    expect([one.signed, evm.calls]).toEqual([[], []])
  })

  it('are the one that is there without a word, newer or older', async () => {
    fakeServer({})
    const { provider, signed } = fakeTronWallet()
    endTron()
    fakeServer({})
    Object.assign(globalThis, { tron: provider })
    await press()
    expect(signed).toHaveLength(1)
  })

  it('are an older TronLink too, on the network that its node is of', async () => {
    const server = fakeServer({})
    const sign = vi.fn<() => Promise<unknown>>(async () => ({ signature: [SIGNATURE] }))
    const tronWeb = (host: string) => ({ defaultAddress: { base58: PAYER }, fullNode: { host }, trx: { sign } })
    const tronLink = { request: async () => ({ code: 200 }), tronWeb: tronWeb('https://my.node.example') }
    Object.assign(globalThis, { tronLink })
    await press()
    expect(words()).toBe('Your wallet is on my.node.example. This payment is on TRON.')
    tronLink.tronWeb = tronWeb('https://api.trongrid.io')
    window.dispatchEvent(
      new MessageEvent('message', { source: window, data: { message: { action: 'setNode' } } } as MessageEventInit),
    )
    await soon(() => expect(named('Send 49 USDT')?.disabled).toBe(false))
    await press('Send 49 USDT')
    await soon(() => expect(server.sent()).toHaveLength(1))
  })

  it('are none', async () => {
    fakeWallet()
    await press()
    expect(words()).toBe('No wallet was found in this browser. Use the QR code or the address.')
  })

  it('are noticed: one of an EVM network is none here', () => {
    const isHere = () => document.documentElement.dataset['wallet'] !== undefined
    delete document.documentElement.dataset['wallet']
    fakeWallet()
    noticeWallets()
    expect(isHere()).toBe(false)
    fakeTronWallet()
    noticeWallets()
    expect(isHere()).toBe(true)
  })

  it('are offered what the payment asks for, and nothing where payment and link do not agree', () => {
    const facts = () => document.querySelector<HTMLElement>('#view')?.dataset['pay']
    const pay = JSON.parse(facts() ?? '{}') as Record<string, unknown>
    expect(pay).toMatchObject({ chainId: '0x2b6653dc', to: PAID_TO, token: USDT, units: '49000000' })
    const { payment } = TOKEN_VIEW
    for (const changes of [
      { depositAddress: OTHER },
      { currencyAddress: OTHER },
      { paymentURI: `tron:${PAID_TO}?amount=49` },
      { paymentURI: `tron:${PAID_TO}?amount=49&token=${USDT}&more=1` },
      { paymentURI: null },
    ]) {
      show({ ...TOKEN_VIEW, payment: { ...payment, ...changes } })
      expect(facts()).toBeUndefined()
    }
    show({ ...TOKEN_VIEW, networkMode: 'testnet' })
    expect(facts()).toContain('"chainId":"0xcd8690dc"')
  })
})

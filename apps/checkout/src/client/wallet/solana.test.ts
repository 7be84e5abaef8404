// @vitest-environment happy-dom
import { COMPUTE_PROGRAM, transferCoin } from '@kassa/keys/solana/movement.ts'
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
  endSolana,
  fakeSolanaWallet,
  OTHER,
  PAID_TO,
  PAYER,
  SOLANA_HASH,
  TOKEN_VIEW,
  USDC,
  written,
} from '../../testing/solana-wallet.ts'
import { fakeServer } from '../../testing/tron-wallet.ts'
import { payAgain } from '../sent/notice.ts'
import { noticeWallets } from '../wallet-apps.ts'
import { answerWalletButton } from '../wallet-button.ts'

answerWalletButton(load)
beforeEach(() => {
  startOver()
  show(TOKEN_VIEW)
})
afterEach(() => {
  endSolana()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const memo = { program: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr', accounts: [], data: Uint8Array.of(65) }
const SIGNATURE = '07'.repeat(64)
const sentAs = () => Response.json({ transactionHash: SOLANA_HASH })
const refused = (code: string) => Response.json({ code }, { status: 409 })
const server = (answers: Parameters<typeof fakeServer>[0] = {}) =>
  fakeServer({ draft: () => ({ rawData: written(), obstacle: null }), send: sentAs, ...answers })

describe('pay with a wallet of Solana', () => {
  it('signs what the server wrote and has it sent, in one press', async () => {
    const [{ asked }, { posts, sent, drafts }] = [fakeSolanaWallet(), server()]
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect(words()).toContain(`${SOLANA_HASH.slice(0, 4)}…${SOLANA_HASH.slice(-4)}`)
    expect(loads()).toEqual(['/checkout/solana-wallet.js'])
    expect(posts[0]?.body).toEqual({ from: PAYER, amount: '49' })
    expect(drafts()).toBe(1)
    expect(asked).toEqual([{ chain: 'solana:mainnet', rawData: written() }])
    expect(sent()).toEqual([{ rawData: written(), signature: SIGNATURE }])
    expect(isPayOffered()).toBe(false)
  })

  it('pays SOL plainly', async () => {
    show(COIN_VIEW)
    const rawData = written({ mint: null, units: 250_000_000n })
    const { sent, posts } = server({ draft: () => ({ rawData, obstacle: null }) })
    fakeSolanaWallet()
    await press()
    expect(posts[0]?.body).toEqual({ from: PAYER, amount: '0.25' })
    expect(sent()).toHaveLength(1)
  })

  it.each([
    ['receiver', written({ to: OTHER })],
    ['amount', written({ units: 49_000_001n })],
    ['token', written({ mint: OTHER })],
    ['kind', written({ mint: null })],
    ['account', written({ from: OTHER })],
    ['payment besides', written({ more: [transferCoin(PAYER, OTHER, 1n)] })],
    [
      'fee',
      written({ more: [{ ...memo, program: COMPUTE_PROGRAM, data: Uint8Array.of(3, ...new Uint8Array(8).fill(9)) }] }),
    ],
    ['part', written({ more: [memo] })],
    ['bytes', 'nonsense'],
  ])('signs nothing with another %s than the page shows', async (_, rawData) => {
    const { sent } = server({ draft: () => ({ rawData, obstacle: null }) })
    const { asked } = fakeSolanaWallet()
    await press()
    expect(words()).toBe('Your wallet reported an error. Look there before you try again.')
    expect([asked, sent()]).toEqual([[], []])
  })

  it('accepts instructions that a wallet adds for its owner, and none that pays another account', async () => {
    const { sent } = server()
    const { state } = fakeSolanaWallet()
    const signedAs = (rawData: string) => async () => Uint8Array.from(Buffer.from(`01${SIGNATURE}${rawData}`, 'hex'))
    state.sign = signedAs(written({ more: [memo, transferCoin(PAYER, OTHER, 1n)] }))
    await press()
    expect([words(), sent()]).toEqual(['Your wallet reported an error. Look there before you try again.', []])
    state.sign = signedAs(written({ more: [memo] }))
    await press()
    expect(sent()).toEqual([{ rawData: written({ more: [memo] }), signature: SIGNATURE }])
  })

  it('sends nothing from a wallet that does not know the network', async () => {
    const { posts } = server()
    fakeSolanaWallet({ chains: ['solana:devnet'] })
    await press()
    expect(words()).toBe('Your wallet is on Solana Devnet. This payment is on Solana.')
    expect(buttons().map(({ textContent, disabled }) => [textContent, disabled])).toEqual([['Send 49 USDC', true]])
    expect(posts).toEqual([])
  })

  it.each([
    ['short_of_asset', 'This account has too little USDC.'],
    ['short_of_coin', 'This account has too little SOL for the network’s fee.'],
    ['would_fail', 'The network does not take this transfer from this account. Nothing was sent.'],
  ])('names the obstacle: %s', async (obstacle, said) => {
    server({ draft: () => ({ rawData: null, obstacle }) })
    const { asked } = fakeSolanaWallet()
    await press()
    expect([words(), asked]).toEqual([said, []])
    expect(named('Send 49 USDC')?.disabled).toBe(true)
  })

  it.each([
    [refusal(4001), 'You declined. Nothing was sent.'],
    [new Error('User rejected the request.'), 'You declined. Nothing was sent.'],
    [new Error('Something else'), 'Your wallet reported an error. Look there before you try again.'],
  ])('says why nothing was signed: %o', async (thrown, said) => {
    const { sent } = server()
    const { state } = fakeSolanaWallet()
    state.sign = vi.fn<() => Promise<never>>().mockRejectedValue(thrown)
    await press()
    expect([words(), sent()]).toEqual([said, []])
  })

  it('says that the wallet is locked when it gives no account', async () => {
    server()
    fakeSolanaWallet().state.connect = () => []
    await press()
    expect(words()).toBe('Your wallet is locked. Unlock it, then try again.')
  })

  it('has it signed anew once the signature came too late', async () => {
    let isLate = true
    const { sent } = server({ send: () => (isLate ? refused('TRANSACTION_EXPIRED') : sentAs()) })
    const { asked } = fakeSolanaWallet()
    await press()
    expect(words()).toBe('The signature came too late for the network. Nothing was sent. Press again.')
    isLate = false
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect([asked.length, sent().length]).toEqual([2, 2])
  })

  it('signs once, and sends the same again, while no node says whether it took it', async () => {
    let isBack = false
    const { sent } = server({ send: () => (isBack ? sentAs() : refused('NODE_UNREACHABLE')) })
    const { asked } = fakeSolanaWallet()
    await press()
    await soon(() => expect(words()).toContain('Temporarily unavailable.'))
    isBack = true
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect([asked.length, new Set(sent().map((body) => JSON.stringify(body))).size]).toEqual([1, 1])
  })

  it('takes no refusal for an end while an earlier try was without an answer', async () => {
    const answers = [refused('NODE_UNREACHABLE'), refused('TRANSACTION_EXPIRED'), refused('TRANSACTION_EXPIRED')]
    const { sent } = server({ send: () => answers.shift() ?? sentAs() })
    const { asked } = fakeSolanaWallet()
    await press()
    await soon(() => expect(words()).toContain('Temporarily unavailable.'))
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect([asked.length, new Set(sent().map((body) => JSON.stringify(body))).size]).toEqual([1, 1])
  })

  it('has another signed once no block can take the first any more, and the customer says so', async () => {
    let isBack = false
    server({ send: () => (isBack ? sentAs() : refused('NODE_UNREACHABLE')) })
    const { asked } = fakeSolanaWallet()
    await press()
    await soon(() => expect(words()).toContain('Temporarily unavailable.'))
    isBack = true
    document.documentElement.dataset['ahead'] = '121000'
    await press()
    expect(words()).toContain('Your wallet was asked to send 49 USDC on Solana.')
    expect(asked).toHaveLength(1)
    payAgain()
    await press()
    expect(words()).toContain('Sent from your wallet: ')
    expect(asked).toHaveLength(2)
  })

  it('checks again when the account changes', async () => {
    let obstacle: string | null = 'short_of_asset'
    const { posts, sent } = server({
      draft: () => ({ rawData: obstacle === null ? written({ from: OTHER }) : null, obstacle }),
    })
    const { change } = fakeSolanaWallet()
    await press()
    obstacle = null
    change(OTHER)
    await soon(() => expect(words()).toBe('The account in your wallet changed. Check it before you send.'))
    named('Send 49 USDC')?.click()
    await soon(() => expect(sent()).toHaveLength(1))
    expect(posts.at(-2)?.body).toMatchObject({ from: OTHER })
  })
})

describe('which wallets pay on Solana', () => {
  it('are those that announce themselves, by name, and never one of an EVM network', async () => {
    const evm = fakeWallet()
    server()
    const [one, other] = [fakeSolanaWallet({ name: 'One' }), fakeSolanaWallet({ name: 'Other' })]
    fakeSolanaWallet({ name: 'Elsewhere', chains: ['sui:mainnet'] })
    await press()
    expect([words(), buttons().map(({ textContent }) => textContent)]).toEqual(['Which wallet?', ['One', 'Other']])
    named('Other')?.click()
    await soon(() => expect(other.asked).toHaveLength(1))
    expect([one.asked, evm.calls]).toEqual([[], []])
  })

  it('are none', async () => {
    fakeWallet()
    await press()
    expect(words()).toBe('No wallet was found in this browser. Use the QR code or the address.')
  })

  it('are noticed, those too that come late', () => {
    const isHere = () => document.documentElement.dataset['wallet'] !== undefined
    delete document.documentElement.dataset['wallet']
    fakeWallet()
    noticeWallets()
    expect(isHere()).toBe(false)
    fakeSolanaWallet().announce()
    expect(isHere()).toBe(true)
  })

  it('are offered what the payment asks for, and nothing where payment and link do not agree', () => {
    const facts = () => document.querySelector<HTMLElement>('#view')?.dataset['pay']
    const pay = JSON.parse(facts() ?? '{}') as Record<string, unknown>
    expect(pay).toMatchObject({ chainId: 'solana:mainnet', to: PAID_TO, token: USDC, units: '49000000' })
    const { payment } = TOKEN_VIEW
    for (const changes of [
      { depositAddress: OTHER },
      { currencyAddress: OTHER },
      { paymentURI: `solana:${PAID_TO}?amount=49` },
      { paymentURI: `solana:${PAID_TO}?amount=49&spl-token=${USDC}&reference=${OTHER}` },
      { paymentURI: null },
    ]) {
      show({ ...TOKEN_VIEW, payment: { ...payment, ...changes } })
      expect(facts()).toBeUndefined()
    }
    show({ ...TOKEN_VIEW, networkMode: 'testnet' })
    expect(facts()).toContain('"chainId":"solana:devnet"')
  })
})

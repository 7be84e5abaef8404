/** The payer's page with a wallet in the browser, for tests of the wallet part. */
import { expect, vi } from 'vitest'

import { payWithWallet } from '../client/wallet/evm/main.ts'
import { payWithWallet as payOnSolana } from '../client/wallet/solana/main.ts'
import { payWithWallet as payOnTron } from '../client/wallet/tron/main.ts'
import { renderCheckout } from '../render/page.ts'
import type { CheckoutView } from '../render/view.ts'
import type { PayFacts } from '../render/panels/wallet.ts'
import { NOW, SAMPLES } from './samples.ts'

/** The network of the samples, as wallets write it. */
export const BASE = '0x2105'
/** The wallet's account. */
export const ACCOUNT = '0x1111111111111111111111111111111111111111'
/** What the wallet gives for a transaction. */
export const HASH = `0x9f3c${'0'.repeat(56)}a01b`
/** More than enough of anything. */
export const RICH = '0xde0b6b3a7640000'

type Call = { readonly method: string; readonly params?: readonly unknown[] }

/** A wallet that announces itself, with what it answers; a function decides at the moment it is asked. */
export function fakeWallet(answers: Record<string, unknown> = {}, name = 'Fake') {
  const calls: Call[] = []
  const heard: Record<string, () => void> = {}
  const all: Record<string, unknown> = {
    eth_requestAccounts: [ACCOUNT],
    eth_accounts: [ACCOUNT],
    eth_chainId: BASE,
    eth_getBalance: RICH,
    eth_call: RICH,
    eth_estimateGas: '0xffff',
    eth_gasPrice: '0x1',
    eth_sendTransaction: HASH,
    wallet_switchEthereumChain: null,
    ...answers,
  }
  const provider = {
    request: async (call: Call) => {
      calls.push(call)
      const answer = all[call.method]
      const value: unknown = typeof answer === 'function' ? (answer as () => unknown)() : answer
      if (value instanceof Error) throw value
      return value
    },
    on: (event: string, listener: () => void) => void (heard[event] = listener),
  }
  const announce = () =>
    dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: { info: { uuid: name, name, icon: 'data:image/svg+xml,' }, provider },
      }),
    )
  addEventListener('eip6963:requestProvider', announce)
  wallets.push(() => removeEventListener('eip6963:requestProvider', announce))
  const sent = () => calls.filter(({ method }) => method === 'eth_sendTransaction').map(({ params }) => params?.[0])
  return { answers: all, calls, heard, sent }
}

/** A busy machine takes longer than the usual second. */
export const soon = (check: () => void) => vi.waitFor(check, { timeout: 8000 })

const wallets: (() => void)[] = []
/** How a wallet refuses (EIP-1193). */
export const refusal = (code: number) => Object.assign(new Error('no'), { code })
/** What the steps say. */
export const words = () => (document.querySelector('#wallet-steps p, #sent h1')?.textContent ?? '').trim()
/** Whether the page offers to pay. */
export const isPayOffered = () =>
  document.querySelector('#pay-with-wallet') !== null && document.documentElement.dataset['sent'] === undefined
/** What the steps offer. */
export const buttons = () => [...document.querySelectorAll<HTMLButtonElement>('#wallet-steps button')]
/** One of them, by its text. */
export const named = (text: string) => buttons().find(({ textContent }) => textContent === text)

const WALLET_URLS = {
  ETH_Family: '/checkout/wallet.js',
  TRX_Family: '/checkout/tron-wallet.js',
  SOL_Family: '/checkout/solana-wallet.js',
}

const PARTS = new Map([
  [WALLET_URLS.ETH_Family, payWithWallet],
  [WALLET_URLS.TRX_Family, payOnTron],
  [WALLET_URLS.SOL_Family, payOnSolana],
])

/** Puts a page on screen. */
export function show(view: CheckoutView): void {
  document.documentElement.innerHTML = new DOMParser().parseFromString(
    renderCheckout({ ...view, walletUrls: WALLET_URLS }).html,
    'text/html',
  ).documentElement.innerHTML
}

/** What the page asks for, as if it had been redrawn. */
export function redraw(changes: Partial<PayFacts>): void {
  const view = document.querySelector<HTMLElement>('#view')
  const pay = JSON.parse(view?.dataset['pay'] ?? '{}') as PayFacts
  view?.setAttribute('data-pay', JSON.stringify({ ...pay, ...changes }))
}

/** An answer that comes when it is given. */
export function late() {
  const given: ((answer: unknown) => void)[] = []
  return { answer: () => new Promise((done) => given.push(done)), give: (answer: unknown) => given.shift()?.(answer) }
}

let loaded: string[] = []

/** What was loaded since the test began. */
export const loads = (): readonly string[] => loaded

/** Gives the part that is loaded on demand. */
export const load = async (url: string) => {
  loaded.push(url)
  return { payWithWallet: PARTS.get(url) ?? payWithWallet }
}

/** Presses "Pay with wallet", or a button of the steps, and waits until the wallet has answered. */
export async function press(text?: string): Promise<void> {
  if (text === undefined) document.querySelector<HTMLElement>('#pay-with-wallet')?.click()
  else named(text)?.click()
  await soon(() => {
    expect(document.querySelector('#pay-with-wallet')?.hasAttribute('aria-busy')).toBe(false)
    expect(words()).not.toBe('Go on in your wallet.')
  })
}

/** The page waits for wallets to announce themselves, and before it sends again: tests do not wait for seconds. */
const WAITS_SHORTENED = 20
const wait = globalThis.setTimeout

/** A fresh page, at the moment the samples are drawn, without a wallet. */
export function startOver(): void {
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0) => wait(run, ms / WAITS_SHORTENED))
  for (const remove of wallets.splice(0)) remove()
  loaded = []
  vi.setSystemTime(NOW)
  delete document.documentElement.dataset['ahead']
  delete document.documentElement.dataset['sent']
  sessionStorage.clear()
  show(SAMPLES.waiting)
}

/** Comes to the button that sends, without having sent. */
export async function comeToSend(wallet: ReturnType<typeof fakeWallet>): Promise<void> {
  wallet.answers['eth_chainId'] = '0x1'
  await press()
  wallet.answers['eth_chainId'] = BASE
  wallet.heard['chainChanged']?.()
  await soon(() => expect(named('Send 49 USDC')?.disabled).toBe(false))
}

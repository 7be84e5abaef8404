/** A wallet in the browser that announces itself (EIP-6963), is asked as wallets are (EIP-1193) and sends on the local chains. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import type { Page } from 'playwright-core'

import { callNode } from '../apps/server/src/sandbox/node-call.ts'
import { payerAddress } from '../apps/server/src/sandbox/payer-account.ts'
import type { Layout } from './instance.ts'

type ChainCode = 'ETH' | 'BASE'
type Asked = { readonly method: string; readonly params?: readonly unknown[] }
type Answer = { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }

/** A transaction as a page asks for it; what the page leaves out, the wallet adds. */
export type AskedTransfer = {
  readonly chainId: string
  readonly from: string
  readonly to: string
  readonly value: string
  readonly data?: string
}

export type BrowserWallet = {
  readonly account: string
  /** The names of everything it was asked so far, in order. */
  readonly asked: () => readonly string[]
  /** What it was asked to sign so far. */
  readonly transfers: () => readonly AskedTransfer[]
  /** What its owner says to the next question for a signature; `lose`: what they confirm never comes to a node. */
  answer: 'confirm' | 'decline' | 'lose'
  /** How many transactions of its account the chain has seen. */
  readonly sent: (code: ChainCode) => Promise<number>
}

/** What the owner's "no" looks like to a page (EIP-1193). */
const DECLINED = { code: 4001, message: 'User rejected the request.' }
/** The hash of a transaction that no node knows. */
const LOST = `0x9f3c${'0'.repeat(56)}a01b`
const OTHER_NETWORK = { code: -32_602, message: 'The wallet is on another network.' }
const UNKNOWN_METHOD = { code: 4200, message: 'The wallet does not do this.' }

/** Questions that a node answers for the wallet. */
const READS = new Set(['eth_getBalance', 'eth_call', 'eth_estimateGas', 'eth_gasPrice', 'eth_getCode'])

/** Puts the wallet into every page that is opened from now on; it holds the money of the sandbox's payer. */
export async function installWallet(page: Page, layout: Layout, startsOn: ChainCode): Promise<BrowserWallet> {
  const asked: Asked[] = []
  let chain = startsOn
  const node = <T>(method: string, ...params: readonly unknown[]) =>
    callNode<T>(nodeOf(layout, chain), method, ...params)
  const wallet: BrowserWallet = {
    account: payerAddress,
    asked: () => asked.map(({ method }) => method),
    transfers: () => asked.filter(isSignature).map(({ params }) => params?.[0] as AskedTransfer),
    answer: 'confirm',
    sent: async (code) =>
      Number(await callNode<string>(nodeOf(layout, code), 'eth_getTransactionCount', payerAddress, 'pending')),
  }
  const answer = async ({ method, params = [] }: Asked): Promise<Answer> => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return { result: [payerAddress] }
    if (method === 'eth_chainId') return { result: chainIdOf(chain) }
    if (method === 'wallet_switchEthereumChain') {
      chain = chainWith((params[0] as { chainId: string }).chainId)
      return { result: null }
    }
    if (READS.has(method)) return { result: await node(method, ...params) }
    if (method !== 'eth_sendTransaction') return { error: UNKNOWN_METHOD }
    if ((params[0] as AskedTransfer).chainId !== chainIdOf(chain)) return { error: OTHER_NETWORK }
    if (wallet.answer === 'decline') return { error: DECLINED }
    if (wallet.answer === 'lose') return { result: LOST }
    // The node signs as the payer, whose key is public.
    await node('anvil_impersonateAccount', payerAddress)
    return { result: await node('eth_sendTransaction', ...params) }
  }
  await page.exposeFunction('askWallet', async (question: Asked) => {
    asked.push(question)
    return answer(question)
  })
  await page.addInitScript(ANNOUNCE)
  return wallet
}

/** As an extension does it: at once, and again whenever a page asks who is there. */
const ANNOUNCE = `{
  const listeners = []
  const provider = {
    on: (event, listener) => void listeners.push([event, listener]),
    request: async (question) => {
      const { result, error } = await window.askWallet(question)
      if (error) throw Object.assign(new Error(error.message), error)
      if (question.method === 'wallet_switchEthereumChain')
        for (const [event, listener] of listeners) if (event === 'chainChanged') listener(question.params[0].chainId)
      return result
    },
  }
  const info = Object.freeze({ uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Pocket', icon: 'data:image/svg+xml,', rdns: 'example.pocket' })
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}`

function isSignature({ method }: Asked): boolean {
  return method === 'eth_sendTransaction'
}

/** The instance keeps where its nodes answer beside their pids. */
function nodeOf({ home }: Layout, code: ChainCode): string {
  const [, url = ''] = readFileSync(join(home, 'chains', `${code}.pid`), 'utf8').split('\n')
  return url
}

function chainIdOf(code: ChainCode): string {
  return `0x${(findBlockchain(code)?.networks.sandbox.chainId ?? 0).toString(16)}`
}

function chainWith(chainId: string): ChainCode {
  const found = (['ETH', 'BASE'] as const).find((code) => chainIdOf(code) === chainId)
  if (found === undefined) throw new Error(`The wallet knows no network ${chainId}`)
  return found
}

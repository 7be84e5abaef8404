/** A wallet of TRON in the browser: it announces itself (TIP-6963), is asked as such wallets are (TIP-1193), and signs with tronweb's own code. */
import { trx } from '@kassa/primitives/chains/definitions/trx.ts'
import type { Page } from 'playwright-core'
import { TronWeb, type Types } from 'tronweb'

import { payerKey } from '../apps/server/src/sandbox/payer-account.ts'

type Transaction = Types.Transaction

export type TronWallet = {
  readonly account: string
  /** What it was asked to sign so far. */
  readonly transactions: () => readonly Transaction[]
  /** The id of the network it is on. */
  network: string
  /** What its owner says to the next question for a signature. */
  answer: 'confirm' | 'decline'
}

const idOf = ({ chainId = 0 }: { readonly chainId?: number }) => `0x${chainId.toString(16)}`

const LOCAL = idOf(trx.networks.sandbox)

/** The test network, which is not used here. */
export const NILE = idOf(trx.networks.testnet)

/** Puts the wallet into every page that is opened from now on; it holds the money of the sandbox's payer. */
export async function installTronWallet(page: Page): Promise<TronWallet> {
  // It signs, and asks no node for anything.
  const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1', privateKey: payerKey.slice(2) })
  const asked: Transaction[] = []
  const account = tronWeb.defaultAddress.base58
  if (account === false) throw new Error('The wallet has no account')
  const wallet: TronWallet = { account, transactions: () => asked, network: LOCAL, answer: 'confirm' }
  await page.exposeFunction('askTronWallet', async (method: string, value: unknown) => {
    if (method === 'eth_requestAccounts') return { result: [account] }
    if (method === 'eth_chainId') return { result: wallet.network }
    if (method === 'wallet_switchEthereumChain') {
      wallet.network = (value as { chainId: string }).chainId
      return { result: null }
    }
    if (method !== 'sign') return { error: { code: 4200 } }
    asked.push(value as Transaction)
    // As TronLink says it: a sentence, and no number.
    if (wallet.answer === 'decline') return { error: 'Confirmation declined by user' }
    return { result: await tronWeb.trx.sign(value as Transaction) }
  })
  await page.addInitScript(`{ const account = ${JSON.stringify(account)}; ${ANNOUNCE} }`)
  return wallet
}

/** As an extension does it: at once, and again whenever a page asks who is there. */
const ANNOUNCE = `
  const listeners = []
  const ask = async (method, value) => {
    const { result, error } = await window.askTronWallet(method, value)
    if (error) throw typeof error === 'string' ? error : Object.assign(new Error('no'), error)
    return result
  }
  const provider = {
    isTronLink: true,
    tronWeb: false,
    on: (event, listener) => void listeners.push([event, listener]),
    removeListener: () => undefined,
    request: async ({ method, params = [] }) => {
      const result = await ask(method, params[0])
      if (method === 'eth_requestAccounts')
        provider.tronWeb = { defaultAddress: { base58: account }, trx: { sign: (transaction) => ask('sign', transaction) } }
      if (method === 'wallet_switchEthereumChain')
        for (const [event, listener] of listeners) if (event === 'chainChanged') listener(params[0])
      return result
    },
  }
  const info = Object.freeze({ uuid: '8f2f6a6e-3c0c-4a43-9a77-2a8e2c2c9b10', name: 'TronLink', icon: 'data:image/svg+xml,', rdns: 'org.tronlink.www' })
  const announce = () => dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('TIP6963:requestProvider', announce)
  announce()
`

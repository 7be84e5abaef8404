/** The payer's page of TRON with a wallet in the browser and a server that writes transactions, for tests of the wallet part. */
import { readTronText } from '@kassa/keys/tron/address.ts'
import type { TronProvider } from '@kassa/keys/tron/injected-wallet.ts'
import { writeRawTransaction } from '@kassa/keys/tron/transaction.ts'
import type { WalletTransaction } from '@kassa/keys/tron/wallet-transaction.ts'
import { vi } from 'vitest'

import { NOW, pinnedPayment, sampleView } from './samples.ts'

/** The wallet's account, where the payment is paid to, and USDT on the main network. */
export const PAYER = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
export const PAID_TO = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** The main network, and one that is not supported. */
const MAIN = '0x2b6653dc'
export const SHASTA = '0x94a9059e'
export const SIGNATURE = 'ab'.repeat(65)
/** What the server gives for a transaction. */
export const TRON_HASH = `9f3c${'0'.repeat(56)}a01b`

const onTron = {
  currencySymbol: 'USDT',
  blockchainSymbol: 'TRX',
  currencyAddress: USDT,
  currencyName: 'Tether USD',
  currencyDecimals: 6,
  depositAddress: PAID_TO,
  paymentURI: `tron:${PAID_TO}?amount=49&token=${USDT}`,
}
const addresses = [{ Address: PAID_TO, Family: 'TRX_Family' }] as unknown as ReturnType<typeof sampleView>['addresses']

/** 49 USDT on TRON, and the same in TRX. */
export const TOKEN_VIEW = { ...sampleView(pinnedPayment(onTron)), addresses }
export const COIN_VIEW = {
  ...sampleView(
    pinnedPayment({
      ...onTron,
      ...{ currencySymbol: 'TRX', currencyAddress: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', currencyName: 'TRON' },
      ...{ amount: '150.5', amountDue: '150.5', paymentURI: `tron:${PAID_TO}?amount=150.5` },
    }),
  ),
  addresses,
}

type Written = { readonly from?: string; readonly to?: string; readonly units?: bigint; readonly token?: string | null }

/** Bytes as the server writes them; the transfer of 49 USDT where nothing else is said. */
export function written({ from = PAYER, to = PAID_TO, units = 49_000_000n, token = USDT }: Written = {}): string {
  const key = (text: string) => readTronText(text) ?? new Uint8Array(20)
  const word = (hex: string) => hex.padStart(64, '0')
  const data = Uint8Array.from(
    Buffer.from(`a9059cbb${word(Buffer.from(key(to)).toString('hex'))}${word(units.toString(16))}`, 'hex'),
  )
  const message =
    token === null
      ? ({ kind: 'transfer', from: key(from), to: key(to), units } as const)
      : ({ kind: 'call', from: key(from), to: key(token), units: 0n, data } as const)
  const refBlock = { bytes: new Uint8Array(2).fill(1), hash: new Uint8Array(8).fill(2) }
  const expiresAt = new Date(NOW.getTime() + 600_000)
  return Buffer.from(writeRawTransaction({ message, refBlock, createdAt: NOW, expiresAt, feeLimit: 9n })).toString(
    'hex',
  )
}

type Posted = { readonly path: string; readonly body: Record<string, unknown> }

/** The server's two routes for wallets that only sign; a function decides at the moment it is asked. */
export function fakeServer(answers: { draft?: () => unknown; send?: () => Response }) {
  const posts: Posted[] = []
  const { draft = () => ({ rawData: written(), obstacle: null, gas: '0', fee: '0', balance: '9' }) } = answers
  const { send = () => Response.json({ transactionHash: TRON_HASH }) } = answers
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    posts.push({ path, body: JSON.parse(body) as Posted['body'] })
    if (path.endsWith('/send')) return send()
    const answer = draft()
    return answer instanceof Response ? answer : Response.json(answer)
  })
  const sent = () => posts.filter(({ path }) => path.endsWith('/send')).map(({ body }) => body)
  const drafts = () => posts.length - sent().length
  return { posts, sent, drafts }
}

const wallets: (() => void)[] = []

/** A wallet that announces itself (TIP-6963), with what it answers and signs. */
export function fakeTronWallet(answers: Record<string, unknown> = {}, name = 'TronLink') {
  const signed: WalletTransaction[] = []
  const heard: Record<string, () => void> = {}
  const state = {
    account: PAYER,
    sign: async (): Promise<unknown> => ({ signature: [SIGNATURE] }),
    answers: { eth_requestAccounts: [PAYER], eth_chainId: MAIN, ...answers } as Record<string, unknown>,
  }
  const provider: TronProvider = {
    on: (event, listener) => void (heard[event] = listener),
    request: async ({ method }) => {
      const answer = state.answers[method]
      const value: unknown = typeof answer === 'function' ? (answer as () => unknown)() : answer
      if (value instanceof Error) throw value
      return value
    },
    get tronWeb() {
      return {
        defaultAddress: { base58: state.account },
        trx: {
          sign: async (transaction: WalletTransaction) => {
            signed.push(transaction)
            return state.sign()
          },
        },
      }
    },
  }
  const announce = () =>
    dispatchEvent(
      new CustomEvent('TIP6963:announceProvider', {
        detail: { info: { uuid: name, name, icon: 'data:image/svg+xml,' }, provider },
      }),
    )
  addEventListener('TIP6963:requestProvider', announce)
  wallets.push(() => removeEventListener('TIP6963:requestProvider', announce))
  return { state, signed, heard, provider }
}

/** Takes every wallet and server of a test away. */
export function endTron(): void {
  for (const remove of wallets.splice(0)) remove()
  for (const name of ['tron', 'tronLink']) Reflect.deleteProperty(globalThis, name)
  vi.unstubAllGlobals()
}

/** The payer's page of Solana with a wallet in the browser, for tests of the wallet part; `tron-wallet.ts` has the server. */
import { plainBase58 } from '@kassa/keys/solana/address.ts'
import { readSigned, signedTransaction, writeMessage } from '@kassa/keys/solana/message.ts'
import type { Instruction } from '@kassa/keys/solana/message.ts'
import { openTokenAccount, transferCoin, transferToken } from '@kassa/keys/solana/movement.ts'

import { pinnedPayment, sampleView } from './samples.ts'

const address = (byte: number) => plainBase58(new Uint8Array(32).fill(byte))

/** The wallet's account, another one, where the payment is paid to, and USDC on the main network. */
export const [PAYER, OTHER, PAID_TO] = [address(21), address(22), address(23)] as const
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const [SOURCE, TARGET] = [address(24), address(25)] as const
/** What the server gives for a transaction. */
export const SOLANA_HASH = plainBase58(new Uint8Array(64).fill(9))

const onSolana = {
  currencySymbol: 'USDC',
  blockchainSymbol: 'SOLANA',
  currencyAddress: USDC,
  currencyName: 'USD Coin',
  currencyDecimals: 6,
  depositAddress: PAID_TO,
  paymentURI: `solana:${PAID_TO}?amount=49&spl-token=${USDC}`,
}
const addresses = [{ Address: PAID_TO, Family: 'SOL_Family' }] as unknown as ReturnType<typeof sampleView>['addresses']

/** 49 USDC on Solana, and a payment in SOL. */
export const TOKEN_VIEW = { ...sampleView(pinnedPayment(onSolana)), addresses }
export const COIN_VIEW = {
  ...sampleView(
    pinnedPayment({
      ...onSolana,
      ...{ currencySymbol: 'SOL', currencyAddress: '', currencyName: 'Solana', currencyDecimals: 9 },
      ...{ amount: '0.25', amountDue: '0.25', paymentURI: `solana:${PAID_TO}?amount=0.25` },
    }),
  ),
  addresses,
}

type Written = {
  readonly from?: string
  readonly to?: string
  readonly units?: bigint
  readonly mint?: string | null
  readonly more?: readonly Instruction[]
}

/** A message as the server writes it; the transfer of 49 USDC where nothing else is said. */
export function written({
  from = PAYER,
  to = PAID_TO,
  units = 49_000_000n,
  mint = USDC,
  more = [],
}: Written = {}): string {
  const move = { owner: from, source: SOURCE, target: TARGET, units, decimals: 6 }
  const payment =
    mint === null
      ? [transferCoin(from, to, units)]
      : [openTokenAccount(from, { account: TARGET, owner: to, mint }), transferToken(mint, move)]
  const message = writeMessage({ payer: from, blockhash: address(1), instructions: [...more, ...payment] })
  return Buffer.from(message).toString('hex')
}

const wallets: (() => void)[] = []

type Options = { readonly name?: string; readonly chains?: readonly string[] }

/** A wallet that announces itself (Wallet Standard), with what it signs; its owner lets the page in when asked. */
export function fakeSolanaWallet({ name = 'Phantom', chains = ['solana:mainnet', 'solana:devnet'] }: Options = {}) {
  const asked: { chain: string; rawData: string }[] = []
  const hearers: (() => void)[] = []
  const accountOf = (of: string) => ({ address: of, chains })
  const state = {
    account: PAYER,
    connect: (): readonly { address: string }[] => [accountOf(state.account)],
    sign: async (transaction: Uint8Array): Promise<Uint8Array> => {
      const { message } = readSigned(transaction) ?? { message: new Uint8Array() }
      return signedTransaction(message, new Uint8Array(64).fill(7))
    },
  }
  let accounts: readonly { address: string }[] = []
  const wallet = {
    ...{ version: '1.0.0', name, icon: 'data:image/svg+xml,', chains },
    get accounts() {
      return accounts
    },
    features: {
      'standard:connect': {
        connect: async () => {
          accounts = state.connect()
          return { accounts }
        },
      },
      'standard:events': { on: (_: 'change', hear: () => void) => void hearers.push(hear) },
      'solana:signTransaction': {
        signTransaction: async ({ transaction, chain }: { transaction: Uint8Array; chain: string }) => {
          asked.push({ chain, rawData: Buffer.from(readSigned(transaction)?.message ?? []).toString('hex') })
          return [{ signedTransaction: await state.sign(transaction) }]
        },
      },
    },
  }
  const registerAt = (api: { register: (one: unknown) => void }) => api.register(wallet)
  const ready = ({ detail }: Event & { detail?: unknown }) => registerAt(detail as Parameters<typeof registerAt>[0])
  addEventListener('wallet-standard:app-ready', ready)
  wallets.push(() => removeEventListener('wallet-standard:app-ready', ready))
  /** As a wallet that is loaded after the page. */
  const announce = () => dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: registerAt }))
  const change = (account: string) => {
    state.account = account
    accounts = account === '' ? [] : [accountOf(account)]
    for (const hear of hearers) hear()
  }
  return { state, asked, change, announce }
}

/** Takes every wallet of a test away. */
export function endSolana(): void {
  for (const remove of wallets.splice(0)) remove()
}

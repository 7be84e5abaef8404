import { isSameAddress } from '@kassa/keys/address-case.ts'
import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { APPEARANCE } from './appearance.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import type { TextKey } from '../text/languages.ts'
import { lockEnd, restOf } from '../rules.ts'
import { familyOf } from '../view-model.ts'
import type { ViewModel } from '../view-model.ts'
import type { PaymentPublic } from '../view.ts'

/** What a wallet of the browser is asked to send; every number is a hexadecimal or decimal text. */
export type PayFacts = {
  /** The network as wallets write it: `0x2105` (EIP-155), `solana:mainnet` (Wallet Standard). */
  readonly chainId: string
  readonly to: string
  /** The token's contract or mint; null for the network's own currency. */
  readonly token: string | null
  readonly units: string
  /** When the price lapses, by the server's clock. */
  readonly until: string
  /** Where the transaction is written, and the amount as that is asked for: for wallets that only sign (TRON, Solana). */
  readonly draft?: { readonly url: string; readonly amount: string }
  readonly texts: WalletTexts
}

/** What the wallet part says; facts it fills in itself stand in braces. */
export type WalletTexts = Readonly<Record<WalletText | 'lapsed' | 'unavailable', string>>

type WalletText = (typeof WALLET_TEXTS)[number]

/** Names of the texts that the wallet part shows. */
export const WALLET_TEXTS = [
  'choose',
  'none',
  'asking',
  'wrongNetwork',
  'switch',
  'addNetwork',
  'noMoney',
  'noFee',
  'send',
  'declined',
  'failed',
  'changed',
  'locked',
  'busy',
  'refused',
  'tooLate',
] as const

/** Names what is to be sent where, for networks whose wallets live in the browser; null where nothing is asked for. */
export function payFacts(viewModel: ViewModel): PayFacts | null {
  const { payment, state, decimals } = viewModel
  const family = familyOf(viewModel)
  const link = linkOf(viewModel, family)
  const to = payment.depositAddress
  if (APPEARANCE[state].panel !== 'pay' || link === null || to === null || !isAgreed(link, payment)) return null
  const { chainId, token } = link
  const units = String(parseUnits(dueOf(viewModel), decimals))
  const facts = { chainId, to, token, units, until: lockEnd(payment).toISOString(), texts: textsOf(viewModel) }
  if (family === 'ETH_Family') return facts
  const url = `/api/v1/payment/reference/${encodeURIComponent(payment.referenceID)}/wallet-transaction`
  return { ...facts, draft: { url, amount: dueOf(viewModel) } }
}

/** Draws "Pay with wallet"; like the question it stands outside the part that is redrawn. */
export function walletSection(viewModel: ViewModel): Html {
  const { translator } = viewModel
  const family = familyOf(viewModel)
  const walletUrl = viewModel.walletUrls?.[family]
  const isOffered = payFacts(viewModel) !== null && walletUrl !== undefined
  return html`<div id="wallet" class="wallet" data-script>
    ${
      isOffered &&
      html`<button
          class="button${viewModel.state !== 'partly-open' && ' primary'}"
          type="button"
          id="pay-with-wallet"
          data-wallet="${walletUrl}"
          data-family="${family}"
          data-failed="${translator.text('notFindable')}"
        >
          ${translator.say('wallet.pay')}
        </button>
        <div
          id="wallet-steps"
          class="stack"
          aria-live="polite"
          data-networks="${JSON.stringify(networksOf(family))}"
        ></div>`
    }
  </div>`
}

function linkOf(viewModel: ViewModel, family: string): Link | null {
  if (family === 'TRX_Family') return readTronLink(viewModel)
  if (family === 'SOL_Family') return readSolanaLink(viewModel)
  return family === 'ETH_Family' ? readLink(viewModel.payment.paymentURI) : null
}

/** What the page asks for: the whole, or the rest. */
export function dueOf({ state, payment }: ViewModel): string {
  return state === 'partly-open' ? restOf(payment) : (payment.amount ?? '0')
}

function textsOf(viewModel: ViewModel): WalletTexts {
  const { translator, facts, symbol, state, payment } = viewModel
  const filled = {
    ...facts,
    asset: symbol,
    amount: { amount: dueOf(viewModel), unit: symbol },
    from: '{from}',
  }
  const native = BLOCKCHAINS.find(({ code }) => code === payment.blockchainSymbol)?.nativeCurrency ?? ''
  const text = (name: WalletText) =>
    translator.text(`wallet.${name}` satisfies TextKey, name === 'noFee' ? { ...filled, asset: native } : filled)
  const said = Object.fromEntries(WALLET_TEXTS.map((name) => [name, text(name)])) as Record<WalletText, string>
  // As the page itself says it a moment later.
  const lapsed = translator.text(state === 'partly-open' ? 'partly-lapsed.title' : 'price-lapsed.title', facts)
  return { ...said, lapsed, unavailable: translator.text('notFindable') }
}

/** Names of networks by the id a wallet gives; a chain of the sandbox is called what it stands for. */
function networksOf(asked: string): Readonly<Record<string, string>> {
  if (asked === 'SOL_Family') return SOLANA_NETWORKS
  const ours = BLOCKCHAINS.filter(({ family }) => family === asked).flatMap((blockchain) =>
    Object.entries(blockchain.networks).flatMap(([mode, { chainId, name }]) =>
      chainId === undefined ? [] : [[hexOf(chainId), mode === 'sandbox' ? blockchain.name : name] as const],
    ),
  )
  return Object.fromEntries(asked === 'TRX_Family' ? [...ours, SHASTA] : ours)
}

/** A network of TRON that wallets offer and Kassa does not support. */
const SHASTA = ['0x94a9059e', 'Shasta'] as const

function hexOf(chainId: number): string {
  return `0x${chainId.toString(16)}`
}

type Link = { readonly chainId: string; readonly to: string; readonly token: string | null }

/** The two links that we write (EIP-681): a transfer of the network's own currency, or of a token by its contract. */
const LINK = /^ethereum:(0x[0-9a-f]{40})@(\d{1,15})(?:\?value=\d+|\/transfer\?address=(0x[0-9a-f]{40})&uint256=\d+)$/i

function readLink(uri: string | null): Link | null {
  const [, target = '', id = '', receiver] = LINK.exec(uri ?? '') ?? []
  if (target === '') return null
  const chainId = hexOf(Number(id))
  return receiver === undefined ? { chainId, to: target, token: null } : { chainId, to: receiver, token: target }
}

/** The links of TRON that we write: no standard is settled, and they name no network. */
const TRON_LINK = /^tron:(T[1-9A-HJ-NP-Za-km-z]{33})\?amount=[\d.]+(?:&token=(T[1-9A-HJ-NP-Za-km-z]{33}))?$/

function readTronLink({ payment, networkMode = 'mainnet' }: ViewModel): Link | null {
  const [, to = '', token = null] = TRON_LINK.exec(payment.paymentURI ?? '') ?? []
  const chainId = BLOCKCHAINS.find(({ code }) => code === payment.blockchainSymbol)?.networks[networkMode].chainId
  return to === '' || chainId === undefined ? null : { chainId: hexOf(chainId), to, token }
}

/** Solana Pay, as we write it. */
const SOLANA_LINK = /^solana:([1-9A-HJ-NP-Za-km-z]{32,44})\?amount=[\d.]+(?:&spl-token=([1-9A-HJ-NP-Za-km-z]{32,44}))?$/

/** What wallets call the networks (Wallet Standard). */
const SOLANA_CHAINS = { mainnet: 'solana:mainnet', testnet: 'solana:devnet', sandbox: 'solana:localnet' } as const

const SOLANA_NETWORKS = {
  [SOLANA_CHAINS.mainnet]: 'Solana Mainnet',
  [SOLANA_CHAINS.testnet]: 'Solana Devnet',
  'solana:testnet': 'Solana Testnet',
  [SOLANA_CHAINS.sandbox]: 'Solana Localnet',
}

function readSolanaLink({ payment, networkMode = 'mainnet' }: ViewModel): Link | null {
  const [, to = '', token = null] = SOLANA_LINK.exec(payment.paymentURI ?? '') ?? []
  return to === '' ? null : { chainId: SOLANA_CHAINS[networkMode], to, token }
}

/** The value for the network's own currency in place of a token's contract. */
const NATIVE = /^(?:0x0{40}|T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb)?$/i

/** Link and payment must name the same transfer: a token is nothing to send at an address that is not its contract. */
function isAgreed({ to, token }: Link, { depositAddress, currencyAddress }: PaymentPublic): boolean {
  const contract = currencyAddress ?? ''
  const isSameAsset = NATIVE.test(contract) ? token === null : token !== null && isSameAddress(token, contract)
  return isSameAsset && isSameAddress(to, depositAddress ?? '')
}

import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import { APPEARANCE } from './appearance.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import type { TextKey } from './languages.ts'
import { restOf } from './rules.ts'
import { familyOf } from './subject.ts'
import type { Subject } from './subject.ts'

/** What a wallet of the browser is asked to send; every number is a hexadecimal or decimal text. */
export type PayFacts = {
  /** EIP-155, as wallets write it: `0x2105`. */
  readonly chainId: string
  readonly to: string
  /** The token's contract; null for the network's own currency. */
  readonly token: string | null
  readonly units: string
  readonly texts: WalletTexts
}

/** What the wallet part says; facts it fills in itself stand in braces. */
export type WalletTexts = Readonly<Record<WalletText, string>>

type WalletText = (typeof WALLET_TEXTS)[number]

/** Names of the texts the wallet part says by itself. */
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
  'sent',
] as const

/** Names what is to be sent where, for networks whose wallets live in the browser; null where nothing is asked for. */
export function payFacts(subject: Subject): PayFacts | null {
  const { payment, state, decimals } = subject
  const chainId = chainIdOf(payment.paymentURI)
  const { depositAddress: to, currencyAddress } = payment
  if (APPEARANCE[state].panel !== 'pay' || familyOf(subject) !== 'ETH_Family' || chainId === null || to === null)
    return null
  const token = currencyAddress !== null && /^0x[0-9a-f]{40}$/i.test(currencyAddress) ? currencyAddress : null
  const due = state === 'partly-open' ? restOf(payment) : (payment.amount ?? '0')
  return { chainId, to, token, units: String(parseUnits(due, decimals)), texts: textsOf(subject) }
}

/** Draws "Pay with wallet"; like the question it stands outside the part that is redrawn. */
export function walletSection(subject: Subject): Html {
  const { words, walletUrl } = subject
  const isOffered = payFacts(subject) !== null && walletUrl !== undefined
  return html`<div id="wallet" class="wallet" data-script>
    ${
      isOffered &&
      html`<button
          class="button${subject.state !== 'partly-open' && ' primary'}"
          type="button"
          id="pay-with-wallet"
          data-wallet="${walletUrl}"
          data-failed="${words.text('notFindable')}"
        >
          ${words.say('wallet.pay')}
        </button>
        <div id="wallet-steps" class="stack" aria-live="polite" data-networks="${JSON.stringify(NETWORKS)}"></div>`
    }
  </div>`
}

function textsOf({ words, facts, symbol, state, payment }: Subject): WalletTexts {
  const due = state === 'partly-open' ? restOf(payment) : (payment.amount ?? '0')
  const filled = {
    ...facts,
    asset: symbol,
    amount: { amount: due, unit: symbol },
    from: '{from}',
    hash: '{hash}',
  }
  const native = BLOCKCHAINS.find(({ code }) => code === payment.blockchainSymbol)?.nativeCurrency ?? ''
  const text = (name: WalletText) =>
    words.text(`wallet.${name}` satisfies TextKey, name === 'noFee' ? { ...filled, asset: native } : filled)
  return Object.fromEntries(WALLET_TEXTS.map((name) => [name, text(name)])) as WalletTexts
}

/** Names of networks by the id a wallet gives; a chain of the sandbox is called what it stands for. */
const NETWORKS: Readonly<Record<string, string>> = Object.fromEntries(
  BLOCKCHAINS.filter(({ family }) => family === 'ETH_Family').flatMap((blockchain) =>
    Object.entries(blockchain.networks).flatMap(([mode, { chainId, name }]) =>
      chainId === undefined ? [] : [[`0x${chainId.toString(16)}`, mode === 'sandbox' ? blockchain.name : name]],
    ),
  ),
)

/** Reads the chain id of a payment link (EIP-681). */
function chainIdOf(uri: string | null): string | null {
  const id = /^ethereum:0x[0-9a-f]{40}@(\d{1,15})\b/i.exec(uri ?? '')?.[1]
  return id === undefined ? null : `0x${Number(id).toString(16)}`
}

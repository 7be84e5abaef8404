import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { webLink } from '../links.ts'
import { isPaid } from '../rules.ts'
import type { StateName } from '../rules.ts'
import { trimZeros } from '../text/amounts.ts'
import type { ViewModel } from '../view-model.ts'
import { APPEARANCE } from './appearance.ts'
import { dueOf } from './wallet.ts'

/** What the script needs to say what a wallet of this tab has sent; facts that it fills in stand in braces. */
export type SentFacts = {
  /** The payment is paid: nothing is remembered any longer. */
  readonly isPaid: boolean
  /** The page speaks of money that it sees: what was sent is not repeated beside it. */
  readonly isSeen: boolean
  /** What was sent takes the place of the headline. */
  readonly isHeadline: boolean
  /** Transactions that the server knows. */
  readonly known: readonly string[]
  /** What is sent from this page. */
  readonly amount: string
  readonly network: string
  readonly chain: string
  /** The page of an explorer, with `{tx}` for the transaction. */
  readonly explorer: string | null
  readonly texts: Readonly<Record<SentText, string>>
}

type SentText = 'sent' | 'asked' | 'warning' | 'again' | 'tooLate' | 'failed' | 'explorer' | 'newTab'

/** In these states the page itself says what became of the money. */
const SEEN: ReadonlySet<StateName> = new Set(['detected', 'confirming', 'late-held', 'on-hold'])

/** The place where the script shows a transaction that a wallet of this tab has sent, without asking for another payment (screens.md 3.43). */
export function sentSection(viewModel: ViewModel): Html {
  return html`<div
    id="sent"
    class="sent"
    aria-live="polite"
    data-facts="${JSON.stringify(sentFacts(viewModel))}"
  ></div>`
}

function sentFacts(viewModel: ViewModel): SentFacts {
  const { payment, state, symbol, network } = viewModel
  return {
    isPaid: isPaid(payment),
    isSeen: isPaid(payment) || SEEN.has(state),
    isHeadline: APPEARANCE[state].panel === 'pay',
    known: [...payment.deposits, ...payment.dropped].map(({ txHash }) => txHash),
    amount: `${trimZeros(dueOf(viewModel))} ${symbol}`,
    network,
    chain: payment.blockchainSymbol ?? '',
    explorer: webLink(viewModel.explorerTransaction),
    texts: textsOf(viewModel),
  }
}

function textsOf({ translator }: ViewModel): SentFacts['texts'] {
  const open = { hash: '{hash}', network: '{network}', amount: '{amount}' }
  return {
    sent: translator.text('wallet.sent', open),
    asked: translator.text('sent.asked', open),
    warning: translator.text('sent.warning'),
    again: translator.text('sent.again'),
    tooLate: translator.text('sent.tooLate'),
    failed: translator.text('verdict.failed_on_chain.text'),
    explorer: translator.text('explorer'),
    newTab: translator.text('newTab'),
  }
}

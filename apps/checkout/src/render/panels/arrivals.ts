import { explorerLink } from './actions.ts'
import { amount } from '../text/amounts.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { icon } from '../markup/icons.ts'
import { canPay, isPriceGone, pinnedOption } from '../rules.ts'
import type { StateName } from '../rules.ts'
import { networkName } from '../view-model.ts'
import type { ViewModel } from '../view-model.ts'
import { obstacle } from './choose.ts'
import type { Translator } from '../text/translator.ts'
import type { PaymentPublic, PaymentRepair, PublicDeposit } from '../view.ts'

/** Per problem, the states whose own text already explains it: there it is not repeated as a note. */
const EXPLAINED_BY_STATE: Readonly<Record<PaymentRepair['kind'], readonly StateName[]>> = {
  send_rest: ['partly-open'],
  rest_lapsed: ['partly-lapsed'],
  surplus: ['overpaid'],
  on_hold: ['on-hold'],
  unapplied: ['late-held', 'other-network', 'other-asset', 'unapplied'],
}

/** Draws notes about the payment that the text of its state does not contain. */
export function notes(viewModel: ViewModel): Html[] {
  const { payment, state, translator, facts } = viewModel
  const { repair } = payment
  const isConfirming = state === 'detected' || state === 'confirming'
  const texts = [
    repair !== null &&
      !EXPLAINED_BY_STATE[repair.kind].includes(state) &&
      translator.say(`repair.${repair.kind}`, facts),
    isConfirming && payment.late && translator.say('lateOnItsWay'),
    state !== 'network-behind' &&
      state !== 'price-lapsed' &&
      payment.waitsBecause !== null &&
      translator.say('heldUp', facts),
    payment.deposits.some(({ waitsBecause }) => waitsBecause !== null) && translator.say('secondSource'),
    payment.dropped.length > 0 && payment.deposits.length === 0 && translator.say('dropped'),
    payment.paymentState === 'CANCELLED' && payment.fundingState === 'reverted' && translator.say('tookBack'),
    isPriceGone(viewModel) && priceGone(viewModel),
  ]
  return [...texts, ...unlistedNotes(viewModel)]
    .filter((text) => text !== false)
    .map((text) => html`<p class="note plain">${icon('info')}<span>${text}</span></p>`)
}

/** The newest are enough: spam comes in large numbers. */
const MOST_UNLISTED = 2

/** Digits of a contract at each end, as wallets shorten them. */
const CONTRACT_DIGITS = 4

/** Lists arrived tokens that are not accepted here, with the transaction that a question to the shop needs. */
function unlistedNotes(viewModel: ViewModel): Html[] {
  const { payment, translator: words, merchant } = viewModel
  return payment.unlisted.slice(0, MOST_UNLISTED).map((notice) => {
    const { symbol, amount: units, contract, isLookAlike, blockchainCode, explorerTransaction, txHash } = notice
    const short = `${contract.slice(0, CONTRACT_DIGITS + 2)}…${contract.slice(-CONTRACT_DIGITS)}`
    const unit = symbol ?? short
    const token = units === null ? unit : { amount: units, unit }
    const facts = { token, merchant, cameOn: networkName(viewModel, blockchainCode) }
    const said = words.say(isLookAlike ? 'unlisted.lookAlike' : 'unlisted.came', facts)
    return html`${said} ${shortHash(words, { txHash, explorerTransaction })}`
  })
}

function priceGone(viewModel: ViewModel): Html {
  const { payment, options, translator } = viewModel
  const option = pinnedOption(payment, options)
  return html`${option && obstacle(viewModel, option)} ${canPay({ options }) && translator.say('otherWay')}`
}

/** Draws the deposits of the payment, each with its status and its transaction. */
export function arrivals(viewModel: ViewModel): Html | null {
  const { deposits } = viewModel.payment
  if (deposits.length === 0) return null
  const [only] = deposits
  const isPlain =
    deposits.length === 1 && only?.reason === null && only.state !== 'unapplied' && only.state !== 'on_hold'
  return html`<dl class="rows" aria-label="${viewModel.translator.text('arrived')}">
    ${deposits.map(
      (deposit) =>
        html`<div>
          <dt>
            ${amount(deposit.amount, deposit.currencyCode)}${!(isPlain && viewModel.state !== 'partly-open') && depositStatus(viewModel, deposit)}
          </dt>
          <dd>${shortHash(viewModel.translator, deposit)}</dd>
        </div>`,
    )}
  </dl>`
}

/** Draws the first and last 4 characters of a deposit's transaction hash, linked to the explorer. */
export function shortHash(
  translator: Translator,
  deposit: Pick<PublicDeposit, 'txHash' | 'explorerTransaction'>,
): Html {
  const hash = deposit.txHash
  const bare = hash.startsWith('0x') ? hash.slice(2) : hash
  const short = html`<span class="mono" title="${hash}"
    ><bdi dir="ltr">${bare.slice(0, 4)}…${bare.slice(-4)}</bdi></span
  >`
  return explorerLink(translator, deposit.explorerTransaction, short, '')
}

function depositStatus(viewModel: ViewModel, deposit: PublicDeposit): Html {
  const isElsewhere = deposit.blockchainCode !== viewModel.payment.blockchainSymbol
  const where =
    isElsewhere && viewModel.translator.say('onNetwork', { network: networkName(viewModel, deposit.blockchainCode) })
  return html`<span class="deposit-status">${where}${where && ' · '}${statusText(viewModel, deposit)}</span>`
}

function statusText({ payment, translator }: ViewModel, { state, reason, waitsBecause }: PublicDeposit): string {
  if (state === 'waiting' && waitsBecause !== null) return translator.text('deposit.compared')
  if (state === 'waiting') return confirmationText(translator, payment)
  if (state === 'counted') return translator.text('deposit.counted')
  if (state === 'unapplied') return translator.text('deposit.unapplied')
  if (state === 'on_hold') return translator.text('deposit.onHold')
  return translator.text(reason === 'below_minimum' ? 'deposit.small' : 'deposit.ignored')
}

/** The view has one count, that of the least confirmed deposit; of several waiting ones it does not say which that is. */
function confirmationText(translator: Translator, payment: PaymentPublic): string {
  const { deposits, confirmationCurrent: current, confirmationRequired: required } = payment
  const waiting = deposits.filter(({ state }) => state === 'waiting')
  return waiting.length === 1
    ? translator.text('deposit.depth', { current, required })
    : translator.text('deposit.waiting')
}

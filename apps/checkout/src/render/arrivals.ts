import { explorerLink } from './actions.ts'
import { amount } from './amounts.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { icon } from './marks.ts'
import { canPay, isPriceGone, pinnedOption } from './rules.ts'
import type { StateName } from './rules.ts'
import { networkName } from './subject.ts'
import type { Subject } from './subject.ts'
import { obstacle } from './choose.ts'
import type { Words } from './words.ts'
import type { PaymentPublic, PaymentRepair, PublicDeposit } from './view.ts'

/** States whose own words are about what is amiss: the payer need not read it twice. */
const TOLD: Readonly<Record<PaymentRepair['kind'], readonly StateName[]>> = {
  send_rest: ['partly-open'],
  rest_lapsed: ['partly-lapsed'],
  surplus: ['overpaid'],
  on_hold: ['on-hold'],
  kept: ['late-held', 'other-network', 'other-asset', 'kept'],
}

/** Draws what else the payer should know beside what the state itself says. */
export function notes(subject: Subject): Html[] {
  const { payment, state, words, facts } = subject
  const { repair } = payment
  const isOnItsWay = state === 'detected' || state === 'confirming'
  const texts = [
    repair !== null && !TOLD[repair.kind].includes(state) && words.say(`repair.${repair.kind}`, facts),
    isOnItsWay && payment.late && words.say('lateOnItsWay'),
    state !== 'network-behind' &&
      state !== 'price-lapsed' &&
      payment.waitsBecause !== null &&
      words.say('heldUp', facts),
    payment.deposits.some(({ waitsBecause }) => waitsBecause !== null) && words.say('secondSource'),
    payment.paymentState === 'CANCELLED' && payment.fundingState === 'reverted' && words.say('tookBack'),
    isPriceGone(subject) && priceGone(subject),
  ]
  return texts
    .filter((text) => text !== false)
    .map((text) => html`<p class="note plain">${icon('info')}<span>${text}</span></p>`)
}

function priceGone(subject: Subject): Html {
  const { payment, options, words } = subject
  const option = pinnedOption(payment, options)
  return html`${option && obstacle(subject, option)} ${canPay({ options }) && words.say('otherWay')}`
}

/** Draws the transfers that arrived, each with where it stands and its transaction. */
export function arrivals(subject: Subject): Html | null {
  const { deposits } = subject.payment
  if (deposits.length === 0) return null
  const [only] = deposits
  const isPlain = deposits.length === 1 && only?.reason === null && only.state !== 'kept' && only.state !== 'on_hold'
  return html`<dl class="rows" aria-label="${subject.words.text('arrived')}">
    ${deposits.map(
      (deposit) =>
        html`<div>
          <dt>
            ${amount(deposit.amount, deposit.currencyCode)}${!(isPlain && subject.state !== 'partly-open') && standing(subject, deposit)}
          </dt>
          <dd>${transaction(subject.words, deposit)}</dd>
        </div>`,
    )}
  </dl>`
}

/** Draws a transaction's hash, 4 and 4, linked to the explorer. */
export function transaction(words: Words, deposit: PublicDeposit): Html {
  const hash = deposit.txHash
  const bare = hash.startsWith('0x') ? hash.slice(2) : hash
  const short = html`<span class="mono" title="${hash}"
    ><bdi dir="ltr">${bare.slice(0, 4)}…${bare.slice(-4)}</bdi></span
  >`
  return explorerLink(words, deposit.explorerTransaction, short, '')
}

function standing(subject: Subject, deposit: PublicDeposit): Html {
  const isElsewhere = deposit.blockchainCode !== subject.payment.blockchainSymbol
  const where = isElsewhere && subject.words.say('onNetwork', { network: networkName(subject, deposit.blockchainCode) })
  return html`<span class="standing">${where}${where && ' · '}${standingText(subject, deposit)}</span>`
}

function standingText({ payment, words }: Subject, { state, reason, waitsBecause }: PublicDeposit): string {
  if (state === 'waiting' && waitsBecause !== null) return words.text('deposit.compared')
  if (state === 'waiting') return depth(words, payment)
  if (state === 'counted') return words.text('deposit.counted')
  if (state === 'kept') return words.text('deposit.kept')
  if (state === 'on_hold') return words.text('deposit.onHold')
  return words.text(reason === 'below_minimum' ? 'deposit.small' : 'deposit.ignored')
}

/** The payment counts the confirmations of the least confirmed one: of several nobody knows which that is. */
function depth(words: Words, payment: PaymentPublic): string {
  const { deposits, confirmationCurrent: current, confirmationRequired: required } = payment
  const waiting = deposits.filter(({ state }) => state === 'waiting')
  return waiting.length === 1 ? words.text('deposit.depth', { current, required }) : words.text('deposit.waiting')
}

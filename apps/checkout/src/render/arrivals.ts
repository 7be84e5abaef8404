import { explorerLink } from './actions.ts'
import { amount } from './amounts.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { icon } from './marks.ts'
import { say, sayText, TEXTS } from './messages.ts'
import { canPay, isPriceGone, pinnedOption } from './rules.ts'
import type { StateName } from './rules.ts'
import { networkName } from './subject.ts'
import type { Subject } from './subject.ts'
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
  const { payment, state } = subject
  const { repair } = payment
  const isOnItsWay = state === 'detected' || state === 'confirming'
  const texts = [
    repair !== null && !TOLD[repair.kind].includes(state) && repair.text,
    isOnItsWay && payment.late && TEXTS.lateOnItsWay,
    state !== 'network-behind' && state !== 'price-lapsed' && payment.waitsBecause,
    payment.deposits.some(({ waitsBecause }) => waitsBecause !== null) && TEXTS.secondSource,
    payment.paymentState === 'CANCELLED' && payment.fundingState === 'reverted' && TEXTS.tookBack,
    isPriceGone(subject) && priceGone(subject),
  ]
  return texts
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => html`<p class="note plain">${icon('info')}<span>${text}</span></p>`)
}

function priceGone({ payment, options }: Subject): string {
  return [pinnedOption(payment, options)?.reason, canPay({ options }) && TEXTS.otherWay].filter(Boolean).join(' ')
}

/** Draws the transfers that arrived, each with where it stands and its transaction. */
export function arrivals(subject: Subject): Html | null {
  const { deposits } = subject.payment
  if (deposits.length === 0) return null
  const [only] = deposits
  const isPlain = deposits.length === 1 && only?.reason === null && only.state !== 'kept' && only.state !== 'on_hold'
  return html`<dl class="rows" aria-label="${TEXTS.arrived}">
    ${deposits.map(
      (deposit) =>
        html`<div>
          <dt>
            ${amount(deposit.amount, deposit.currencyCode)}${!(isPlain && subject.state !== 'partly-open') && standing(subject, deposit)}
          </dt>
          <dd>${transaction(deposit)}</dd>
        </div>`,
    )}
  </dl>`
}

/** Draws a transaction's hash, 4 and 4, linked to the explorer. */
export function transaction(deposit: PublicDeposit): Html {
  const hash = deposit.txHash
  const bare = hash.startsWith('0x') ? hash.slice(2) : hash
  const short = html`<span class="mono" title="${hash}"
    ><bdi dir="ltr">${bare.slice(0, 4)}…${bare.slice(-4)}</bdi></span
  >`
  return explorerLink(deposit.explorerTransaction, short, '')
}

function standing(subject: Subject, deposit: PublicDeposit): Html {
  const isElsewhere = deposit.blockchainCode !== subject.payment.blockchainSymbol
  const where = isElsewhere && say(TEXTS.onNetwork, { network: networkName(subject, deposit.blockchainCode) })
  return html`<span class="standing">${where}${where && ' · '}${standingText(subject, deposit)}</span>`
}

function standingText({ payment }: Subject, { state, reason, waitsBecause }: PublicDeposit): string {
  if (state === 'waiting' && waitsBecause !== null) return TEXTS.depositSecond
  if (state === 'waiting') return depth(payment)
  if (state === 'counted') return TEXTS.depositCounted
  if (state === 'kept') return TEXTS.depositKept
  if (state === 'on_hold') return TEXTS.depositOnHold
  return reason === 'below_minimum' ? TEXTS.depositSmall : TEXTS.depositIgnored
}

/** The payment counts the confirmations of the least confirmed one: of several nobody knows which that is. */
function depth({ deposits, confirmationCurrent: current, confirmationRequired: required }: PaymentPublic): string {
  const waiting = deposits.filter(({ state }) => state === 'waiting')
  return waiting.length === 1 ? sayText(TEXTS.depositDepth, { current, required }) : TEXTS.depositWaiting
}

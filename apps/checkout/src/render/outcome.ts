import { actionRow, alreadyPaid, explorerLink } from './actions.ts'
import { amount } from './amounts.ts'
import { APPEARANCE } from './appearance.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { icon } from './marks.ts'
import { MESSAGES, say, sayText, TEXTS } from './messages.ts'
import type { Subject } from './subject.ts'
import type { PublicDeposit } from './view.ts'

/** Draws a state in which there is nothing to send: what happened, what is safe, what to do. */
export function outcomePanel(subject: Subject): Html {
  const { state, facts } = subject
  const { tone, icon: sign, actions } = APPEARANCE[state]
  const message = MESSAGES[state]
  return html`<div class="outcome">
    <div class="disc ${tone}${sign === 'tick' && ' tick'}">${icon(sign)}</div>
    <div class="words">
      <h1 id="headline" tabindex="-1">${say(message.title, facts)}</h1>
      <p class="muted">${say(message.body, facts)}</p>
    </div>
    ${confirmationBar(subject)}${arrivals(subject)}${actionRow(subject, actions)}${actions.includes('already-paid') && html`<div class="after">${alreadyPaid(subject)}</div>`}
  </div>`
}

/** Draws how far the least confirmed deposit is, while it is on its way. */
export function confirmationBar({ state, payment }: Subject): Html | null {
  if (state !== 'detected' && state !== 'confirming') return null
  const { confirmationCurrent: current, confirmationRequired: required } = payment
  const label = sayText(TEXTS.confirmations, { current, required })
  return html`<progress max="${Math.max(required, 1)}" value="${current}" aria-label="${label}">${label}</progress>`
}

/** Draws the transfers that arrived, each with its transaction. */
export function arrivals({ payment, symbol, state }: Subject): Html | null {
  if (payment.deposits.length === 0 || state === 'reverted') return null
  return html`<dl class="rows" aria-label="${TEXTS.arrived}">
    ${payment.deposits.map(
      (deposit) =>
        html`<div>
          <dt>${amount(deposit.amount, symbol)}</dt>
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

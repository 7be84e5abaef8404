import { actionRow } from './actions.ts'
import { APPEARANCE } from './appearance.ts'
import { arrivals, notes } from './arrivals.ts'
import { otherChoice, reasons } from './choose.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { icon } from '../markup/icons.ts'
import { bodyOf, titleOf } from '../text/state-texts.ts'
import type { ViewModel } from '../view-model.ts'

/** Draws a state in which there is nothing to send: what happened, what is safe, what to do. */
export function outcomePanel(viewModel: ViewModel): Html {
  const { state } = viewModel
  const { tone, icon: sign, actions } = APPEARANCE[state]
  const choice = otherChoice(viewModel)
  return html`<div class="outcome">
    <div class="disc ${tone}${sign === 'tick' && ' tick'}">${icon(sign)}</div>
    <div class="words">
      <h1 id="headline" tabindex="-1">${titleOf(viewModel)}</h1>
      <p class="muted">${bodyOf(viewModel)}</p>
    </div>
    ${askForNewLink(viewModel)}${confirmationBar(viewModel)}${notes(viewModel)}${state === 'unavailable' && reasons(viewModel)}${arrivals(viewModel)}${choice}${actionRow(viewModel, actions, choice === null ? 'button primary' : 'button')}
  </div>`
}

/** Asks the payer to get a new link from the shop, when an expired payment's page has no link to the shop. */
function askForNewLink({ state, backUrl, contactUrl, translator, facts }: ViewModel): Html | null {
  if (state !== 'expired' || backUrl !== null || contactUrl !== null) return null
  return html`<p>${translator.say('askNew', facts)}</p>`
}

/** Draws the confirmations of the least confirmed deposit, until the payment is paid. */
export function confirmationBar({ state, payment, translator }: ViewModel): Html | null {
  if (state !== 'detected' && state !== 'confirming') return null
  const { confirmationCurrent: current, confirmationRequired: required } = payment
  const label = translator.text('confirmations', { current, required })
  return html`<progress max="${Math.max(required, 1)}" value="${current}" aria-label="${label}">${label}</progress>`
}

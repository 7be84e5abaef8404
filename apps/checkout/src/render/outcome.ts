import { actionRow } from './actions.ts'
import { APPEARANCE } from './appearance.ts'
import { arrivals, notes } from './arrivals.ts'
import { otherChoice, reasons } from './choose.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { icon } from './marks.ts'
import { MESSAGES, say, sayText, TEXTS } from './messages.ts'
import type { Subject } from './subject.ts'

/** Draws a state in which there is nothing to send: what happened, what is safe, what to do. */
export function outcomePanel(subject: Subject): Html {
  const { state, facts } = subject
  const { tone, icon: sign, actions } = APPEARANCE[state]
  const message = MESSAGES[state]
  const choice = otherChoice(subject)
  return html`<div class="outcome">
    <div class="disc ${tone}${sign === 'tick' && ' tick'}">${icon(sign)}</div>
    <div class="words">
      <h1 id="headline" tabindex="-1">${say(message.title, facts)}</h1>
      <p class="muted">${say(message.body, facts)}</p>
    </div>
    ${confirmationBar(subject)}${notes(subject)}${state === 'unavailable' && reasons(subject)}${arrivals(subject)}${choice}${actionRow(subject, actions, choice === null ? 'button primary' : 'button')}
  </div>`
}

/** Draws how far the least confirmed deposit is, while it is on its way. */
export function confirmationBar({ state, payment }: Subject): Html | null {
  if (state !== 'detected' && state !== 'confirming') return null
  const { confirmationCurrent: current, confirmationRequired: required } = payment
  const label = sayText(TEXTS.confirmations, { current, required })
  return html`<progress max="${Math.max(required, 1)}" value="${current}" aria-label="${label}">${label}</progress>`
}

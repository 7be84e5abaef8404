import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import type { ViewModel } from '../view-model.ts'

/** Longer words than this do not fit two lines of a phone. */
const TWO_LINES = 90

/** Draws what is paid for, in the shop's words. Long ones are cut after two lines and unfold, also without a script. */
export function about({ payment }: ViewModel): Html | null {
  const text = payment.description.trim()
  if (text === '') return null
  const said = html`<bdi>${text}</bdi>`
  if (text.length <= TWO_LINES) return html`<p class="about">${said}</p>`
  return html`<details class="about" id="about">
    <summary id="about-toggle" title="${text}">${said}</summary>
  </details>`
}

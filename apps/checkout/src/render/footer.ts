import { html } from './html.ts'
import type { Html } from './html.ts'
import { mailLink } from './links.ts'
import type { Subject } from './subject.ts'

/** Draws the support line and the reference; help always stands here (WCAG 3.2.6). */
export function footer({ payment, project, words }: Subject): Html {
  const reference = { reference: payment.referenceID }
  const address = project.supportEmail
  const mail = mailLink(address, words.text('mail.subject', reference), words.text('reference', reference))
  const support =
    mail !== null &&
    html`<span>${words.say('support', { address: html`<a href="${mail}"><bdi dir="ltr">${address}</bdi></a>` })}</span>`
  return html`<footer class="foot">
    ${support}<span>${words.say('reference', { reference: html`<bdi dir="ltr">${payment.referenceID}</bdi>` })}</span>
  </footer>`
}

import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { mailLink } from '../links.ts'
import type { ViewModel } from '../view-model.ts'

/** Draws the support line and the reference; help is in the same place on every page (WCAG 3.2.6). */
export function footer(viewModel: ViewModel): Html {
  const { payment, translator } = viewModel
  const reference = translator.say('reference', { reference: html`<bdi dir="ltr">${payment.referenceID}</bdi>` })
  return html`<footer class="foot">${help(viewModel)}<span>${reference}</span></footer>`
}

/** Draws the support line only, for a page that shows the reference elsewhere. */
export function helpFooter(viewModel: ViewModel): Html {
  return html`<footer class="foot">${help(viewModel)}</footer>`
}

/** The shop's support e-mail address, else a link to its website or a social page. */
function help({ payment, project, translator, contactUrl, facts }: ViewModel): Html | null {
  const reference = { reference: payment.referenceID }
  const address = project.supportEmail
  const mail = mailLink(address, translator.text('mail.subject', reference), translator.text('reference', reference))
  if (mail !== null)
    return html`<span
      >${translator.say('support', { address: html`<a href="${mail}"><bdi dir="ltr">${address}</bdi></a>` })}</span
    >`
  return contactUrl === null ? null : html`<a href="${contactUrl}">${translator.say('contact', facts)}</a>`
}

import { html } from './html.ts'
import type { Html } from './html.ts'
import { mailLink } from './links.ts'
import { sayText, TEXTS } from './messages.ts'
import type { Subject } from './subject.ts'

/** Draws the support line, the reference and the choice of colours; help always stands here (WCAG 3.2.6). */
export function footer({ payment, project, theme }: Subject, pageUrl: string): Html {
  const address = project.supportEmail
  const mail = mailLink(
    address,
    sayText(TEXTS.mailSubject, { reference: payment.referenceID }),
    sayText(TEXTS.mailReference, { reference: payment.referenceID }),
  )
  const support = mail !== null && html`<span>${TEXTS.support}: <a href="${mail}">${address}</a></span>`
  const colours = [
    { label: TEXTS.system, chosen: undefined, query: '' },
    { label: TEXTS.light, chosen: 'light', query: '&theme=light' },
    { label: TEXTS.dark, chosen: 'dark', query: '&theme=dark' },
  ]
  return html`<footer class="foot">
    ${support}<span>${TEXTS.reference}: <bdi dir="ltr">${payment.referenceID}</bdi></span>
    <nav aria-label="${TEXTS.theme}">
      ${colours.map(({ label, chosen, query }) => html`<a href="${pageUrl}${query}" ${chosen === theme && html` aria-current="true"`}>${label}</a>`)}
    </nav>
  </footer>`
}

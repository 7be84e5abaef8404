import type { Action } from './appearance.ts'
import { choiceValue } from './choice.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { webLink } from './links.ts'
import { icon } from './marks.ts'
import { say, TEXTS } from './messages.ts'
import { isPinned } from './rules.ts'
import type { Subject } from './subject.ts'

/** Draws the actions that are possible here; the first one stands out. */
export function actionRow(subject: Subject, actions: readonly Action[]): Html | null {
  const [first, ...others] = actionButtons(subject, actions, 'button primary')
  return first === undefined ? null : html`<div class="actions">${first}${others}</div>`
}

/** Draws the actions that are possible here, without a row around them; links to the outside never stand out. */
export function actionButtons(subject: Subject, actions: readonly Action[], firstClass: string): Html[] {
  return actions
    .filter((action) => isPossible(subject, action))
    .map((action, index) => draw(subject, action, index === 0 && action !== 'explorer' ? firstClass : 'button'))
}

/** Draws "I already paid": what to expect and what to do, without a script. */
export function alreadyPaid(subject: Subject): Html {
  return html`<details id="already-paid">
    <summary id="already-paid-toggle">${TEXTS.alreadyPaid}</summary>
    <p>${TEXTS.alreadyPaidHelp}</p>
    <p>${say(TEXTS.alreadyPaidKeep, subject.facts)}</p>
    ${isPossible(subject, 'contact') && draw(subject, 'contact', 'button')}
  </details>`
}

/** Draws a link to a transaction's page, or its plain hash where the network has no explorer. */
export function explorerLink(url: string, text: Html | string, className: string): Html {
  const safe = webLink(url)
  if (safe === null) return html`<span>${text}</span>`
  return html`<a class="${className}" href="${safe}" target="_blank" rel="noopener noreferrer"
    >${text}${icon('out')}<span class="vh"> (${TEXTS.newTab})</span></a
  >`
}

function isPossible(subject: Subject, action: Action): boolean {
  if (action === 'back') return subject.backUrl !== null
  if (action === 'contact') return subject.contactUrl !== null
  if (action === 'explorer') return explorerUrl(subject) !== null
  if (action === 'renew') return isPinned(subject.payment)
  return action !== 'already-paid'
}

function draw(subject: Subject, action: Action, className: string): Html {
  const { facts, payment } = subject
  if (action === 'back') return link(subject.backUrl, className, say(TEXTS.back, facts))
  if (action === 'contact') return link(subject.contactUrl, className, say(TEXTS.contact, facts))
  if (action === 'receipt') return link(subject.receiptUrl, className, TEXTS.receipt)
  if (action === 'retry') return link(subject.pageUrl, className, TEXTS.retry)
  if (action === 'explorer') return explorerLink(explorerUrl(subject) ?? '', TEXTS.explorer, className)
  const asset = choiceValue({ blockchainCode: payment.blockchainSymbol ?? '', currencyCode: subject.symbol })
  return html`<form method="post" action="${subject.pageUrl}">
    <input type="hidden" name="asset" value="${asset}" /><button class="${className}" id="renew">${TEXTS.renew}</button>
  </form>`
}

function link(url: string | null, className: string, text: Html | string): Html {
  return html`<a class="${className}" href="${url}"><span>${text}</span></a>`
}

function explorerUrl({ payment }: Subject): string | null {
  return webLink(payment.explorerTransaction, payment.deposits.at(-1)?.explorerTransaction)
}

import type { Action } from './appearance.ts'
import { choiceValue } from './choice.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { webLink } from './links.ts'
import { icon } from './marks.ts'
import type { TextKey } from './languages.ts'
import { canPay, checkoutState, hasReceipt, isPinned, isPriceGone } from './rules.ts'
import type { Subject } from './subject.ts'
import type { Words } from './words.ts'

/** Draws the actions that are possible here; the first one stands out unless something above it does. */
export function actionRow(subject: Subject, actions: readonly Action[], firstClass: string): Html | null {
  const [first, ...others] = actionButtons(subject, actions, firstClass)
  return first === undefined ? null : html`<div class="actions">${first}${others}</div>`
}

/** Never the thing to press: they lead to the outside, or to paying once more. */
const QUIET: ReadonlySet<Action> = new Set(['explorer', 'pay-again', 'pay-instead'])

/** Draws the actions that are possible here, without a row around them. */
export function actionButtons(subject: Subject, actions: readonly Action[], firstClass: string): Html[] {
  return actions
    .filter((action) => isPossible(subject, action))
    .map((action, index) => draw(subject, action, index === 0 && !QUIET.has(action) ? firstClass : 'button'))
}

/** Draws a link to a transaction's page, or its plain hash where the network has no explorer. */
export function explorerLink(words: Words, url: string, text: Html | string, className: string): Html {
  const safe = webLink(url)
  if (safe === null) return html`<span>${text}</span>`
  return html`<a class="${className}" href="${safe}" target="_blank" rel="noopener noreferrer"
    >${text}${icon('out')}<span class="vh"> (${words.text('newTab')})</span></a
  >`
}

function isPossible(subject: Subject, action: Action): boolean {
  if (action === 'back' || action === 'restart') return subject.backUrl !== null
  if (action === 'contact') return subject.contactUrl !== null
  if (action === 'newer') return subject.newerUrl !== null
  if (action === 'pay-instead' || action === 'pay-again') return leadsOn(subject)
  if (action === 'receipt') return hasReceipt(subject.payment)
  if (action === 'explorer') return explorerUrl(subject) !== null
  if (action === 'renew') return isPinned(subject.payment) && !isPriceGone(subject)
  if (action === 'retry') return subject.state === 'unavailable' || (isPriceGone(subject) && !canPay(subject))
  return action !== 'already-paid'
}

/** Asking for the whole once more is offered where it shows something else than this. */
function leadsOn({ payment, options, now, state }: Subject): boolean {
  return checkoutState(payment, options, now, true) !== state
}

function draw(subject: Subject, action: Action, className: string): Html {
  const { facts, payment, words } = subject
  const target = TARGETS[action]
  if (target !== undefined) return link(subject[target.url], className, words.say(target.text, facts))
  if (action === 'explorer') return explorerLink(words, explorerUrl(subject) ?? '', words.say('explorer'), className)
  const asset = choiceValue({ blockchainCode: payment.blockchainSymbol ?? '', currencyCode: subject.symbol })
  return html`<form method="post" action="${subject.pageUrl}">
    <input type="hidden" name="asset" value="${asset}" /><button class="${className}" id="renew">
      ${words.say('renew')}
    </button>
  </form>`
}

const TARGETS: Readonly<Partial<Record<Action, { readonly url: LinkName; readonly text: TextKey }>>> = {
  back: { url: 'backUrl', text: 'back' },
  restart: { url: 'backUrl', text: 'restart' },
  newer: { url: 'newerUrl', text: 'newer' },
  contact: { url: 'contactUrl', text: 'contact' },
  receipt: { url: 'receiptUrl', text: 'receipt' },
  retry: { url: 'pageUrl', text: 'retry' },
  'pay-instead': { url: 'againUrl', text: 'payInstead' },
  'pay-again': { url: 'againUrl', text: 'payAgain' },
}

type LinkName = 'backUrl' | 'newerUrl' | 'contactUrl' | 'receiptUrl' | 'pageUrl' | 'againUrl'

function link(url: string | null, className: string, text: Html | string): Html {
  return html`<a class="${className}" href="${url}"><span>${text}</span></a>`
}

function explorerUrl({ payment }: Subject): string | null {
  return webLink(payment.explorerTransaction, payment.deposits.at(-1)?.explorerTransaction)
}

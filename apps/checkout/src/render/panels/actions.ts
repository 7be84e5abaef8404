import type { Action } from './appearance.ts'
import { choiceValue } from '../choice.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { webLink } from '../links.ts'
import { icon } from '../markup/icons.ts'
import type { TextKey } from '../text/languages.ts'
import { canPay, checkoutState, hasReceipt, isPinned, isPriceGone } from '../rules.ts'
import type { ViewModel } from '../view-model.ts'
import type { Translator } from '../text/translator.ts'

/** Draws the actions that are possible here; the first one stands out unless something above it does. */
export function actionRow(viewModel: ViewModel, actions: readonly Action[], firstClass: string): Html | null {
  const [first, ...others] = actionButtons(viewModel, actions, firstClass)
  return first === undefined ? null : html`<div class="actions">${first}${others}</div>`
}

/** Never the thing to press: they lead to the outside, or to paying once more. */
const QUIET: ReadonlySet<Action> = new Set(['explorer', 'pay-again', 'pay-instead'])

/** Draws the actions that are possible here, without a row around them. */
export function actionButtons(viewModel: ViewModel, actions: readonly Action[], firstClass: string): Html[] {
  return actions
    .filter((action) => isPossible(viewModel, action))
    .map((action, index) => draw(viewModel, action, index === 0 && !QUIET.has(action) ? firstClass : 'button'))
}

/** Draws a link to a transaction's page, or its plain hash where the network has no explorer. */
export function explorerLink(translator: Translator, url: string, text: Html | string, className: string): Html {
  const safe = webLink(url)
  if (safe === null) return html`<span>${text}</span>`
  return html`<a class="${className}" href="${safe}" target="_blank" rel="noopener noreferrer"
    >${text}${icon('external')}<span class="vh"> (${translator.text('newTab')})</span></a
  >`
}

function isPossible(viewModel: ViewModel, action: Action): boolean {
  if (action === 'back' || action === 'restart') return viewModel.backUrl !== null
  if (action === 'contact') return viewModel.contactUrl !== null
  if (action === 'refund') return viewModel.refundUrl !== null
  if (action === 'newer') return viewModel.newerUrl !== null
  if (action === 'pay-instead' || action === 'pay-again') return leadsOn(viewModel)
  if (action === 'receipt') return hasReceipt(viewModel.payment)
  if (action === 'explorer') return explorerUrl(viewModel) !== null
  if (action === 'renew') return isPinned(viewModel.payment) && !isPriceGone(viewModel)
  if (action === 'retry') return viewModel.state === 'unavailable' || (isPriceGone(viewModel) && !canPay(viewModel))
  return action !== 'already-paid'
}

/** Asking for the whole once more is offered where it shows something else than this. */
function leadsOn({ payment, options, now, state }: ViewModel): boolean {
  return checkoutState(payment, options, now, true) !== state
}

function draw(viewModel: ViewModel, action: Action, className: string): Html {
  const { facts, payment, translator, project } = viewModel
  const target = TARGETS[action]
  if (action === 'back' && project.backText !== '') {
    return link(viewModel.backUrl, className, html`<bdi>${project.backText}</bdi>`)
  }
  if (target !== undefined) return link(viewModel[target.url], className, translator.say(target.text, facts))
  if (action === 'explorer')
    return explorerLink(translator, explorerUrl(viewModel) ?? '', translator.say('explorer'), className)
  const asset = choiceValue({ blockchainCode: payment.blockchainSymbol ?? '', currencyCode: viewModel.symbol })
  return html`<form method="post" action="${viewModel.pageUrl}">
    <input type="hidden" name="asset" value="${asset}" /><button class="${className}" id="renew">
      ${translator.say('renew')}
    </button>
  </form>`
}

const TARGETS: Readonly<Partial<Record<Action, { readonly url: LinkName; readonly text: TextKey }>>> = {
  back: { url: 'backUrl', text: 'back' },
  restart: { url: 'backUrl', text: 'restart' },
  newer: { url: 'newerUrl', text: 'newer' },
  contact: { url: 'contactUrl', text: 'contact' },
  receipt: { url: 'receiptUrl', text: 'receipt' },
  refund: { url: 'refundUrl', text: 'refund.link' },
  retry: { url: 'pageUrl', text: 'retry' },
  'pay-instead': { url: 'againUrl', text: 'payInstead' },
  'pay-again': { url: 'againUrl', text: 'payAgain' },
}

type LinkName = 'backUrl' | 'newerUrl' | 'contactUrl' | 'receiptUrl' | 'refundUrl' | 'pageUrl' | 'againUrl'

function link(url: string | null, className: string, text: Html | string): Html {
  return html`<a class="${className}" href="${url}"><span>${text}</span></a>`
}

function explorerUrl({ payment }: ViewModel): string | null {
  return webLink(payment.explorerTransaction, payment.deposits.at(-1)?.explorerTransaction)
}

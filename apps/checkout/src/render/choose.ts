import { estimate, usd } from './amounts.ts'
import { choiceValue } from './choice.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { assetMark } from './marks.ts'
import { canPay, isPriceGone, rankOptions } from './rules.ts'
import { bodyOf, titleOf } from './state-texts.ts'
import type { Subject } from './subject.ts'
import type { PaymentOption } from './view.ts'
import type { Words } from './words.ts'

/** From this many options on a filter is offered. */
const FILTER_FROM = 8

/** Draws the first step: which currency on which network. */
export function choosePanel(subject: Subject): Html {
  return html`<div class="words">
      <h1 id="headline" tabindex="-1">${titleOf(subject)}</h1>
      <p class="muted">${bodyOf(subject)}</p>
    </div>
    ${choiceForm(subject, 'primary')}`
}

/** Draws "Change" beside the amount: the same choice again, folded away. */
export function changeChoice(subject: Subject): Html | null {
  const others = subject.options.filter((option) => option.ready && !isChosen(subject, option))
  if (others.length === 0) return null
  return html`<details class="change" id="change">
    <summary id="change-toggle">
      ${subject.words.say(subject.state === 'network-behind' ? 'changeNetwork' : 'change')}
    </summary>
    ${choiceForm(subject, '')}
  </details>`
}

/** Draws the choice again where the price of what was chosen is gone and something else can be paid. */
export function otherChoice(subject: Subject): Html | null {
  return isPriceGone(subject) && canPay(subject) ? choiceForm(subject, 'primary') : null
}

/** Draws why none of the options can be paid now. */
export function reasons(subject: Subject): Html | null {
  const { options, words } = subject
  if (options.length === 0) return null
  return html`<ul class="rows" aria-label="${words.text('options')}">
    ${rankOptions(options).map(
      (option) =>
        html`<li>
          <span>${words.text('option', { currency: option.currencyCode, network: option.network })}</span
          ><span class="muted small">${obstacle(subject, option)}</span>
        </li>`,
    )}
  </ul>`
}

/** Says why an option cannot be chosen now. */
export function obstacle({ words }: Subject, option: PaymentOption): Html | string | null {
  if (option.obstacle === null) return option.reason
  const minimum = { amount: option.minDepositAmount ?? '0', unit: option.currencyCode }
  return words.say(`obstacle.${option.obstacle}`, { network: option.network, minimum })
}

function choiceForm(subject: Subject, buttonClass: string): Html {
  const ranked = rankOptions(subject.options)
  const ready = ranked.filter((option) => option.ready)
  const chosen = ready.find((option) => isChosen(subject, option)) ?? ready[0]
  return html`<form class="stack" method="post" action="${subject.pageUrl}" data-choice>
    ${ranked.length >= FILTER_FROM && filter(subject.words)}
    <fieldset class="options">
      <legend class="vh">${subject.words.say('options')}</legend>
      ${ranked.map((option) => row(subject, option, option === chosen))}
    </fieldset>
    <button class="button ${buttonClass}" id="continue">${subject.words.say('continue')}</button>
    ${subject.state === 'choose' && browserWallet(subject, ready)}
  </form>`
}

/** Goes on with a wallet of the browser as soon as the amount is fixed; those are of EVM networks. */
function browserWallet({ words, walletUrl }: Subject, ready: readonly PaymentOption[]): Html | null {
  if (walletUrl === undefined || !ready.some(({ family }) => family === 'ETH_Family')) return null
  return html`<button class="button quiet" data-goes-on data-script>${words.say('wallet.here')}</button>`
}

function filter(words: Words): Html {
  const label = words.text('filter')
  return html`<input
    class="input"
    type="search"
    placeholder="${label}"
    aria-label="${label}"
    autocomplete="off"
    id="filter"
    data-filter
    data-script
  />`
}

function row(subject: Subject, option: PaymentOption, checked: boolean): Html {
  const name = subject.words.text('option', { currency: option.currencyCode, network: option.network })
  const value = choiceValue(option)
  return html`<label
    class="option ${option.ready ? '' : 'off'}"
    data-words="${`${name} ${option.currency}`.toLowerCase()}"
    ><input
      type="radio"
      name="asset"
      id="asset-${value}"
      value="${value}"
      aria-label="${name}"
      aria-describedby="about-${value}"
      required${checked && option.ready && html` checked`}${!option.ready && html` disabled`}
    />${assetMark(option.currencyCode, option.blockchainCode)}<span class="what"
      >${option.currencyCode}<span>${option.network}</span></span
    ><span class="cost" id="about-${value}">${cost(subject, option)}</span></label
  >`
}

function cost(subject: Subject, option: PaymentOption): Html {
  const { payment, prices, words } = subject
  if (!option.ready) return html`<span>${obstacle(subject, option)}</span>`
  const listed = prices?.find(
    ({ blockchainCode, currencyCode }) =>
      blockchainCode === option.blockchainCode && currencyCode === option.currencyCode,
  )
  const due = estimate(payment.amountInUSD, listed?.price, option.walletPrecision)
  if (due === null) return html`${usd(payment.amountInUSD)}`
  return words.say('estimated', { amount: { amount: due, unit: option.currencyCode } })
}

function isChosen({ payment }: Subject, option: PaymentOption): boolean {
  return option.blockchainCode === payment.blockchainSymbol && option.currencyCode === payment.currencySymbol
}

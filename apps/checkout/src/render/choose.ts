import { amount, estimate, usd } from './amounts.ts'
import { choiceValue } from './choice.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { assetMark } from './marks.ts'
import { MESSAGES, sayText, TEXTS } from './messages.ts'
import { canPay, isPriceGone, rankOptions } from './rules.ts'
import type { Subject } from './subject.ts'
import type { PaymentOption } from './view.ts'

/** From this many options on a filter is offered. */
const FILTER_FROM = 8

/** Draws the first step: which currency on which network. */
export function choosePanel(subject: Subject): Html {
  return html`<div class="words">
      <h1 id="headline" tabindex="-1">${MESSAGES.choose.title}</h1>
      <p class="muted">${MESSAGES.choose.body}</p>
    </div>
    ${choiceForm(subject, 'primary')}`
}

/** Draws "Change" beside the amount: the same choice again, folded away. */
export function changeChoice(subject: Subject): Html | null {
  const others = subject.options.filter((option) => option.ready && !isChosen(subject, option))
  if (others.length === 0) return null
  return html`<details class="change" id="change">
    <summary id="change-toggle">${TEXTS.change}</summary>
    ${choiceForm(subject, '')}
  </details>`
}

/** Draws the choice again where the price of what was chosen is gone and something else can be paid. */
export function otherChoice(subject: Subject): Html | null {
  return isPriceGone(subject) && canPay(subject) ? choiceForm(subject, 'primary') : null
}

/** Draws why none of the options can be paid now. */
export function reasons({ options }: Subject): Html | null {
  if (options.length === 0) return null
  return html`<ul class="rows" aria-label="${TEXTS.options}">
    ${rankOptions(options).map(
      ({ currencyCode, network, reason }) =>
        html`<li>
          <span>${sayText(TEXTS.option, { currency: currencyCode, network })}</span
          ><span class="muted small">${reason ?? TEXTS.notReady}</span>
        </li>`,
    )}
  </ul>`
}

function choiceForm(subject: Subject, buttonClass: string): Html {
  const ranked = rankOptions(subject.options)
  const ready = ranked.filter((option) => option.ready)
  const chosen = ready.find((option) => isChosen(subject, option)) ?? ready[0]
  return html`<form class="stack" method="post" action="${subject.pageUrl}" data-choice>
    ${ranked.length >= FILTER_FROM && filter()}
    <fieldset class="options">
      <legend class="vh">${TEXTS.options}</legend>
      ${ranked.map((option) => row(subject, option, option === chosen))}
    </fieldset>
    <button class="button ${buttonClass}" id="continue">${TEXTS.proceed}</button>
  </form>`
}

function filter(): Html {
  return html`<input
    class="input"
    type="search"
    placeholder="${TEXTS.filter}"
    aria-label="${TEXTS.filter}"
    autocomplete="off"
    id="filter"
    data-filter
    data-script
  />`
}

function row(subject: Subject, option: PaymentOption, checked: boolean): Html {
  const name = sayText(TEXTS.option, { currency: option.currencyCode, network: option.network })
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

function cost({ payment, prices }: Subject, option: PaymentOption): Html {
  if (!option.ready) return html`<span>${option.reason ?? TEXTS.notReady}</span>`
  const listed = prices?.find(
    ({ blockchainCode, currencyCode }) =>
      blockchainCode === option.blockchainCode && currencyCode === option.currencyCode,
  )
  const due = estimate(payment.amountInUSD, listed?.price, option.walletPrecision)
  if (due === null) return html`${usd(payment.amountInUSD)}`
  return html`<span>${TEXTS.estimated}</span>${amount(due, option.currencyCode)}`
}

function isChosen({ payment }: Subject, option: PaymentOption): boolean {
  return option.blockchainCode === payment.blockchainSymbol && option.currencyCode === payment.currencySymbol
}

import { estimate, usd } from '../text/amounts.ts'
import { choiceValue } from '../choice.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { assetIcon } from '../markup/icons.ts'
import { canPay, isPriceGone } from '../rules.ts'
import { bodyOf, titleOf } from '../text/state-texts.ts'
import type { ViewModel } from '../view-model.ts'
import type { PaymentOption } from '../view.ts'
import type { Translator } from '../text/translator.ts'

/** The list of options has a filter when it has at least this many. */
const FILTER_FROM = 8

/** Draws the first step: which currency on which network. */
export function choosePanel(viewModel: ViewModel): Html {
  return html`<div class="words">
      <h1 id="headline" tabindex="-1">${titleOf(viewModel)}</h1>
      <p class="muted">${bodyOf(viewModel)}</p>
    </div>
    ${choiceForm(viewModel, 'primary')}`
}

/** Draws "Change" beside the amount: the same choice again, folded away. */
export function changeChoice(viewModel: ViewModel): Html | null {
  const others = viewModel.options.filter((option) => option.ready && !isChosen(viewModel, option))
  if (others.length === 0) return null
  return html`<details class="change" id="change">
    <summary id="change-toggle">
      ${viewModel.translator.say(viewModel.state === 'network-behind' ? 'changeNetwork' : 'change')}
    </summary>
    ${choiceForm(viewModel, '')}
  </details>`
}

/** Draws the choice again when the chosen asset has no price any more and another one can be paid. */
export function otherChoice(viewModel: ViewModel): Html | null {
  return isPriceGone(viewModel) && canPay(viewModel) ? choiceForm(viewModel, 'primary') : null
}

/** Draws why none of the options can be paid now. */
export function reasons(viewModel: ViewModel): Html | null {
  const { options, translator } = viewModel
  if (options.length === 0) return null
  return html`<ul class="rows" aria-label="${translator.text('options')}">
    ${options.map(
      (option) =>
        html`<li>
          <span>${translator.text('option', { currency: option.currencyCode, network: option.network })}</span
          ><span class="muted small">${obstacle(viewModel, option)}</span>
        </li>`,
    )}
  </ul>`
}

/** Says why an option cannot be chosen now. */
export function obstacle({ translator }: ViewModel, option: PaymentOption): Html | string | null {
  if (option.obstacle === null) return option.reason
  const minimum = { amount: option.minDepositAmount ?? '0', unit: option.currencyCode }
  return translator.say(`obstacle.${option.obstacle}`, { network: option.network, minimum })
}

function choiceForm(viewModel: ViewModel, buttonClass: string): Html {
  const { options, translator } = viewModel
  const ready = options.filter((option) => option.ready)
  const chosen = ready.find((option) => isChosen(viewModel, option)) ?? ready[0]
  return html`<form class="stack" method="post" action="${viewModel.pageUrl}" data-choice>
    ${options.length >= FILTER_FROM && filter(translator)}
    <fieldset class="options">
      <legend class="vh">${translator.say('options')}</legend>
      ${[...Map.groupBy(options, ({ currencyCode }) => currencyCode).values()].map((group) => asset(viewModel, group, chosen))}
    </fieldset>
    <button class="button ${buttonClass}" id="continue">${translator.say('continue')}</button>
    ${viewModel.state === 'choose' && browserWallet(viewModel, ready)}
  </form>`
}

/** Families whose wallets in the browser can be asked. */
const WITH_WALLETS = new Set(['ETH_Family', 'TRX_Family', 'SOL_Family'])

/** Draws a second submit button: the next page opens the browser's wallet at once. Bitcoin has no such wallets. */
function browserWallet({ translator, walletUrls }: ViewModel, ready: readonly PaymentOption[]): Html | null {
  if (walletUrls === undefined || !ready.some(({ family }) => WITH_WALLETS.has(family))) return null
  return html`<button class="button quiet" data-with-wallet data-script>${translator.say('wallet.here')}</button>`
}

function filter(translator: Translator): Html {
  const label = translator.text('filter')
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

/** Draws the networks of one currency under its name; the server has ordered both. */
function asset(viewModel: ViewModel, group: readonly PaymentOption[], chosen: PaymentOption | undefined): Html {
  const { currencyCode: code = '', currency: name = '' } = group[0] ?? {}
  return html`<div class="asset">
    <h2>${code}${name !== code && html` <bdi>${name}</bdi>`}</h2>
    ${group.map((option) => row(viewModel, option, option === chosen))}
  </div>`
}

function row(viewModel: ViewModel, option: PaymentOption, checked: boolean): Html {
  const name = viewModel.translator.text('option', { currency: option.currencyCode, network: option.network })
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
      aria-describedby="about-${value} cost-${value}"
      required${checked && option.ready && html` checked`}${!option.ready && html` disabled`}
    />${assetIcon(option.currencyCode, option.blockchainCode)}<span class="what">${option.network}</span
    ><span class="cost" id="cost-${value}">${option.ready && cost(viewModel, option)}</span
    ><span class="terms" id="about-${value}"
      >${option.ready ? terms(viewModel, option) : obstacle(viewModel, option)}</span
    ></label
  >`
}

/** Says what the network costs and how long it takes as a rule. */
function terms({ translator }: ViewModel, { typicalFee, typicalSeconds }: PaymentOption): Html | null {
  if (typicalFee === null || typicalSeconds === null) return null
  return translator.say(`terms.${typicalFee}`, { minutes: Math.ceil(typicalSeconds / 60) })
}

function cost({ payment, prices, translator }: ViewModel, option: PaymentOption): Html {
  const listed = prices?.find(
    ({ blockchainCode, currencyCode }) =>
      blockchainCode === option.blockchainCode && currencyCode === option.currencyCode,
  )
  const due = estimate(payment.amountInUSD, listed?.price, option.walletPrecision)
  if (due === null) return html`${usd(payment.amountInUSD)}`
  return translator.say('estimated', { amount: { amount: due, unit: option.currencyCode } })
}

function isChosen({ payment }: ViewModel, option: PaymentOption): boolean {
  return option.blockchainCode === payment.blockchainSymbol && option.currencyCode === payment.currencySymbol
}

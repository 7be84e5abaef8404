import { inCapitals } from '@kassa/keys/address-case.ts'
import { actionButtons } from './actions.ts'
import { price, trimZeros } from '../text/amounts.ts'
import { APPEARANCE } from './appearance.ts'
import { changeChoice } from './choose.ts'
import { html } from '../markup/html.ts'
import type { Html } from '../markup/html.ts'
import { walletLink } from '../links.ts'
import { assetIcon, chainIcon, icon } from '../markup/icons.ts'
import { openWallet } from './open-wallet.ts'
import { qrCode } from '../markup/qr.ts'
import { spelledAddress } from '../markup/spelled-address.ts'
import { arrivals, notes } from './arrivals.ts'
import { linkAgrees, restOf } from '../rules.ts'
import { bodyOf } from '../text/state-texts.ts'
import { familyOf } from '../view-model.ts'
import type { ViewModel } from '../view-model.ts'
import type { DepositAddress } from '../view.ts'
import type { Translator } from '../text/translator.ts'

type Quote = NonNullable<DepositAddress['quote']>

/** Amounts that are longer than this with their unit do not fit a phone at full size. */
const LONG_AMOUNT = 9

/** These families' wallets read a payment link rightly; elsewhere several pay the token's contract (screens.md 3.43). */
const LINK_FIRST = new Set(['BTC_Family', 'SOL_Family'])

/** Draws what to send and where, for all states in which sending is right. */
export function payPanel(viewModel: ViewModel): Html {
  const isPartly = viewModel.state === 'partly-open'
  const due = trimZeros(isPartly ? restOf(viewModel.payment) : (viewModel.payment.amount ?? '0'))
  const link = agreedLink(viewModel, due)
  return html`${behind(viewModel)}${notes(viewModel)}${headline(viewModel, due, isPartly)}${!isPartly && changeChoice(viewModel)}
    <div class="pay">${address(viewModel, link)}${codes(viewModel, link)}${warning(viewModel)}${hints(viewModel)}</div>
    ${testMoney(viewModel)}${arrivals(viewModel)}${isPartly && restActions(viewModel, due)}`
}

/** Draws a button that pays with test money, on the sandbox only: for demonstrations. */
function testMoney({ networkMode, pageUrl, translator }: ViewModel): Html | null {
  if (networkMode !== 'sandbox') return null
  return html`<form class="stack" method="post" action="${pageUrl}">
    <input type="hidden" name="testMoney" value="1" />
    <button class="button" id="test-money">${translator.say('testMoney')}</button>
  </form>`
}

function headline(viewModel: ViewModel, due: string, isPartly: boolean): Html {
  const { translator, facts } = viewModel
  const body = isPartly && html`<p class="muted">${bodyOf(viewModel)}</p>`
  const isLong = due.length + viewModel.symbol.length > LONG_AMOUNT
  return html`<div class="due${isLong && ' long'}">
      ${assetIcon(viewModel.symbol, viewModel.payment.blockchainSymbol ?? '')}
      <h1 id="headline" tabindex="-1">${translator.say(isPartly ? 'partly-open.title' : 'waiting.title', facts)}</h1>
      ${copyButton(translator, 'amount', due)}
    </div>
    ${body}`
}

function address(viewModel: ViewModel, link: string | null): Html {
  const text = viewModel.payment.depositAddress ?? ''
  return html`<div class="to">
    <h2 id="to">${viewModel.translator.say('toAddress')}</h2>
    <div class="to-row">
      <bdi dir="ltr" class="address" aria-labelledby="to">${spelledAddress(text)}</bdi
      >${copyButton(viewModel.translator, 'address', text)}
    </div>
    ${openWallet(viewModel, link)}
  </div>`
}

function codes(viewModel: ViewModel, link: string | null): Html {
  const { translator } = viewModel
  const text = viewModel.payment.depositAddress ?? ''
  const bare = html`<div class="by by-address">
    <div class="frame">${qrCode(text, translator.text('qrAddress'))}</div>
  </div>`
  const badge = html`<p class="badge">${chainIcon(viewModel.payment.blockchainSymbol ?? '')}${viewModel.network}</p>`
  if (link === null) return html`<div class="code">${bare}${badge}</div>`
  const linked = html`<div class="by by-link">
    <div class="frame">${qrCode(compactLink(link), translator.text('qrLink'))}</div>
    <p class="small">${translator.say('walletCheck', viewModel.facts)}</p>
    <a class="button" href="${link}">${translator.say('openWallet')}</a>
  </div>`
  const linkFirst = LINK_FIRST.has(familyOf(viewModel))
  const tab = (id: string, label: string, checked: boolean) =>
    html`<label><input type="radio" name="by" id="${id}" ${checked && html` checked`} /><span>${label}</span></label>`
  return html`<div class="code">
    <div class="tabs" role="radiogroup" aria-label="${translator.text('qrKind')}">
      ${tab('by-address', translator.text('addressTab'), !linkFirst)}${tab('by-link', translator.text('linkTab'), linkFirst)}
    </div>
    ${bare}${linked}${badge}
  </div>`
}

function behind({ state, facts, translator }: ViewModel): Html | null {
  if (state !== 'network-behind') return null
  return html`<div class="note">
    ${icon('warning')}
    <p><b>${translator.say('network-behind.title', facts)}</b> ${translator.say('network-behind.body')}</p>
  </div>`
}

function warning({ facts, translator }: ViewModel): Html {
  return html`<p class="note">${icon('warning')}<span>${translator.say('onlyThis', facts)}</span></p>`
}

function hints(viewModel: ViewModel): Html {
  const { payment, addresses, translator } = viewModel
  const quote = addresses.find(
    (given) =>
      given.quote?.blockchainCode === payment.blockchainSymbol && given.quote.currencyCode === viewModel.symbol,
  )?.quote
  const priced = quote !== null && quote !== undefined && html`<p>${pricing(translator, quote)}</p>`
  return html`<div class="hints">
    <p><a href="${viewModel.checkUrl}">${translator.say('checkAddress')}</a></p>
    <p>${translator.say('exchangeFee')}</p>
    ${priced}
  </div>`
}

/** The sandbox makes its prices up; that is no name a payer knows. */
const SANDBOX = 'sandbox'

function pricing(translator: Translator, { currencyCode: asset, priceInUSD, sources }: Quote): Html {
  const facts = { asset, price: price(priceInUSD) }
  if (sources.includes(SANDBOX)) return translator.say('pricedTest', facts)
  return translator.say('priced', { ...facts, sources: sources.join(', ') })
}

function restActions(viewModel: ViewModel, due: string): Html {
  const { translator, symbol } = viewModel
  const label = translator.say('copy', { amount: { amount: due, unit: symbol } })
  return html`<div class="actions">
    <button
      class="button primary"
      id="copy-rest"
      data-copy="${due}"
      data-copied="${translator.text('spec.amountCopied')}"
      data-failed="${translator.text('spec.amountNotCopied')}"
      data-script
    >
      ${label}</button
    >${actionButtons(viewModel, APPEARANCE[viewModel.state].actions, 'button')}
  </div>`
}

const COPIES = {
  amount: { label: 'copyAmount', copied: 'spec.amountCopied', failed: 'spec.amountNotCopied' },
  address: { label: 'copyAddress', copied: 'spec.addressCopied', failed: 'spec.addressNotCopied' },
} as const

function copyButton(translator: Translator, what: keyof typeof COPIES, text: string): Html {
  const { label, copied, failed } = COPIES[what]
  return html`<button
    class="button icon-only"
    type="button"
    id="copy-${what}"
    title="${translator.text(label)}"
    aria-label="${translator.text(label)}"
    data-copy="${text}"
    data-copied="${translator.text(copied)}"
    data-failed="${translator.text(failed)}"
    data-script
  >
    ${icon('copy')}
  </button>`
}

/** A link is offered only when it asks for what the page asks for. */
function agreedLink(viewModel: ViewModel, due: string): string | null {
  const link = walletLink(viewModel.payment.paymentURI)
  const address = viewModel.payment.depositAddress ?? ''
  return link !== null && linkAgrees(link, address, due, viewModel.decimals) ? link : null
}

/** Upper-case bech32 makes a smaller code (BIP-173); Base58 addresses are case-sensitive and stay. */
function compactLink(link: string): string {
  return link.replace(/^bitcoin:([a-z0-9]+)/i, (plain, address: string) => {
    const capitals = inCapitals(address)
    return capitals === address ? plain : `BITCOIN:${capitals}`
  })
}

import { actionButtons } from './actions.ts'
import { price, trimZeros } from './amounts.ts'
import { APPEARANCE } from './appearance.ts'
import { changeChoice } from './choose.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { walletLink } from './links.ts'
import { assetMark, chainMark, icon } from './marks.ts'
import { openWallet } from './open-wallet.ts'
import { qrCode } from './qr.ts'
import { arrivals, notes } from './arrivals.ts'
import { linkAgrees, restOf } from './rules.ts'
import { bodyOf } from './state-texts.ts'
import { familyOf } from './subject.ts'
import type { Subject } from './subject.ts'
import type { DepositAddress } from './view.ts'
import type { Words } from './words.ts'

type Quote = NonNullable<DepositAddress['quote']>

/** Amounts that are longer than this with their unit do not fit a phone at full size. */
const LONG_AMOUNT = 9

/** These families' wallets read a payment link rightly; elsewhere several pay the token's contract (screens.md 3.43). */
const LINK_FIRST = new Set(['BTC_Family', 'SOL_Family'])

/** Draws what to send and where, for all states in which sending is right. */
export function payPanel(subject: Subject): Html {
  const isPartly = subject.state === 'partly-open'
  const due = trimZeros(isPartly ? restOf(subject.payment) : (subject.payment.amount ?? '0'))
  const link = agreedLink(subject, due)
  return html`${behind(subject)}${notes(subject)}${headline(subject, due, isPartly)}${!isPartly && changeChoice(subject)}
    <div class="pay">${address(subject, link)}${codes(subject, link)}${warning(subject)}${hints(subject)}</div>
    ${arrivals(subject)}${isPartly && restActions(subject, due)}`
}

function headline(subject: Subject, due: string, isPartly: boolean): Html {
  const { words, facts } = subject
  const body = isPartly && html`<p class="muted">${bodyOf(subject)}</p>`
  const isLong = due.length + subject.symbol.length > LONG_AMOUNT
  return html`<div class="due${isLong && ' long'}">
      ${assetMark(subject.symbol, subject.payment.blockchainSymbol ?? '')}
      <h1 id="headline" tabindex="-1">${words.say(isPartly ? 'partly-open.title' : 'waiting.title', facts)}</h1>
      ${copyButton(words, 'amount', due)}
    </div>
    ${body}`
}

function address(subject: Subject, link: string | null): Html {
  const text = subject.payment.depositAddress ?? ''
  const groups = text.match(/.{1,4}/g) ?? []
  return html`<div class="to">
    <h2 id="to">${subject.words.say('toAddress')}</h2>
    <div class="to-row">
      <bdi dir="ltr" class="address" aria-labelledby="to"
        >${groups.map((group, index) => html`<span${(index === 0 || index === groups.length - 1) && html` class="edge"`}>${group}</span><wbr>`)}</bdi
      >${copyButton(subject.words, 'address', text)}
    </div>
    ${openWallet(subject, link)}
  </div>`
}

function codes(subject: Subject, link: string | null): Html {
  const { words } = subject
  const text = subject.payment.depositAddress ?? ''
  const bare = html`<div class="by by-address"><div class="frame">${qrCode(text, words.text('qrAddress'))}</div></div>`
  const badge = html`<p class="badge">${chainMark(subject.payment.blockchainSymbol ?? '')}${subject.network}</p>`
  if (link === null) return html`<div class="code">${bare}${badge}</div>`
  const linked = html`<div class="by by-link">
    <div class="frame">${qrCode(compactLink(link), words.text('qrLink'))}</div>
    <p class="small">${words.say('walletCheck', subject.facts)}</p>
    <a class="button" href="${link}">${words.say('openWallet')}</a>
  </div>`
  const linkFirst = LINK_FIRST.has(familyOf(subject))
  const tab = (id: string, label: string, checked: boolean) =>
    html`<label><input type="radio" name="by" id="${id}" ${checked && html` checked`} /><span>${label}</span></label>`
  return html`<div class="code">
    <div class="tabs" role="radiogroup" aria-label="${words.text('qrKind')}">
      ${tab('by-address', words.text('addressTab'), !linkFirst)}${tab('by-link', words.text('linkTab'), linkFirst)}
    </div>
    ${bare}${linked}${badge}
  </div>`
}

function behind({ state, facts, words }: Subject): Html | null {
  if (state !== 'network-behind') return null
  return html`<div class="note">
    ${icon('warning')}
    <p><b>${words.say('network-behind.title', facts)}</b> ${words.say('network-behind.body')}</p>
  </div>`
}

function warning({ facts, words }: Subject): Html {
  return html`<p class="note">${icon('warning')}<span>${words.say('onlyThis', facts)}</span></p>`
}

function hints(subject: Subject): Html {
  const { payment, addresses, words } = subject
  const quote = addresses.find(
    (given) => given.quote?.blockchainCode === payment.blockchainSymbol && given.quote.currencyCode === subject.symbol,
  )?.quote
  const priced = quote !== null && quote !== undefined && html`<p>${pricing(words, quote)}</p>`
  return html`<div class="hints">
    <p><a href="${subject.checkUrl}">${words.say('checkAddress')}</a></p>
    <p>${words.say('exchangeFee')}</p>
    ${priced}
  </div>`
}

/** The sandbox makes its prices up; that is no name a payer knows. */
const SANDBOX = 'sandbox'

function pricing(words: Words, { currencyCode: asset, priceInUSD, sources }: Quote): Html {
  const facts = { asset, price: price(priceInUSD) }
  if (sources.includes(SANDBOX)) return words.say('pricedTest', facts)
  return words.say('priced', { ...facts, sources: sources.join(', ') })
}

function restActions(subject: Subject, due: string): Html {
  const { words, symbol } = subject
  const label = words.say('copy', { amount: { amount: due, unit: symbol } })
  return html`<div class="actions">
    <button
      class="button primary"
      id="copy-rest"
      data-copy="${due}"
      data-copied="${words.text('spec.amountCopied')}"
      data-failed="${words.text('spec.amountNotCopied')}"
      data-script
    >
      ${label}</button
    >${actionButtons(subject, APPEARANCE[subject.state].actions, 'button')}
  </div>`
}

const COPIES = {
  amount: { label: 'copyAmount', copied: 'spec.amountCopied', failed: 'spec.amountNotCopied' },
  address: { label: 'copyAddress', copied: 'spec.addressCopied', failed: 'spec.addressNotCopied' },
} as const

function copyButton(words: Words, what: keyof typeof COPIES, text: string): Html {
  const { label, copied, failed } = COPIES[what]
  return html`<button
    class="button icon-only"
    type="button"
    id="copy-${what}"
    title="${words.text(label)}"
    aria-label="${words.text(label)}"
    data-copy="${text}"
    data-copied="${words.text(copied)}"
    data-failed="${words.text(failed)}"
    data-script
  >
    ${icon('copy')}
  </button>`
}

/** A link is offered only when it asks for what the page asks for. */
function agreedLink(subject: Subject, due: string): string | null {
  const link = walletLink(subject.payment.paymentURI)
  const address = subject.payment.depositAddress ?? ''
  return link !== null && linkAgrees(link, address, due, subject.decimals) ? link : null
}

/** Upper-case bech32 makes a smaller code (BIP-173); Base58 addresses are case-sensitive and stay. */
function compactLink(link: string): string {
  return link.replace(/^bitcoin:((?:bc|tb|bcrt)1[a-z0-9]+)/, (_, address: string) => `BITCOIN:${address.toUpperCase()}`)
}

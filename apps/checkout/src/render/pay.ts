import { actionButtons } from './actions.ts'
import { price, trimZeros } from './amounts.ts'
import { APPEARANCE } from './appearance.ts'
import { changeChoice } from './choose.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'
import { walletLink } from './links.ts'
import { assetMark, chainMark, icon } from './marks.ts'
import { MESSAGES, say, sayText, TEXTS } from './messages.ts'
import { qrCode } from './qr.ts'
import { arrivals, notes } from './arrivals.ts'
import { linkAgrees, pinnedOption, restOf } from './rules.ts'
import { familyOf } from './subject.ts'
import type { Subject } from './subject.ts'

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
  const message = MESSAGES[isPartly ? subject.state : 'waiting']
  const body = isPartly && html`<p class="muted">${say(message.body, subject.facts)}</p>`
  const isLong = due.length + subject.symbol.length > LONG_AMOUNT
  return html`<div class="due${isLong && ' long'}">
      ${assetMark(subject.symbol, subject.payment.blockchainSymbol ?? '')}
      <h1 id="headline" tabindex="-1">${say(message.title, subject.facts)}</h1>
      ${copyButton('copy-amount', due, TEXTS.copyAmount, TEXTS.amountCopied, TEXTS.amountNotCopied)}
    </div>
    ${body}`
}

function address(subject: Subject, link: string | null): Html {
  const text = subject.payment.depositAddress ?? ''
  const groups = text.match(/.{1,4}/g) ?? []
  const open = link !== null && html`<a class="button only-touch" href="${link}">${TEXTS.openWallet}</a>`
  return html`<div class="to">
    <h2 id="to">${TEXTS.toAddress}</h2>
    <div class="to-row">
      <bdi dir="ltr" class="address" aria-labelledby="to"
        >${groups.map((group, index) => html`<span${(index === 0 || index === groups.length - 1) && html` class="edge"`}>${group}</span><wbr>`)}</bdi
      >${copyButton('copy-address', text, TEXTS.copyAddress, TEXTS.addressCopied, TEXTS.addressNotCopied)}
    </div>
    ${open}
  </div>`
}

function codes(subject: Subject, link: string | null): Html {
  const text = subject.payment.depositAddress ?? ''
  const bare = html`<div class="by by-address"><div class="frame">${qrCode(text, TEXTS.qrAddress)}</div></div>`
  const badge = html`<p class="badge">${chainMark(subject.payment.blockchainSymbol ?? '')}${subject.network}</p>`
  if (link === null) return html`<div class="code">${bare}${badge}</div>`
  const linked = html`<div class="by by-link">
    <div class="frame">${qrCode(compactLink(link), TEXTS.qrLink)}</div>
    <p class="small">${say(TEXTS.walletCheck, subject.facts)}</p>
    <a class="button" href="${link}">${TEXTS.openWallet}</a>
  </div>`
  const linkFirst = LINK_FIRST.has(familyOf(subject))
  const tab = (id: string, label: string, checked: boolean) =>
    html`<label><input type="radio" name="by" id="${id}" ${checked && html` checked`} /><span>${label}</span></label>`
  return html`<div class="code">
    <div class="tabs" role="radiogroup" aria-label="${TEXTS.qrKind}">
      ${tab('by-address', TEXTS.address, !linkFirst)}${tab('by-link', TEXTS.walletLink, linkFirst)}
    </div>
    ${bare}${linked}${badge}
  </div>`
}

function behind({ state, facts, payment, options }: Subject): Html | null {
  if (state !== 'network-behind') return null
  const { title, body } = MESSAGES[state]
  const reason = pinnedOption(payment, options)?.reason
  return html`<div class="note">
    ${icon('warning')}
    <p><b>${reason ?? say(title, facts)}</b> ${say(body, facts)}</p>
  </div>`
}

function warning({ facts }: Subject): Html {
  return html`<p class="note">${icon('warning')}<span>${say(TEXTS.onlyThis, facts)}</span></p>`
}

function hints(subject: Subject): Html {
  const { payment, addresses } = subject
  const quote = addresses.find(
    (given) => given.quote?.blockchainCode === payment.blockchainSymbol && given.quote.currencyCode === subject.symbol,
  )?.quote
  const priced =
    quote !== null &&
    quote !== undefined &&
    html`<p>
      ${say(TEXTS.priced, { asset: quote.currencyCode, price: price(quote.priceInUSD), sources: quote.sources.join(', ') })}
    </p>`
  return html`<div class="hints">
    <p>${TEXTS.exchangeFee}</p>
    ${priced}
  </div>`
}

function restActions(subject: Subject, due: string): Html {
  const label = sayText(TEXTS.copy, { what: due })
  return html`<div class="actions">
    <button
      class="button primary"
      id="copy-rest"
      data-copy="${due}"
      data-copied="${TEXTS.amountCopied}"
      data-failed="${TEXTS.amountNotCopied}"
      data-script
    >
      ${label}</button
    >${actionButtons(subject, APPEARANCE[subject.state].actions, 'button')}
  </div>`
}

function copyButton(id: string, text: string, label: string, copied: string, failed: string): Html {
  return html`<button
    class="button icon-only"
    type="button"
    id="${id}"
    title="${label}"
    aria-label="${label}"
    data-copy="${text}"
    data-copied="${copied}"
    data-failed="${failed}"
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

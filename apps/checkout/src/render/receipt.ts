import { actionButtons } from './actions.ts'
import { amount, price, usd } from './amounts.ts'
import { APPEARANCE } from './appearance.ts'
import { merchantHeader, renderDocument } from './document.ts'
import { footer } from './footer.ts'
import { html } from './html.ts'
import type { Html, Part } from './html.ts'
import { icon } from './marks.ts'
import { say, sayText, TEXTS } from './messages.ts'
import { transaction } from './arrivals.ts'
import { confirmationBar } from './outcome.ts'
import { liveMain } from './page.ts'
import { isPaid } from './rules.ts'
import { arrived, subjectOf } from './subject.ts'
import type { Subject } from './subject.ts'
import { dayAndTime } from './times.ts'
import type { CheckoutView, Rendered } from './view.ts'

/** Draws `/success`: the customer's proof, and the way back. For payments with `hasReceipt` only; others belong on `/payments`. */
export function renderReceipt(view: CheckoutView): Rendered {
  const subject = subjectOf({ ...view, compact: false })
  const { payment } = subject
  const counts = { current: payment.confirmationCurrent, required: payment.confirmationRequired }
  const title = isPaid(payment) ? TEXTS.receiptPaid : sayText(TEXTS.receiptSeen, counts)
  return renderDocument({
    title: `${title} · ${subject.merchant}`,
    main: liveMain(subject, receipt(subject, title), title),
    brandColor: view.project.brandColor,
    theme: view.theme,
    compact: false,
    header: merchantHeader(view.project, subject.merchant, view.siteUrl),
    footer: footer(subject, subject.receiptUrl),
    scriptUrl: view.scriptUrl,
    refreshEvery: view.refreshEvery,
    isTest: payment.test,
  })
}

function receipt(subject: Subject, title: string): Html {
  const { tone, icon: sign } = APPEARANCE[subject.state]
  const paid = isPaid(subject.payment)
  const actions = actionButtons(subject, [paid ? 'back' : 'explorer'], 'button primary')
  return html`<div class="outcome">
    <div class="disc ${tone}${sign === 'tick' && ' tick'}">${icon(sign)}</div>
    <div class="words">
      <h1 id="headline" tabindex="-1">${title}</h1>
      <p class="muted">${paid ? lead(subject) : TEXTS.receiptSeenBody}</p>
    </div>
    ${confirmationBar(subject)}
    <dl class="rows">${rows(subject)}</dl>
    <div class="actions">
      ${actions}<button class="button" type="button" id="print" data-print data-script>${TEXTS.print}</button>
    </div>
  </div>`
}

function lead({ merchant, payment }: Subject): Html {
  const invoice = payment.invoiceID !== '' && html` · ${say(TEXTS.invoice, { invoice: payment.invoiceID })}`
  return html`<bdi>${merchant}</bdi>${invoice}`
}

function rows(subject: Subject): Html[] {
  const { payment, network, symbol, decimals } = subject
  const paid = isPaid(payment)
  const sum = (paid ? payment.filledAmount : null) ?? arrived(subject, decimals)
  const latest = payment.deposits.map(({ seenAt }) => seenAt).sort((a, b) => b.getTime() - a.getTime())[0]
  const quote = subject.addresses.find((given) => given.quote?.currencyCode === symbol)?.quote
  return [
    row(TEXTS.asked, usd(payment.amountInUSD)),
    row(paid ? TEXTS.paid : TEXTS.seen, say(TEXTS.option, { currency: [amount(sum, symbol)], network })),
    payment.overpaid !== null && Number(payment.overpaid) > 0
      ? row(TEXTS.more, amount(payment.overpaid, symbol))
      : null,
    quote === null || quote === undefined ? null : row(TEXTS.rate, `1 ${symbol} = ${price(quote.priceInUSD)}`),
    latest === undefined
      ? null
      : row(TEXTS.date, html`<time datetime="${latest.toISOString()}">${dayAndTime(latest)}</time>`),
    ...payment.deposits.map((deposit) => row(TEXTS.transaction, transaction(deposit))),
    row(TEXTS.reference, html`<bdi dir="ltr" class="mono">${payment.referenceID}</bdi>`),
  ].filter((line) => line !== null)
}

function row(name: string, value: Part): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

import { actionButtons } from './actions.ts'
import { amount, price, usd } from './amounts.ts'
import { APPEARANCE } from './appearance.ts'
import { renderDocument } from './document.ts'
import { helpFooter } from './footer.ts'
import { merchantHeader } from './header.ts'
import { html } from './html.ts'
import type { Html, Part } from './html.ts'
import { icon } from './marks.ts'
import { transaction } from './arrivals.ts'
import { confirmationBar } from './outcome.ts'
import { liveMain } from './page.ts'
import { isPaid } from './rules.ts'
import { arrived, subjectOf } from './subject.ts'
import type { Subject } from './subject.ts'
import type { CheckoutView, Rendered } from './view.ts'

/** Draws `/success`: the customer's proof, and the way back. For payments with `hasReceipt` only; others belong on `/payments`. */
export function renderReceipt(view: CheckoutView): Rendered {
  const subject = subjectOf({ ...view, compact: false })
  const { payment, words } = subject
  const counts = { current: payment.confirmationCurrent, required: payment.confirmationRequired }
  const title = isPaid(payment) ? words.text('receipt.paid') : words.text('receipt.seen', counts)
  return renderDocument({
    title: `${title} · ${subject.merchant}`,
    main: liveMain(subject, receipt(subject, title), title),
    words,
    brandColor: view.project.brandColor,
    theme: view.theme,
    shape: 'plain',
    header: merchantHeader(subject, subject.receiptUrl),
    footer: helpFooter(subject),
    script: { url: view.scriptUrl },
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
      <p class="muted">${lead(subject)}</p>
      ${!paid && html`<p class="muted">${subject.words.say('receipt.seenBody')}</p>`}
    </div>
    ${confirmationBar(subject)}
    <dl class="rows">${rows(subject)}</dl>
    <div class="actions">
      ${actions}<button class="button" type="button" id="print" data-print data-script>
        ${subject.words.say('print')}
      </button>
    </div>
  </div>`
}

/** Who was paid for what, and when. */
function lead({ merchant, payment, words }: Subject): Html {
  const invoice = payment.invoiceID !== '' && html` · ${words.say('invoice', { invoice: payment.invoiceID })}`
  const latest = payment.deposits.map(({ seenAt }) => seenAt).sort((a, b) => b.getTime() - a.getTime())[0]
  const when = latest && html` · <time datetime="${latest.toISOString()}"><bdi>${words.dayAndTime(latest)}</bdi></time>`
  return html`<bdi>${merchant}</bdi>${invoice}${when}`
}

function rows(subject: Subject): Html[] {
  const { payment, payerEmail = '', network, symbol, decimals, words } = subject
  const paid = isPaid(payment)
  const sum = (paid ? payment.filledAmount : null) ?? arrived(subject, decimals)
  const quote = subject.addresses.find((given) => given.quote?.currencyCode === symbol)?.quote
  return [
    payment.description === '' ? null : row(words.text('row.description'), html`<bdi>${payment.description}</bdi>`),
    payerEmail === '' ? null : row(words.text('row.payer'), html`<bdi dir="ltr">${payerEmail}</bdi>`),
    row(words.text('row.asked'), usd(payment.amountInUSD)),
    row(
      words.text(paid ? 'row.paid' : 'row.seen'),
      words.say('option', { currency: { amount: sum, unit: symbol }, network }),
    ),
    payment.overpaid !== null && Number(payment.overpaid) > 0
      ? row(words.text('row.more'), amount(payment.overpaid, symbol))
      : null,
    quote === null || quote === undefined
      ? null
      : row(words.text('row.rate'), `1 ${symbol} = ${price(quote.priceInUSD)}`),
    ...payment.deposits.map((deposit) => row(words.text('transaction'), transaction(words, deposit))),
    row(words.text('row.reference'), html`<bdi dir="ltr" class="mono">${payment.referenceID}</bdi>`),
  ].filter((line) => line !== null)
}

function row(name: string, value: Part): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

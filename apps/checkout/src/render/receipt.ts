import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import { actionButtons } from './panels/actions.ts'
import { amount, price, usd } from './text/amounts.ts'
import { APPEARANCE } from './panels/appearance.ts'
import { renderDocument } from './layout/document.ts'
import { helpFooter } from './layout/footer.ts'
import { merchantHeader } from './layout/header.ts'
import { html } from './markup/html.ts'
import type { Html, Part } from './markup/html.ts'
import { icon } from './markup/icons.ts'
import { shortHash } from './panels/arrivals.ts'
import { confirmationBar } from './panels/outcome.ts'
import { liveMain } from './page.ts'
import { mailForm, type ReceiptRequest } from './receipt-mail.ts'
import { isPaid } from './rules.ts'
import { arrived, viewModelOf } from './view-model.ts'
import type { ViewModel } from './view-model.ts'
import type { CheckoutView, Rendered } from './view.ts'

/** Draws the receipt (`/success`) with a link back to the shop. Only for payments with `hasReceipt`; others are shown on `/payments`. */
export function renderReceipt(view: CheckoutView & ReceiptRequest): Rendered {
  const viewModel = viewModelOf({ ...view, compact: false })
  const { payment, translator } = viewModel
  const counts = { current: payment.confirmationCurrent, required: payment.confirmationRequired }
  const title = isPaid(payment) ? translator.text('receipt.paid') : translator.text('receipt.seen', counts)
  return renderDocument({
    title: `${title} · ${viewModel.merchant}`,
    main: liveMain(viewModel, receipt(viewModel, title, view), title),
    translator,
    brandColor: view.project.brandColor,
    theme: viewModel.theme,
    shape: 'plain',
    header: merchantHeader(viewModel, viewModel.receiptUrl),
    footer: helpFooter(viewModel),
    script: { url: view.scriptUrl },
    refreshEvery: view.refreshEvery,
    isTest: payment.test,
    isLive: true,
  })
}

function receipt(viewModel: ViewModel, title: string, wish: ReceiptRequest): Html {
  const { tone, icon: sign } = APPEARANCE[viewModel.state]
  const paid = isPaid(viewModel.payment)
  const actions = actionButtons(viewModel, paid ? ['back', 'refund'] : ['explorer'], 'button primary')
  return html`<div class="outcome">
    <div class="disc ${tone}${sign === 'tick' && ' tick'}">${icon(sign)}</div>
    <div class="words">
      <h1 id="headline" tabindex="-1">${title}</h1>
      <p class="muted">${lead(viewModel)}</p>
      ${!paid && html`<p class="muted">${viewModel.translator.say('receipt.seenBody')}</p>`}
    </div>
    ${confirmationBar(viewModel)}
    <dl class="rows">${rows(viewModel)}</dl>
    <div class="actions">
      ${actions}<button class="button" type="button" id="print" data-print data-script>
        ${viewModel.translator.say('print')}
      </button>
    </div>
    ${mailForm(viewModel, wish)}
  </div>`
}

/** Who was paid for what, and when. */
function lead({ merchant, payment, translator }: ViewModel): Html {
  const own = ownInvoice(payment)
  const invoice = own !== '' && html` · ${translator.say('invoice', { invoice: own })}`
  const latest = payment.deposits.map(({ seenAt }) => seenAt).sort((a, b) => b.getTime() - a.getTime())[0]
  const when =
    latest && html` · <time datetime="${latest.toISOString()}"><bdi>${translator.dayAndTime(latest)}</bdi></time>`
  return html`<bdi>${merchant}</bdi>${invoice}${when}`
}

function rows(viewModel: ViewModel): Html[] {
  const { payment, payerEmail = '', network, symbol, decimals, translator } = viewModel
  const paid = isPaid(payment)
  const sum = (paid ? payment.filledAmount : null) ?? arrived(viewModel, decimals)
  const quote = viewModel.addresses.find((address) => address.quote?.currencyCode === symbol)?.quote
  return [
    payment.description === ''
      ? null
      : row(translator.text('row.description'), html`<bdi>${payment.description}</bdi>`),
    payerEmail === '' ? null : row(translator.text('row.payer'), html`<bdi dir="ltr">${payerEmail}</bdi>`),
    row(translator.text('row.asked'), usd(payment.amountInUSD)),
    row(
      translator.text(paid ? 'row.paid' : 'row.seen'),
      translator.say('option', { currency: { amount: sum, unit: symbol }, network }),
    ),
    payment.overpaid !== null && Number(payment.overpaid) > 0
      ? row(translator.text('row.more'), amount(payment.overpaid, symbol))
      : null,
    quote === null || quote === undefined
      ? null
      : row(translator.text('row.rate'), `1 ${symbol} = ${price(quote.priceInUSD)}`),
    ...payment.deposits.map((deposit) => row(translator.text('transaction'), shortHash(translator, deposit))),
    row(translator.text('row.reference'), html`<bdi dir="ltr" class="mono">${payment.referenceID}</bdi>`),
  ].filter((line) => line !== null)
}

function row(name: string, value: Part): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`
}

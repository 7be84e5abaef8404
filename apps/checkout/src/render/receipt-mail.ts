import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import { html } from './markup/html.ts'
import type { Html } from './markup/html.ts'
import { isPaid } from './rules.ts'
import { usd } from './text/amounts.ts'
import { refusalText } from './text/refusals.ts'
import { viewModelOf } from './view-model.ts'
import type { ViewModel } from './view-model.ts'
import type { CheckoutView } from './view.ts'

/** Whether the mail was requested, and what was refused. */
export type ReceiptRequest = {
  /** It was requested. */
  readonly isMailed?: boolean | undefined
  /** The address as it was typed, when it was refused. */
  readonly typed?: string | undefined
}

/** A mail in the language of the page, without its layout. */
export type ReceiptMail = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  readonly foot: string
  readonly language: { readonly code: string; readonly dir: 'ltr' | 'rtl' }
}

/** No e-mail address is longer. */
const LONGEST_EMAIL = 254

/** Draws the forms that mail the receipt of a paid payment: to the customer's own address, which is masked, or to one that is typed. */
export function mailForm(viewModel: ViewModel, { isMailed, typed }: ReceiptRequest): Html | null {
  const { translator, payment, mailsReceipts, error, payerEmail = '', receiptUrl } = viewModel
  if (mailsReceipts !== true || !isPaid(payment)) return null
  if (isMailed === true) return html`<p role="status">${translator.say('receipt.mailed')}</p>`
  const own =
    payerEmail !== '' &&
    html`<form method="post" action="${receiptUrl}">
      <button class="button" id="mail-own">
        <span>${translator.say('receipt.mailTo', { email: html`<bdi dir="ltr">${payerEmail}</bdi>` })}</span>
      </button>
    </form>`
  const refusal = error !== undefined && refusalText(translator, error)
  return html`<details class="change mail" id="mail" ${error !== undefined && html` open`}>
    <summary id="mail-toggle">${translator.say('receipt.mail')}</summary>
    ${refusal !== false && html`<p class="note alert" role="alert" id="mail-refusal">${refusal}</p>`}${own}
    <form class="stack" method="post" action="${receiptUrl}">
      <div class="field">
        <label for="mail-address">${translator.say('receipt.email')}</label>
        <input
          class="input"
          id="mail-address"
          name="email"
          type="email"
          value="${typed}"
          required
          maxlength="${LONGEST_EMAIL}"
          autocomplete="email"
          dir="ltr"
          ${refusal !== false && html` aria-invalid="true" aria-describedby="mail-refusal"`}
        />
      </div>
      <button class="button" id="mail-send">${translator.say('receipt.mailSend')}</button>
    </form>
  </details>`
}

/** Writes the receipt as a mail: what the page shows, and nothing that its reader could have typed. */
export function receiptMail(view: CheckoutView): ReceiptMail {
  const viewModel = viewModelOf({ ...view, compact: false })
  const { translator, payment, merchant, receiptUrl } = viewModel
  const amount = usd(payment.amountInUSD)
  const { code, dir } = translator.language
  return {
    subject: translator.text('receipt.subject', { amount, merchant }),
    paragraphs: lines(viewModel),
    ...(view.siteUrl !== '' && {
      action: { label: translator.text('receipt'), url: `${view.siteUrl.replace(/\/$/, '')}${receiptUrl}` },
    }),
    foot: translator.text('receipt.foot'),
    language: { code, dir },
  }
}

function lines({ translator, payment, merchant, network, symbol }: ViewModel): string[] {
  const invoice = ownInvoice(payment)
  const paid = { amount: payment.filledAmount ?? payment.amount ?? '0', unit: symbol }
  const latest = payment.deposits.map(({ seenAt }) => seenAt).toSorted((a, b) => b.getTime() - a.getTime())[0]
  const facts = [
    merchant,
    invoice !== '' && translator.text('invoice', { invoice }),
    latest !== undefined && translator.dayAndTime(latest),
  ]
  return [
    facts.filter((fact) => fact !== false).join(' · '),
    `${translator.text('row.asked')}: ${usd(payment.amountInUSD)}`,
    `${translator.text('row.paid')}: ${translator.text('option', { currency: paid, network })}`,
    ...payment.deposits.map(({ txHash }) => `${translator.text('transaction')}: ${txHash}`),
    `${translator.text('row.reference')}: ${payment.referenceID}`,
  ]
}

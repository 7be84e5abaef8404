import type { TextKey } from './languages.ts'
import { mailLink, webLink } from '../links.ts'
import type { CheckoutView, PaymentRepair } from '../view.ts'
import type { Translator } from './translator.ts'

/** How many transaction hashes the mail lists at most: each makes the link longer. */
const MOST_HASHES = 3

/** Gives a mail link to the shop with the payment's details filled in, else the shop's website or a social page. */
export function contactUrl(
  { payment, project }: CheckoutView,
  translator: Translator,
  home: string | null,
): string | null {
  const { repair } = payment
  const due = payment.amount === null ? `${payment.amountInUSD} USD` : `${payment.amount} ${payment.currencySymbol}`
  const lines = [
    translator.text('reference', { reference: payment.referenceID }),
    payment.invoiceID !== '' && translator.text('invoice', { invoice: payment.invoiceID }),
    translator.text('mail.amount', { amount: due }),
    repair !== null &&
      repair.amount !== null &&
      translator.text(REPAIR_TEXTS[repair.kind], { amount: `${repair.amount} ${repair.currencyCode ?? ''}` }),
    ...payment.deposits.slice(-MOST_HASHES).map(({ txHash }) => translator.text('mail.transaction', { hash: txHash })),
  ].filter((line) => line !== false)
  const subject = translator.text('mail.subject', { reference: payment.referenceID })
  return mailLink(project.supportEmail, subject, lines.join('\r\n')) ?? webLink(home, ...socialPagesOf(project))
}

function socialPagesOf({ telegramURL, discordURL, twitterURL, linkedInURL }: CheckoutView['project']): string[] {
  return [telegramURL, discordURL, twitterURL, linkedInURL]
}

/** The line of the mail that states the problem with a payment. */
const REPAIR_TEXTS: Readonly<Record<PaymentRepair['kind'], TextKey>> = {
  send_rest: 'mail.missing',
  rest_lapsed: 'mail.missing',
  surplus: 'mail.over',
  on_hold: 'mail.held',
  unapplied: 'mail.held',
}

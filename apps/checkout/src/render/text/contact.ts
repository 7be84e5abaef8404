import { ownInvoice } from '@kassa/contract/payments/invoice.ts'
import type { TextKey } from './languages.ts'
import { mailLink, webLink } from '../links.ts'
import type { CheckoutView, PaymentRepair } from '../view.ts'
import type { Translator } from './translator.ts'

/** A mail link grows with every one of them. */
const MOST_HASHES = 3

/** Gives a mail to the shop with everything filled in that it must know, else a page where the shop is found. */
export function contactUrl(
  { payment, project }: CheckoutView,
  translator: Translator,
  home: string | null,
): string | null {
  const { repair } = payment
  const invoice = ownInvoice(payment)
  const asked = payment.amount === null ? `${payment.amountInUSD} USD` : `${payment.amount} ${payment.currencySymbol}`
  const lines = [
    translator.text('reference', { reference: payment.referenceID }),
    invoice !== '' && translator.text('invoice', { invoice }),
    translator.text('mail.amount', { amount: asked }),
    repair !== null &&
      repair.amount !== null &&
      translator.text(AMISS[repair.kind], { amount: `${repair.amount} ${repair.currencyCode ?? ''}` }),
    ...payment.deposits.slice(-MOST_HASHES).map(({ txHash }) => translator.text('mail.transaction', { hash: txHash })),
  ].filter((line) => line !== false)
  const viewModel = translator.text('mail.subject', { reference: payment.referenceID })
  return mailLink(project.supportEmail, viewModel, lines.join('\r\n')) ?? webLink(home, ...placesOf(project))
}

function placesOf({ telegramURL, discordURL, twitterURL, linkedInURL }: CheckoutView['project']): string[] {
  return [telegramURL, discordURL, twitterURL, linkedInURL]
}

const AMISS: Readonly<Record<PaymentRepair['kind'], TextKey>> = {
  send_rest: 'mail.missing',
  rest_lapsed: 'mail.missing',
  surplus: 'mail.over',
  on_hold: 'mail.held',
  unapplied: 'mail.held',
}

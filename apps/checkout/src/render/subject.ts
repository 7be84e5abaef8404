import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { amount } from './amounts.ts'
import type { Part } from './html.ts'
import { mailLink, originOf, webLink } from './links.ts'
import { sayText, TEXTS } from './messages.ts'
import type { Facts } from './messages.ts'
import { checkoutState, isPaid, minutesLeft, pinnedOption } from './rules.ts'
import type { StateName } from './rules.ts'
import type { CheckoutView } from './view.ts'

/** A view with everything worked out that more than one part of the page needs. */
export type Subject = CheckoutView & {
  readonly state: StateName
  readonly merchant: string
  readonly network: string
  readonly symbol: string
  readonly decimals: number
  readonly facts: Facts
  readonly pageUrl: string
  readonly receiptUrl: string
  readonly backUrl: string | null
  readonly contactUrl: string | null
  readonly shopOrigin: string | null
}

/** ERC-20's usual number of decimals, for a payment whose asset does not state one. */
const DEFAULT_DECIMALS = 18

/** Works out what the page is about. */
export function subjectOf(view: CheckoutView): Subject {
  const { payment, project } = view
  const state = checkoutState(payment, view.options, view.now, view.notice)
  const merchant = payment.merchantName === '' ? project.name : payment.merchantName
  const network = networkName(view)
  const query = `?reference_id=${encodeURIComponent(payment.referenceID)}`
  const home = webLink(project.website)
  return {
    ...view,
    state,
    merchant,
    network,
    symbol: payment.currencySymbol ?? '',
    decimals: payment.currencyDecimals ?? pinnedOption(payment, view.options)?.walletPrecision ?? DEFAULT_DECIMALS,
    facts: factsOf(view, merchant, network),
    pageUrl: (view.compact === true ? '/pay' : '/payments') + query,
    receiptUrl: `/success${query}`,
    backUrl: isPaid(payment)
      ? webLink(payment.successURL, project.successEndpoint, home)
      : webLink(payment.cancelURL, project.cancelEndpoint, home),
    contactUrl: contactUrl(view, home),
    shopOrigin: originOf(webLink(project.website, payment.successURL, payment.cancelURL)),
  }
}

/** Adds up what arrived for this payment and still stands, in the asset's natural unit. */
export function arrived(view: Pick<CheckoutView, 'payment'>, decimals: number): string {
  const units = view.payment.deposits.reduce((sum, deposit) => sum + unitsOf(deposit.amount, decimals), 0n)
  return formatUnits(units, decimals)
}

function networkName(view: CheckoutView): string {
  const code = view.payment.blockchainSymbol ?? ''
  const option = view.options.find(({ blockchainCode }) => blockchainCode === code)
  return option?.network ?? findBlockchain(code)?.name ?? code
}

function factsOf(view: CheckoutView, merchant: string, network: string): Facts {
  const { payment, notice } = view
  const symbol = payment.currencySymbol ?? ''
  const decimals = payment.currencyDecimals ?? DEFAULT_DECIMALS
  const inAsset = (dec: string | null): Part => amount(dec ?? '0', symbol)
  return {
    merchant,
    network,
    asset: symbol,
    amount: inAsset(payment.amount),
    missing: inAsset(payment.amountDue),
    sent: inAsset(payment.filledAmount),
    paid: inAsset(payment.filledAmount ?? payment.amount),
    over: inAsset(payment.overpaid),
    seen: inAsset(arrived(view, decimals)),
    current: payment.confirmationCurrent,
    required: payment.confirmationRequired,
    left: left(minutesLeft(payment)),
    cameOn: notice?.kind === 'other-network' ? notice.network : '',
    sentAsset: notice?.kind === 'other-asset' ? notice.currencyCode : '',
    counted: counted(view, merchant),
  }
}

function left(minutes: number | null): Part {
  if (minutes === null) return ''
  return minutes === 1 ? sayPlain(TEXTS.aboutMinute) : sayPlain(TEXTS.aboutMinutes, minutes)
}

function counted({ notice }: CheckoutView, merchant: string): Part {
  if (notice === undefined || notice.kind === 'on-hold') return ''
  return [sayText(notice.counted ? TEXTS.counted : TEXTS.notCounted, { merchant })]
}

/** A list is not isolated like a fact: this is a part of the sentence itself. */
function sayPlain(text: string, minutes?: number): Part {
  return [sayText(text, { minutes })]
}

function contactUrl({ payment, project }: CheckoutView, home: string | null): string | null {
  const asked = payment.amount === null ? `${payment.amountInUSD} USD` : `${payment.amount} ${payment.currencySymbol}`
  const lines = [
    sayText(TEXTS.mailReference, { reference: payment.referenceID }),
    payment.invoiceID !== '' && sayText(TEXTS.mailInvoice, { invoice: payment.invoiceID }),
    sayText(TEXTS.mailAmount, { amount: asked }),
  ].filter((line) => line !== false)
  const subject = sayText(TEXTS.mailSubject, { reference: payment.referenceID })
  return mailLink(project.supportEmail, subject, lines.join('\r\n')) ?? home
}

function unitsOf(dec: string, decimals: number): bigint {
  try {
    return parseUnits(dec, decimals)
  } catch {
    return 0n
  }
}

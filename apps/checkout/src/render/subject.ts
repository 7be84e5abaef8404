import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { amount } from './amounts.ts'
import type { Part } from './html.ts'
import { mailLink, originOf, webLink } from './links.ts'
import { sayText, TEXTS } from './messages.ts'
import type { Facts } from './messages.ts'
import { checkoutState, isPaid, keptDeposit, minutesLeft, pinnedOption, restOf } from './rules.ts'
import type { StateName } from './rules.ts'
import type { CheckoutView, PaymentPublic, PaymentRepair } from './view.ts'

/** A view with everything worked out that more than one part of the page needs. */
export type Subject = CheckoutView & {
  readonly state: StateName
  readonly merchant: string
  readonly network: string
  readonly symbol: string
  readonly decimals: number
  readonly facts: Facts
  readonly pageUrl: string
  /** The same page, asking for the whole once more. */
  readonly againUrl: string
  /** The request that replaced this one. */
  readonly newerUrl: string | null
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
  const state = checkoutState(payment, view.options, view.now, view.paysAgain)
  const merchant = payment.merchantName === '' ? project.name : payment.merchantName
  const network = networkName(view, payment.blockchainSymbol ?? '')
  const again = view.paysAgain === true ? '&again=1' : ''
  const path = view.compact === true ? '/pay' : '/payments'
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
    pageUrl: path + query + again,
    againUrl: `${path}${query}&again=1`,
    newerUrl: payment.supersededBy && `${path}?reference_id=${encodeURIComponent(payment.supersededBy)}`,
    receiptUrl: `/success${query}`,
    backUrl: isPaid(payment)
      ? webLink(payment.successURL, project.successEndpoint, home)
      : webLink(payment.cancelURL, project.cancelEndpoint, home),
    contactUrl: contactUrl(view, home),
    shopOrigin: originOf(webLink(project.website, payment.successURL, payment.cancelURL)),
  }
}

/** Adds up what arrived for this payment and counts, or will, in the asset's natural unit. */
export function arrived({ payment }: Pick<CheckoutView, 'payment'>, decimals: number): string {
  const counted = payment.deposits.filter(
    ({ state, currencyCode }) =>
      (state === 'waiting' || state === 'counted') && currencyCode === payment.currencySymbol,
  )
  return formatUnits(
    counted.reduce((sum, deposit) => sum + unitsOf(deposit.amount, decimals), 0n),
    decimals,
  )
}

/** Names a network as the payer knows it. */
export function networkName({ options }: Pick<CheckoutView, 'options'>, code: string): string {
  const option = options.find(({ blockchainCode }) => blockchainCode === code)
  return option?.network ?? findBlockchain(code)?.name ?? code
}

/** Names the family of the network the payment is on; empty before the choice. */
export function familyOf({ payment, addresses, options }: CheckoutView): string {
  const given = addresses.find((address) => address.Address === payment.depositAddress)
  return given?.Family ?? options.find((option) => option.blockchainCode === payment.blockchainSymbol)?.family ?? ''
}

function factsOf(view: CheckoutView, merchant: string, network: string): Facts {
  const { payment } = view
  const symbol = payment.currencySymbol ?? ''
  const decimals = payment.currencyDecimals ?? DEFAULT_DECIMALS
  const inAsset = (dec: string | null): Part => amount(dec ?? '0', symbol)
  const rest = restOf(payment)
  const sent = formatUnits(unitsOf(payment.amount ?? '0', decimals) - unitsOf(rest, decimals), decimals)
  const kept = keptDeposit(payment)
  return {
    merchant,
    network,
    asset: symbol,
    amount: inAsset(payment.amount),
    missing: inAsset(rest),
    sent: inAsset(sent),
    paid: inAsset(payment.filledAmount ?? payment.amount),
    over: inAsset(payment.overpaid),
    seen: inAsset(arrived(view, decimals)),
    current: payment.confirmationCurrent,
    required: payment.confirmationRequired,
    left: left(isHeldUp(payment) ? null : minutesLeft(payment)),
    cameOn: kept ? networkName(view, kept.blockchainCode) : '',
    sentAsset: kept?.currencyCode ?? '',
    held: held(payment),
  }
}

/** Nobody knows how long it takes while a second source, or the network itself, does not answer. */
function isHeldUp({ waitsBecause, deposits }: PaymentPublic): boolean {
  return waitsBecause !== null || deposits.some((deposit) => deposit.waitsBecause !== null)
}

/** The money that is looked at or kept, with its own unit; a sentence needs a word for it even when it is not known. */
function held({ repair, deposits }: PaymentPublic): Part {
  if (repair?.amount && repair.currencyCode) return amount(repair.amount, repair.currencyCode)
  const latest = deposits.at(-1)
  return latest ? amount(latest.amount, latest.currencyCode) : TEXTS.whatArrived
}

function left(minutes: number | null): Part {
  if (minutes === null) return ''
  return minutes === 1 ? sayPlain(TEXTS.aboutMinute) : sayPlain(TEXTS.aboutMinutes, minutes)
}

/** A list is not isolated like a fact: this is a part of the sentence itself. */
function sayPlain(text: string, minutes?: number): Part {
  return [sayText(text, { minutes })]
}

function contactUrl({ payment, project }: CheckoutView, home: string | null): string | null {
  const { repair } = payment
  const asked = payment.amount === null ? `${payment.amountInUSD} USD` : `${payment.amount} ${payment.currencySymbol}`
  const lines = [
    sayText(TEXTS.mailReference, { reference: payment.referenceID }),
    payment.invoiceID !== '' && sayText(TEXTS.mailInvoice, { invoice: payment.invoiceID }),
    sayText(TEXTS.mailAmount, { amount: asked }),
    repair !== null &&
      repair.amount !== null &&
      sayText(MAIL_REPAIRS[repair.kind], { amount: `${repair.amount} ${repair.currencyCode ?? ''}` }),
    ...payment.deposits.slice(-MOST_HASHES).map(({ txHash }) => sayText(TEXTS.mailTransaction, { hash: txHash })),
  ].filter((line) => line !== false)
  const subject = sayText(TEXTS.mailSubject, { reference: payment.referenceID })
  return mailLink(project.supportEmail, subject, lines.join('\r\n')) ?? home
}

const MAIL_REPAIRS: Readonly<Record<PaymentRepair['kind'], string>> = {
  send_rest: TEXTS.mailMissing,
  rest_lapsed: TEXTS.mailMissing,
  surplus: TEXTS.mailOver,
  on_hold: TEXTS.mailHeld,
  kept: TEXTS.mailHeld,
}

/** A mail link grows with every one of them. */
const MOST_HASHES = 3

function unitsOf(dec: string, decimals: number): bigint {
  try {
    return parseUnits(dec, decimals)
  } catch {
    return 0n
  }
}

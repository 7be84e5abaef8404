import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import { contactUrl } from './text/contact.ts'
import { findLanguage } from './text/languages.ts'
import { originOf, webLink } from './links.ts'
import { checkoutState, isPaid, unappliedDeposit, lockEnd, minutesLeft, pinnedOption, restOf } from './rules.ts'
import type { StateName } from './rules.ts'
import { drawnTheme } from './layout/theme.ts'
import type { CheckoutView, PaymentPublic, Theme } from './view.ts'
import { timeToCome, translatorFor } from './text/translator.ts'
import type { TextValue, TextValues, Money, Translator } from './text/translator.ts'

/** A view with everything worked out that more than one part of the page needs. */
export type ViewModel = CheckoutView & {
  readonly state: StateName
  /** The colours it is drawn in; undefined as the device is set. */
  readonly theme: Theme | undefined
  readonly translator: Translator
  readonly merchant: string
  readonly network: string
  readonly symbol: string
  readonly decimals: number
  readonly facts: TextValues
  /** Minutes until the last confirmation; null when it is not known. */
  readonly minutes: number | null
  readonly pageUrl: string
  /** The same page, asking for the whole once more. */
  readonly againUrl: string
  /** The request that replaced this one. */
  readonly newerUrl: string | null
  readonly receiptUrl: string
  /** The page on which the payer names where money should return to; null while none can. */
  readonly refundUrl: string | null
  /** The page on which the payer checks where the address comes from. */
  readonly checkUrl: string
  readonly backUrl: string | null
  readonly contactUrl: string | null
  readonly shopOrigin: string | null
}

/** ERC-20's usual number of decimals, for a payment whose asset does not state one. */
const DEFAULT_DECIMALS = 18

/** Works out what the page is about. */
export function viewModelOf(view: CheckoutView): ViewModel {
  const { payment, project } = view
  const state = checkoutState(payment, view.options, view.now, view.paysAgain)
  const translator = translatorFor({ ...view, preferred: project.checkoutLanguage })
  const merchant = payment.merchantName === '' ? project.name : payment.merchantName
  const network = networkName(view, payment.blockchainSymbol ?? '')
  const again = view.paysAgain === true ? '&again=1' : ''
  const path = view.compact === true ? '/pay' : '/payments'
  const address = (at: string, reference: string) =>
    `${at}?reference_id=${encodeURIComponent(reference)}${preferencesQuery(view)}`
  const page = address(path, payment.referenceID)
  const home = webLink(project.website)
  return {
    ...view,
    theme: drawnTheme(view.theme, project.checkoutTheme),
    state,
    translator: translator,
    merchant,
    network,
    symbol: payment.currencySymbol ?? '',
    decimals: payment.currencyDecimals ?? pinnedOption(payment, view.options)?.walletPrecision ?? DEFAULT_DECIMALS,
    facts: factsOf(view, { merchant, network, translator: translator }),
    minutes: isDelayed(payment) ? null : minutesLeft(payment),
    pageUrl: page + again,
    againUrl: `${page}&again=1`,
    newerUrl: payment.supersededBy && address(path, payment.supersededBy),
    receiptUrl: address('/success', payment.referenceID),
    refundUrl: hasRefund(view) ? address('/refund', payment.referenceID) : null,
    checkUrl: `${address('/addresses', payment.referenceID)}&address=${encodeURIComponent(payment.depositAddress ?? '')}`,
    backUrl: isPaid(payment)
      ? webLink(payment.successURL, project.successEndpoint, home)
      : webLink(payment.cancelURL, project.cancelEndpoint, home),
    contactUrl: contactUrl(view, translator, home),
    shopOrigin: originOf(webLink(project.website, payment.successURL, payment.cancelURL)),
  }
}

function hasRefund({ refund }: CheckoutView): boolean {
  return refund !== undefined && (refund.networks.length > 0 || refund.claim !== null)
}

/** Options of the URL stay in the links of all pages. */
function preferencesQuery({ theme, display, lang }: CheckoutView): string {
  const language = lang === undefined ? undefined : findLanguage(lang)
  const preferences = [
    language !== undefined && `&lang=${language.code}`,
    theme !== undefined && `&theme=${theme}`,
    display !== undefined && `&display=${display}`,
  ]
  return preferences.filter((preference) => preference !== false).join('')
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

type Names = { readonly merchant: string; readonly network: string; readonly translator: Translator }

function factsOf(view: CheckoutView, { merchant, network, translator }: Names): TextValues {
  const { payment } = view
  const unit = payment.currencySymbol ?? ''
  const decimals = payment.currencyDecimals ?? DEFAULT_DECIMALS
  const inAsset = (dec: string | null): Money => ({ amount: dec ?? '0', unit })
  const rest = restOf(payment)
  const sent = formatUnits(unitsOf(payment.amount ?? '0', decimals) - unitsOf(rest, decimals), decimals)
  const unapplied = unappliedDeposit(payment)
  return {
    merchant,
    network,
    asset: unit,
    amount: inAsset(payment.amount),
    missing: inAsset(rest),
    sent: inAsset(sent),
    paid: inAsset(payment.filledAmount ?? payment.amount),
    over: inAsset(payment.overpaid),
    seen: inAsset(arrived(view, decimals)),
    current: payment.confirmationCurrent,
    required: payment.confirmationRequired,
    cameOn: unapplied ? networkName(view, unapplied.blockchainCode) : '',
    sentAsset: unapplied?.currencyCode ?? '',
    held: held(payment, translator),
    until: timeToCome(translator, lockEnd(payment), view.now),
  }
}

/** The time is unknown while a second source, or the network itself, does not answer. */
function isDelayed({ waitsBecause, deposits }: PaymentPublic): boolean {
  return waitsBecause !== null || deposits.some((deposit) => deposit.waitsBecause !== null)
}

/** The money that is shown as under review or not applied, with its own unit; a sentence needs a word for it even when it is not known. */
function held({ repair, deposits }: PaymentPublic, translator: Translator): TextValue {
  if (repair?.amount && repair.currencyCode) return { amount: repair.amount, unit: repair.currencyCode }
  const latest = deposits.at(-1)
  return latest ? { amount: latest.amount, unit: latest.currencyCode } : translator.text('arrived')
}

function unitsOf(dec: string, decimals: number): bigint {
  try {
    return parseUnits(dec, decimals)
  } catch {
    return 0n
  }
}

import { foldLike } from '@kassa/keys/address-case.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { parseUnits } from '@kassa/primitives/money/units.ts'
import type { PaymentOption, PaymentPublic, PublicDeposit } from './view.ts'

/** The rows of the states table (screens.md 3.43), and `choose` before them. */
export type StateName =
  | 'choose'
  | 'waiting'
  | 'network-behind'
  | 'price-lapsed'
  | 'detected'
  | 'confirming'
  | 'paid'
  | 'overpaid'
  | 'partly-open'
  | 'partly-lapsed'
  | 'expired'
  | 'late-counted'
  | 'late-held'
  | 'superseded'
  | 'cancelled'
  | 'other-network'
  | 'other-asset'
  | 'unapplied'
  | 'on-hold'
  | 'reverted'
  | 'unavailable'

/**
 * Decides what the payer sees. Money on its way outranks clocks and cancellations: a customer who paid is not asked to start again,
 * nor for money that may have arrived already.
 */
export function checkoutState(
  payment: PaymentPublic,
  options: readonly PaymentOption[],
  now: Date,
  paysAgain = false,
): StateName {
  const { paymentState, fundingState, repair } = payment
  if (paymentState === 'OVER_FILLED') return 'overpaid'
  if (paymentState === 'FILLED') return payment.late ? 'late-counted' : 'paid'
  if (paymentState === 'UNDEFINED' || repair?.kind === 'on_hold') return 'on-hold'
  const skips = paysAgain && canPayAgain(payment, now)
  if (fundingState === 'reverted' && paymentState !== 'CANCELLED' && !skips) return 'reverted'
  if (repair?.kind === 'send_rest' && now < lockEnd(payment)) return 'partly-open'
  if (fundingState === 'detected' || fundingState === 'confirming') return fundingState
  if (paymentState === 'PARTIALLY_FILLED') return now < lockEnd(payment) ? 'partly-open' : 'partly-lapsed'
  if (repair?.kind === 'unapplied' && !skips) return unapplied(payment)
  if (paymentState === 'CANCELLED') return cancelled(payment)
  return open(payment, options, now)
}

/** Tells whether the payment may still be paid as it was asked for, from the start. */
function canPayAgain(payment: PaymentPublic, now: Date): boolean {
  return payment.paymentState === 'OPEN' && isPinned(payment) && now < payment.expiresAt
}

/** Finds the newest deposit that does not count without a decision. */
export function unappliedDeposit({ deposits }: Pick<PaymentPublic, 'deposits'>): PublicDeposit | undefined {
  return deposits.findLast(({ state }) => state === 'unapplied')
}

function unapplied(payment: PaymentPublic): StateName {
  const deposit = unappliedDeposit(payment)
  if (deposit?.reason === 'late') return 'late-held'
  if (deposit && payment.currencySymbol !== null) {
    if (deposit.currencyCode !== payment.currencySymbol) return 'other-asset'
    if (deposit.blockchainCode !== payment.blockchainSymbol) return 'other-network'
  }
  return 'unapplied'
}

function cancelled(payment: PaymentPublic): StateName {
  if (payment.fundingState === 'confirmed') return 'late-held'
  if (payment.cancelReason === 'superseded') return 'superseded'
  return payment.cancelReason === 'merchant' ? 'cancelled' : 'expired'
}

function open(payment: PaymentPublic, options: readonly PaymentOption[], now: Date): StateName {
  if (payment.fundingState === 'confirmed') return 'confirming'
  if (now >= payment.expiresAt) return 'expired'
  if (!isPinned(payment)) return canPay({ options }) ? 'choose' : 'unavailable'
  if (now >= lockEnd(payment)) return 'price-lapsed'
  // The rate is locked already: reasons against a new one do not matter here.
  return pinnedOption(payment, options)?.obstacle === 'network' ? 'network-behind' : 'waiting'
}

/**
 * Gives what is still to be sent, in the asset's natural unit. Money that is seen and not final counts as sent: it is asked
 * for once.
 */
export function restOf({ repair, amountDue, amount }: PaymentPublic): string {
  const isMissing = repair?.kind === 'send_rest' || repair?.kind === 'rest_lapsed'
  return (isMissing ? repair.amount : null) ?? amountDue ?? amount ?? '0'
}

/** Tells whether coin, network, address and amount are chosen. */
export function isPinned(payment: PaymentPublic): boolean {
  return (
    payment.currencySymbol !== null &&
    payment.blockchainSymbol !== null &&
    payment.depositAddress !== null &&
    payment.amount !== null
  )
}

/** Tells until when the amount holds. */
export function lockEnd(payment: PaymentPublic): Date {
  return payment.rateLockedUntil ?? payment.expiresAt
}

/** Finds the option the payment is pinned to. */
export function pinnedOption(payment: PaymentPublic, options: readonly PaymentOption[]): PaymentOption | undefined {
  return options.find(
    (option) => option.blockchainCode === payment.blockchainSymbol && option.currencyCode === payment.currencySymbol,
  )
}

/** Tells whether the price has lapsed and there is no new one of the same asset. */
export function isPriceGone({ state, payment, options }: PriceQuestion): boolean {
  return state === 'price-lapsed' && pinnedOption(payment, options)?.ready === false
}

/** Tells whether there is anything the payment could be paid with now. */
export function canPay({ options }: Pick<PriceQuestion, 'options'>): boolean {
  return options.some(({ ready }) => ready)
}

type PriceQuestion = {
  readonly state: StateName
  readonly payment: PaymentPublic
  readonly options: readonly PaymentOption[]
}

/** Names the one option that can be paid, when there is nothing to choose between: the step may be skipped. */
export function onlyOption(options: readonly PaymentOption[]): PaymentOption | null {
  const [first, second] = options.filter((option) => option.ready)
  return first !== undefined && second === undefined ? first : null
}

/** Tells whether `/success` has something to show; otherwise the customer belongs on `/payments`. */
export function hasReceipt(payment: PaymentPublic): boolean {
  const isOnItsWay = payment.fundingState === 'detected' || payment.fundingState === 'confirming'
  return isPaid(payment) || (isOnItsWay && payment.repair === null)
}

/** Tells whether the merchant has its money. */
export function isPaid(payment: PaymentPublic): boolean {
  return payment.paymentState === 'FILLED' || payment.paymentState === 'OVER_FILLED'
}

/** Estimates the whole minutes until the last confirmation, rounded up; null when the network's pace is unknown. */
export function minutesLeft(payment: PaymentPublic): number | null {
  const seconds = findBlockchain(payment.blockchainSymbol ?? '')?.blockSeconds
  const missing = payment.confirmationRequired - payment.confirmationCurrent
  if (seconds === undefined || missing <= 0) return null
  return Math.ceil((missing * seconds) / 60)
}

/**
 * Tells whether a wallet link asks for exactly this address and amount: a page and its link must never disagree.
 * EIP-681 carries smallest units (`value`, `uint256`), the other schemes the natural unit (`amount`).
 */
export function linkAgrees(uri: string, address: string, amount: string, decimals: number): boolean {
  if (!foldLike(address, uri).includes(foldLike(address, address))) return false
  const query = new URLSearchParams(uri.split('?')[1] ?? '')
  const units = query.get('uint256') ?? query.get('value')
  const natural = query.get('amount')
  try {
    const due = parseUnits(amount, decimals)
    if (units !== null) return /^\d+$/.test(units) && BigInt(units) === due
    return natural !== null && parseUnits(natural, decimals) === due
  } catch {
    return false
  }
}

/** How states of payments are drawn: a tone and a word for every name of the wire. */
import type { CancelReason, FundingState, PaymentState } from '@kassa/contract/payments/machine.ts'
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'

import { usd } from '../lib/text/format.ts'
import type { Tone } from '../ui/feedback/tones.ts'

/** What a StatusBadge takes. */
export type Badge = { readonly tone: Tone; readonly word: string; readonly wire: string }

/** How a name of the wire looks. */
export type Look = { readonly tone: Tone; readonly word: MessageDescriptor }

export type PaymentFacts = {
  readonly state: PaymentState | 'UNDEFINED'
  readonly fundingState: FundingState
  /** Unknown in lists. */
  readonly cancelReason?: CancelReason | null
  readonly confirmations?: { readonly current: number; readonly required: number }
}

const PAYMENT: Readonly<Record<PaymentFacts['state'], Look>> = {
  OPEN: { tone: 'info', word: msg({ message: 'Open', context: 'state' }) },
  PARTIALLY_FILLED: { tone: 'warning', word: msg`Partly paid` },
  FILLED: { tone: 'success', word: msg`Paid` },
  OVER_FILLED: { tone: 'success', word: msg`Overpaid` },
  CANCELLED: { tone: 'neutral', word: msg`Cancelled` },
  UNDEFINED: { tone: 'danger', word: msg`Unknown` },
}

const CANCELLED: Readonly<Record<CancelReason, MessageDescriptor>> = {
  expired: msg`Expired`,
  superseded: msg`Replaced`,
  merchant: msg`Cancelled`,
}

/** What can be asked of the server about states (api.md Y18), in the words of the badges; the last names all that ended unpaid. */
export const PAYMENT_STATES = {
  OPEN: PAYMENT.OPEN.word,
  CONFIRMING: msg`Confirming`,
  PARTIALLY_FILLED: PAYMENT.PARTIALLY_FILLED.word,
  FILLED: PAYMENT.FILLED.word,
  OVER_FILLED: PAYMENT.OVER_FILLED.word,
  EXPIRED: CANCELLED.expired,
  REPLACED: CANCELLED.superseded,
  CANCELLED_BY_MERCHANT: CANCELLED.merchant,
  CANCELLED: msg`Ended unpaid`,
} as const satisfies Readonly<Record<string, MessageDescriptor>>

/** Returns the badge of a payment. Money that is seen and not final comes first while it may still change the state. */
export function paymentBadge({ state, fundingState, cancelReason, confirmations }: PaymentFacts): Badge {
  const isUnderway = fundingState === 'detected' || fundingState === 'confirming'
  if (isUnderway && state !== 'FILLED' && state !== 'OVER_FILLED') {
    return { tone: 'progress', word: confirmingText(confirmations), wire: `${state}, ${fundingState}` }
  }
  if (state === 'CANCELLED' && cancelReason) {
    return { tone: PAYMENT.CANCELLED.tone, word: t(CANCELLED[cancelReason]), wire: `${state}, ${cancelReason}` }
  }
  return badgeOf(PAYMENT[state], state)
}

export type ChipFacts = {
  readonly state: PaymentFacts['state']
  readonly fundingState: FundingState
  readonly late?: boolean
  readonly amountInUSD: string
  readonly filledAmountInUSD?: string | null | undefined
  readonly amountDueInUSD: string
  /** Some of its money is held until a person has looked. */
  readonly isOnHold: boolean
}

/** Returns by how much a payment is over or short; nothing for one that went as asked. */
export function paymentDifference(payment: ChipFacts): string | undefined {
  const surplus = overpaidUsd(payment)
  if (payment.state === 'OVER_FILLED' && surplus !== null) {
    const over = usd(surplus)
    return t`Over by ${over}`
  }
  // A payment that is short because a block was dropped usually recovers; "Reopened" says so.
  if (payment.state !== 'PARTIALLY_FILLED' || payment.fundingState === 'reverted') return undefined
  const missing = usd(payment.amountDueInUSD)
  return t`Short by ${missing}`
}

/** Returns what a payment's state alone does not say: late, on hold, reopened. */
export function paymentChips(payment: ChipFacts): Badge[] {
  const chips: Badge[] = []
  if (payment.late === true) chips.push({ tone: 'warning', word: t`Late`, wire: 'late' })
  if (payment.isOnHold) chips.push({ tone: 'danger', word: t`On hold`, wire: 'quarantined' })
  if (payment.fundingState === 'reverted') chips.push({ tone: 'danger', word: t`Reopened`, wire: 'reverted' })
  return chips
}

/** Returns by how many dollars more was paid than asked; null when it was not. */
export function overpaidUsd({ amountInUSD, filledAmountInUSD }: ChipFacts): string | null {
  if (filledAmountInUSD === null || filledAmountInUSD === undefined) return null
  const surplus = parseUnits(filledAmountInUSD, USD_DECIMALS) - parseUnits(amountInUSD, USD_DECIMALS)
  return surplus > 0n ? formatUnits(surplus, USD_DECIMALS) : null
}

/** Returns how far money that is seen has come. */
export function confirmingText(confirmations: PaymentFacts['confirmations']): string {
  if (confirmations === undefined || confirmations.required === 0) return t`Confirming`
  const { current, required } = confirmations
  return t`Confirming ${current}/${required}`
}

/** Returns the badge of a name of the wire; a name without a look is drawn neutral, made readable. */
export function badgeOf(look: Look | undefined, wire: string): Badge {
  return look === undefined
    ? { tone: 'neutral', word: readable(wire), wire }
    : { tone: look.tone, word: t(look.word), wire }
}

/** Returns a name of the wire as words: "sweep-paused" → "Sweep paused". */
export function readable(name: string): string {
  const words = name
    .replaceAll(/[-_.]+/g, ' ')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

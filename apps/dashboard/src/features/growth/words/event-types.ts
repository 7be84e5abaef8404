import { EVENT_TYPES, KASSA_PAYMENT_EVENT, type ReferralEventType } from '@kassa/contract/referral/machine.ts'
import type { ReferralEvent } from '@kassa/contract/referral/schemas.ts'
import { msg, t } from '@lingui/core/macro'

const TYPES = {
  simple: msg({ message: 'Simple', comment: 'an event without an amount' }),
  payment: msg({ message: 'Payment', comment: 'an event with an amount' }),
} as const

const SENTENCES = {
  simple: msg`Simple: something happened, such as a sign-up`,
  payment: msg`Payment: it has an amount that a percentage is taken of`,
} as const

/** What a type of event is called in a list. */
export function eventTypeWord(type: ReferralEventType): string {
  return t(TYPES[type])
}

/** The types to choose from, each with what it is for. */
export function eventTypes() {
  return EVENT_TYPES.map((type) => ({ value: type, label: t(SENTENCES[type]) }))
}

/** What an event is called; that of Kassa in the words of the screen. */
export function eventName({ key, name }: Pick<ReferralEvent, 'key' | 'name'>): string {
  return key === KASSA_PAYMENT_EVENT ? t`Payment through Kassa` : name
}

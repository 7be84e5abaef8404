import { describe, expect, it } from 'vitest'

import { payloadBadge } from './payload-badge.ts'

const message = { reference_id: '0192c3f0', status: 'OPEN', funding_state: 'none', cancel_reason: null }

describe('payloadBadge', () => {
  it.each([
    ['Open', {}],
    ['Confirming', { funding_state: 'detected' }],
    ['Paid', { status: 'FILLED', funding_state: 'confirmed' }],
    ['Replaced', { status: 'CANCELLED', cancel_reason: 'superseded' }],
    ['Cancelled', { status: 'CANCELLED', cancel_reason: 'of another time' }],
  ])('says %s as the list of payments does', (word, more) => {
    expect(payloadBadge('payment.filled', { ...message, ...more })?.word).toBe(word)
  })

  it.each([
    ['Paid', 'payout.processed', { status: 'processed' }],
    ['Sent 3/12', 'payout.sent', { status: 'sent', confirmation_current: 3, confirmation_required: 12 }],
    ['Counted', 'referral.event_logged', { data: { status: 'processed' } }],
    ['Owed', 'referral.reward_earned', { data: { status: 'pending' } }],
    ['Reversed', 'referral.reward_reversed', { data: { status: 'reversed' } }],
  ])('says %s of %s as its list does', (word, type, payload) => {
    expect(payloadBadge(type, payload)?.word).toBe(word)
  })

  it('has none for a message about something else, nor for a state it does not know', () => {
    const { reference_id: _reference, ...another } = { ...message, status: 'OPEN' }
    expect(payloadBadge('payment.created', another)).toBeUndefined()
    expect(payloadBadge('payment.created', { ...message, status: 'processed' })).toBeUndefined()
    expect(payloadBadge('payout.sent', { status: 'OPEN' })).toBeUndefined()
    expect(payloadBadge('referral.event_logged', {})).toBeUndefined()
  })
})

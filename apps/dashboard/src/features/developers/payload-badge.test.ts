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
    expect(payloadBadge({ ...message, ...more })?.word).toBe(word)
  })

  it.each([
    ['Queued', 'referral.event_logged', 'pending'],
    ['Waits for the payment', 'referral.event_logged', 'waiting'],
    ['Owed', 'referral.reward_earned', 'pending'],
    ['Reversed', 'referral.reward_reversed', 'reversed'],
  ])('says %s as the lists of the referral programme do', (word, event_type, status) => {
    expect(payloadBadge({ event_type, data: { status } })?.word).toBe(word)
  })

  it('has none for a message about something else, nor for a state it does not know', () => {
    const { reference_id: _reference, ...payout } = { ...message, status: 'OPEN' }
    expect(payloadBadge(payout)).toBeUndefined()
    expect(payloadBadge({ ...message, status: 'processed' })).toBeUndefined()
    expect(payloadBadge({ event_type: 'referral.reward_earned', data: { status: 'of another time' } })).toBeUndefined()
    expect(payloadBadge({ event_type: 'referral.reward_earned', data: null })).toBeUndefined()
  })
})

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

  it('has none for a message about something else, nor for a state it does not know', () => {
    const { reference_id: _reference, ...payout } = { ...message, status: 'OPEN' }
    expect(payloadBadge(payout)).toBeUndefined()
    expect(payloadBadge({ ...message, status: 'processed' })).toBeUndefined()
  })
})

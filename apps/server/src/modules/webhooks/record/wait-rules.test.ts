import { describe, expect, it } from 'vitest'

import { deliveryWait } from './wait-rules.ts'

const now = new Date('2026-11-20T05:10:44Z')
const [before, later] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)]
const due = {
  status: 'pending',
  attempt_count: 0,
  attempts_before: 0,
  leased_until: null,
  next_retry_at: before,
} as const
const free = { isEndpointOn: true, isProjectActive: true, earlierEvent: null }

describe('webhooks.deliveryWait', () => {
  it.each([
    ['is under review', { ...due, status: 'waiting_for_approval' as const }, free, 'deposit_on_hold'],
    ['is being sent', { ...due, attempt_count: 1, leased_until: later }, free, 'being_sent'],
    ['has an endpoint that is off', due, { ...free, isEndpointOn: false }, 'endpoint_off'],
    ['is of an archived project', due, { ...free, isProjectActive: false }, 'project_archived'],
    ['is due', due, free, 'in_line'],
    ['lost its worker', { ...due, attempt_count: 1, leased_until: before }, free, 'in_line'],
    ['was checked a moment ago', { ...due, next_retry_at: later }, free, 'in_line'],
    ['is sent again by hand', { ...due, attempt_count: 10, attempts_before: 10 }, free, 'in_line'],
  ])('of one that %s', (_what, delivery, facts, code) => {
    expect(deliveryWait(delivery, facts, now)).toEqual({ code, params: {} })
  })

  it('names the event that goes first, and counts the tries of this round', () => {
    const behind = { ...free, earlierEvent: 'payment.detected' }
    expect(deliveryWait(due, behind, now)).toEqual({ code: 'earlier_first', params: { event: 'payment.detected' } })
    const retried = { ...due, attempt_count: 12, attempts_before: 10, next_retry_at: later }
    expect(deliveryWait(retried, free, now)).toEqual({ code: 'next_try', params: { number: 3, most: 10 } })
  })

  it.each(['received', 'failed', 'discarded'] as const)('is none for one that is %s', (status) => {
    expect(deliveryWait({ ...due, status }, undefined, now)).toBeNull()
  })
})

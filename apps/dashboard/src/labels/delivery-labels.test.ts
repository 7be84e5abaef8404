import { DELIVERY_WAITS } from '@kassa/contract/webhooks/delivery-waits.ts'
import { withText, type Cause } from '@kassa/contract/kit/reason.ts'
import { DELIVERY_STATUSES } from '@kassa/contract/webhooks/delivery-statuses.ts'
import { describe, expect, it } from 'vitest'

import { deliveryBadge } from './delivery-labels.ts'
import { deliveryWaitText } from './delivery-waits.ts'

describe('deliveryBadge', () => {
  it('draws every status', () => {
    expect(DELIVERY_STATUSES.map((status) => deliveryBadge(status).word)).toEqual([
      'Waiting',
      'Delivered',
      'Failed',
      'Discarded',
      'On hold',
    ])
  })

  it('draws a name it does not know neutral and readable', () => {
    expect(deliveryBadge('sweep-paused')).toEqual({ tone: 'neutral', word: 'Sweep paused', wire: 'sweep-paused' })
  })
})

describe('deliveryWaitText', () => {
  const now = new Date(2026, 10, 20, 5, 10, 44)
  const retryAt = new Date(2026, 10, 20, 7, 20, 0)
  const said = (cause: Cause<typeof DELIVERY_WAITS>, at: Date | null = null) =>
    deliveryWaitText({ waits: withText(DELIVERY_WAITS, cause), next_retry_at: at }, now)

  it('says when the next try is, and which one', () => {
    const cause = { code: 'next_try', params: { number: 5, most: 10 } } as const
    expect(said(cause, retryAt)).toBe('Try 5 of 10 in 2 hours, at 07:20:00.')
    expect(said(cause, new Date(2026, 10, 20, 5, 10, 49))).toBe('Try 5 of 10 in less than a minute, at 05:10:49.')
    expect(said(cause, new Date(2026, 10, 20, 5, 16, 34))).toBe('Try 5 of 10 in 6 minutes, at 05:16:34.')
    expect(said(cause, new Date(2026, 10, 20, 6, 10, 34))).toBe('Try 5 of 10 in 1 hour, at 06:10:34.')
    expect(said(cause, now)).toBe('Try 5 of 10 is due now.')
  })

  it('names what goes first, and has words for every other reason', () => {
    expect(said({ code: 'earlier_first', params: { event: 'payment.detected' } })).toBe(
      'payment.detected of the same payment goes first.',
    )
    for (const code of ['deposit_on_hold', 'endpoint_off', 'project_archived', 'being_sent', 'in_line'] as const) {
      expect(said({ code, params: {} })).toMatch(/^\S.*\.$/)
    }
  })

  it('is empty for one that waits for nothing, and as the server wrote it for a code that is new', () => {
    expect(deliveryWaitText({ waits: null, next_retry_at: null }, now)).toBe('')
    const strange = { code: 'moon', params: {}, text: 'The moon is full.' } as never
    expect(deliveryWaitText({ waits: strange, next_retry_at: null }, now)).toBe('The moon is full.')
  })
})

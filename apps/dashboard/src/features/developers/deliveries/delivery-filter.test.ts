import { describe, expect, it } from 'vitest'

import { deliveryFilter, isNarrowed } from './delivery-filter.ts'

const NOW = new Date(2026, 10, 20, 14, 30)

describe('the filter of deliveries', () => {
  it('asks for whole days of the operator’s own zone', () => {
    const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(deliveryFilter({ created: 'today' }, NOW)).toEqual({
      limit: 50,
      dateFrom: '2026-11-20T00:00:00',
      dateTo: '2026-11-20T23:59:59',
      timezone,
    })
    const search = { created: 'last_7_days', status: 'failed', event: 'payment.filled' }
    expect(deliveryFilter(search, NOW)).toEqual({
      limit: 50,
      status: ['failed'],
      event: ['payment.filled'],
      dateFrom: '2026-11-14T00:00:00',
      dateTo: '2026-11-20T23:59:59',
      timezone,
    })
    expect(isNarrowed({ created: 'yesterday' })).toBe(true)
  })

  it('asks for one free day, a range of days and several states and events', () => {
    expect(deliveryFilter({ created: '2026-11-12' }, NOW)).toMatchObject({
      dateFrom: '2026-11-12T00:00:00',
      dateTo: '2026-11-12T23:59:59',
    })
    const search = { created: '2026-11-01..', status: 'failed,pending', event: 'payment.filled,payment.detected,odd' }
    const asked = deliveryFilter(search, NOW)
    expect(asked).toMatchObject({
      status: ['failed', 'pending'],
      event: ['payment.filled', 'payment.detected'],
      dateFrom: '2026-11-01T00:00:00',
    })
    expect(asked).not.toHaveProperty('dateTo')
    expect(isNarrowed({ created: '2026-11-12' })).toBe(true)
  })

  it('leaves out what names no days and no state', () => {
    const search = { created: 'someday', status: 'lost', cursor: 'abc' }
    expect(deliveryFilter(search, NOW)).toEqual({ limit: 50, cursor: 'abc' })
    expect(isNarrowed(search)).toBe(false)
  })
})

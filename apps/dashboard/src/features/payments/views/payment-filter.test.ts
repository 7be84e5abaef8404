import { describe, expect, it } from 'vitest'

import { paymentFields } from './filter-fields.ts'
import { filterOf, narrowingOf } from './payment-filter.ts'

const NOW = new Date(2026, 10, 20, 14, 30)

describe('the filter of payments', () => {
  it('still reads the addresses of old bookmarks', () => {
    expect(filterOf({ status: 'FILLED,OVER_FILLED', query: 'ann', sortBy: 'email', cursor: 'abc' })).toEqual({
      paymentStatus: ['FILLED', 'OVER_FILLED'],
      query: 'ann',
      sortBy: 'email',
      sortDirection: 'DESC',
      cursor: 'abc',
    })
  })

  it('asks for whole days of the operator’s own zone', () => {
    const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(narrowingOf({ created: '2026-11-01..2026-11-20' }, NOW)).toEqual({
      dateFrom: '2026-11-01T00:00:00',
      dateTo: '2026-11-20T23:59:59',
      timezone,
    })
    expect(narrowingOf({ updated: 'today' }, NOW)).toEqual({
      updatedAfter: '2026-11-20T00:00:00',
      updatedBefore: '2026-11-20T23:59:59',
      timezone,
    })
    expect(narrowingOf({ created: '..2026-11-20' }, NOW)).toEqual({ dateTo: '2026-11-20T23:59:59', timezone })
  })

  it('sends amounts digit by digit', () => {
    expect(narrowingOf({ amount: '0.10..49.000001' })).toEqual({ amountMin: '0.10', amountMax: '49.000001' })
    expect(narrowingOf({ amount: '49' })).toEqual({ amountMin: '49', amountMax: '49' })
  })

  it('sends every kind of choice', () => {
    const search = { webhook: 'failed', asset: 'USDC,ETH', network: 'BASE', createdBy: 'system', project: '3,4' }
    expect(narrowingOf(search)).toEqual({
      webhookStatus: ['failed'],
      currency: ['USDC', 'ETH'],
      network: ['BASE'],
      createdBy: ['system'],
      externalPlatformIds: ['3', '4'],
    })
  })

  it('leaves out what an address cannot ask for', () => {
    expect(filterOf({ status: 'NOPE', amount: 'ten', created: 'someday', asset: 'DOGE' })).toEqual({})
  })

  it('offers the project only where several are listed', () => {
    expect(paymentFields(undefined).map(({ label }) => label)).not.toContain('Project')
    expect(paymentFields([{ id: 3, name: 'Acme' }]).at(-1)).toMatchObject({ options: [{ value: '3', label: 'Acme' }] })
  })
})

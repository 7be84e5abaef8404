import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'
import { describe, expect, it } from 'vitest'

import { payoutFilter } from './payout-filter.ts'

describe('payoutFilter', () => {
  const now = new Date('2026-01-31T09:30:00Z')

  it.each(BLOCKCHAINS.map(({ code }) => code))('narrows to the network %s', (chain) => {
    expect(payoutFilter({ chain }, 'all', now).blockchainCode).toEqual([chain])
  })

  it.each(CURRENCIES.map(({ code }) => code))('narrows to the currency %s', (currency) => {
    expect(payoutFilter({ currency }, 'all', now).currencyCode).toEqual([currency])
  })

  it('shows as sent today what was sent today, whenever it was asked for', () => {
    const noon = new Date(2026, 10, 20, 12)
    const sentToday = { sentAfter: '2026-11-20T00:00:00', sentBefore: '2026-11-20T23:59:59' }
    const timezone = new Intl.DateTimeFormat().resolvedOptions().timeZone
    const filter = payoutFilter({}, 'today', noon)
    expect(filter).toEqual({ limit: 50, status: ['sent', 'processed'], ...sentToday, timezone })
    expect(payoutFilter({ created: '2026-11-01' }, 'today', noon)).toMatchObject({
      ...sentToday,
      dateFrom: '2026-11-01T00:00:00',
      dateTo: '2026-11-01T23:59:59',
    })
    expect(payoutFilter({ sent: '2026-11-01..' }, 'all', noon)).toEqual({
      limit: 50,
      sentAfter: '2026-11-01T00:00:00',
      timezone,
    })
  })
})

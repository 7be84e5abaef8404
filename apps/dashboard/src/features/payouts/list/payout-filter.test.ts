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
})

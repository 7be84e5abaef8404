import { describe, expect, it } from 'vitest'

import type { Payment } from '../payment/payment.ts'
import { appliedAs, unassignBlockedBy } from './rules.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 31, 9, 30 + minutes))
const usdc = { currencyCode: 'USDC', isStable: true }
const ether = { currencyCode: 'ETH', isStable: false }

/** Open for 15 minutes, at a price that is held as long. */
const asking = (currencyCode: string) =>
  ({ terms: { asset: { currencyCode } }, expiresAt: at(15), rateLockedUntil: at(15) }) as unknown as Payment

describe('payments.appliedAs', () => {
  it.each([
    ['a coin in time as it is', ether, 'ETH', at(0), { reason: 'assigned', late: false, needsWorth: false }],
    [
      'a coin from before the request as it is',
      ether,
      'ETH',
      at(-900),
      { reason: 'assigned', late: false, needsWorth: false },
    ],
    ['a coin in the slack as it is', ether, 'ETH', at(25), { reason: 'assigned', late: false, needsWorth: false }],
    ['a late coin for its worth', ether, 'ETH', at(26), { reason: 'price_lapsed', late: true, needsWorth: true }],
    ['a late stable coin as it is', usdc, 'USDC', at(26), { reason: 'assigned', late: true, needsWorth: false }],
    ['another currency for its worth', usdc, 'ETH', at(0), { reason: 'assigned', late: false, needsWorth: true }],
  ] as const)('counts %s', (_what, asset, asked, blockTime, expected) => {
    expect(appliedAs({ blockTime }, asset, asking(asked))).toEqual(expected)
  })

  it('counts a coin for its worth that came in time, but when the price had lapsed', () => {
    const lapsed = { ...asking('ETH'), expiresAt: at(60) }
    expect(appliedAs({ blockTime: at(30) }, ether, lapsed)).toEqual({
      reason: 'price_lapsed',
      late: false,
      needsWorth: true,
    })
  })
})

describe('payments.unassignBlockedBy', () => {
  it.each([
    ['seen', /not final yet/],
    ['confirmed', /not final yet/],
    ['reverted', /took this money back/],
    ['ignored', /counts for nobody/],
    ['applied', /Take it away from there first/],
    ['quarantined', /Release it first/],
  ] as const)('says of %s money what to do instead', (status, text) => {
    expect(unassignBlockedBy({ status }, 'unapplied')).toMatch(text)
  })

  it('lets money go that is where it must be', () => {
    expect(unassignBlockedBy({ status: 'unapplied' }, 'unapplied')).toBeNull()
    expect(unassignBlockedBy({ status: 'unapplied' }, 'quarantined')).toMatch(/kept for the customer/)
  })
})

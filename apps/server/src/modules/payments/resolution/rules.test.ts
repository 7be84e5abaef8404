import { describe, expect, it } from 'vitest'

import type { Payment } from '../payment/payment.ts'
import { appliedAs, depositBlockedBy } from './rules.ts'

const at = (minutes: number) => new Date(Date.UTC(2026, 0, 31, 9, 30 + minutes))
const usdc = { currencyCode: 'USDC', isStable: true }
const ether = { currencyCode: 'ETH', isStable: false }

/** Open for 15 minutes, with a rate locked as long. */
const asking = (currencyCode: string) =>
  ({ quote: { asset: { currencyCode } }, expiresAt: at(15), rateLockedUntil: at(15) }) as unknown as Payment

describe('payments.appliedAs', () => {
  it.each([
    ['a coin in time as it is', ether, 'ETH', at(0), { reason: 'assigned', late: false, needsValue: false }],
    [
      'a coin from before the request as it is',
      ether,
      'ETH',
      at(-900),
      { reason: 'assigned', late: false, needsValue: false },
    ],
    ['a coin in the slack as it is', ether, 'ETH', at(25), { reason: 'assigned', late: false, needsValue: false }],
    ['a late coin at its value', ether, 'ETH', at(26), { reason: 'price_lapsed', late: true, needsValue: true }],
    ['a late stable coin as it is', usdc, 'USDC', at(26), { reason: 'assigned', late: true, needsValue: false }],
    ['another currency at its value', usdc, 'ETH', at(0), { reason: 'assigned', late: false, needsValue: true }],
  ] as const)('counts %s', (_what, asset, asked, blockTime, expected) => {
    expect(appliedAs({ blockTime }, asset, asking(asked))).toEqual(expected)
  })

  it('counts a volatile coin at its value after the rate lock, within the payment’s time', () => {
    const lapsed = { ...asking('ETH'), expiresAt: at(60) }
    expect(appliedAs({ blockTime: at(30) }, ether, lapsed)).toEqual({
      reason: 'price_lapsed',
      late: false,
      needsValue: true,
    })
  })
})

describe('payments.depositBlockedBy', () => {
  it.each([
    ['seen', 'deposit_not_final'],
    ['reverted', 'deposit_reverted'],
    ['ignored', 'deposit_ignored'],
    ['applied', 'deposit_applied'],
    ['quarantined', 'deposit_quarantined'],
  ] as const)('keeps a %s deposit where it is: %s', (status, block) => {
    expect(depositBlockedBy({ status }, 'unapplied')).toBe(block)
  })

  it('allows a deposit in the required state only', () => {
    expect(depositBlockedBy({ status: 'unapplied' }, 'unapplied')).toBeNull()
    expect(depositBlockedBy({ status: 'unapplied' }, 'quarantined')).toBe('deposit_unapplied')
  })
})

import { describe, expect, it } from 'vitest'

import {
  fundedPayment,
  inMinutes,
  unappliedPayment,
  NOW,
  OPTIONS,
  pinnedPayment,
  sampleOption,
  samplePayment,
  SAMPLES,
} from '../testing/samples.ts'
import { checkoutState, hasReceipt, linkAgrees, minutesLeft, onlyOption } from './rules.ts'

describe('checkoutState', () => {
  for (const [state, view] of Object.entries(SAMPLES)) {
    it(`names the row "${state}"`, () => {
      expect(checkoutState(view.payment, view.options, view.now)).toBe(state)
    })
  }

  it('lets the price lapse at the very end of the lock, not before', () => {
    const payment = pinnedPayment({ rateLockedUntil: NOW })
    expect(checkoutState(payment, OPTIONS, NOW)).toBe('price-lapsed')
    expect(checkoutState(payment, OPTIONS, new Date(NOW.getTime() - 1))).toBe('waiting')
  })

  it('calls an open payment expired as soon as its time is over, before the server has cancelled it', () => {
    expect(checkoutState(pinnedPayment({ expiresAt: NOW }), OPTIONS, NOW)).toBe('expired')
    expect(checkoutState(samplePayment({ expiresAt: NOW }), OPTIONS, NOW)).toBe('expired')
  })

  it('shows money on its way after expiry, cancellation and supersession', () => {
    for (const cancelReason of ['expired', 'superseded', 'merchant'] as const) {
      const late = fundedPayment('49', {
        paymentState: 'CANCELLED',
        cancelReason,
        fundingState: 'detected',
        late: true,
      })
      expect(checkoutState(late, OPTIONS, NOW)).toBe('detected')
    }
    const waitsForFinality = fundedPayment('49', { fundingState: 'confirming', expiresAt: inMinutes(-5) })
    expect(checkoutState(waitsForFinality, OPTIONS, NOW)).toBe('confirming')
  })

  it('shows the rest of a partly paid payment on its way', () => {
    const payment = fundedPayment('48.6', { paymentState: 'PARTIALLY_FILLED', fundingState: 'confirming' })
    expect(checkoutState(payment, OPTIONS, NOW)).toBe('confirming')
  })

  it('keeps a payment paid when one of several deposits was taken back and the others suffice', () => {
    expect(checkoutState(fundedPayment('49', { paymentState: 'FILLED', fundingState: 'reverted' }), OPTIONS, NOW)).toBe(
      'paid',
    )
  })

  it('says that late money beyond the grace is held', () => {
    const payment = unappliedPayment(
      { reason: 'late' },
      { paymentState: 'CANCELLED', cancelReason: 'superseded', late: true },
    )
    expect(checkoutState(payment, OPTIONS, NOW)).toBe('late-held')
  })

  it('puts a state it does not know on hold rather than asking for money', () => {
    expect(checkoutState(pinnedPayment({ paymentState: 'UNDEFINED' }), OPTIONS, NOW)).toBe('on-hold')
  })

  it('cannot be paid when no option is ready', () => {
    const options = OPTIONS.map((option) => ({ ...option, ready: false }))
    expect(checkoutState(samplePayment(), options, NOW)).toBe('unavailable')
  })
})

describe('options', () => {
  it('leave nothing to choose when exactly one is ready', () => {
    const one = sampleOption('USDC', 'BASE', 'Base')
    const lagging = { ...one, currencyCode: 'BTC', ready: false }
    expect(onlyOption([lagging, one])).toBe(one)
    expect(onlyOption([one, { ...one }])).toBeNull()
    expect(onlyOption([lagging])).toBeNull()
  })
})

describe('linkAgrees', () => {
  const address = pinnedPayment().depositAddress ?? ''
  const token = pinnedPayment().paymentURI ?? ''

  it('accepts a link with this address and amount in smallest or natural units', () => {
    expect(linkAgrees(token, address, '49', 6)).toBe(true)
    expect(linkAgrees(`ethereum:${address.toLowerCase()}@1?value=16266000000000000`, address, '0.016266', 18)).toBe(
      true,
    )
    expect(linkAgrees('bitcoin:bc1qxyz?amount=0.00071&label=Acme', 'bc1qxyz', '0.00071', 8)).toBe(true)
  })

  it('refuses another amount, another address and no amount', () => {
    expect(linkAgrees(token, address, '0.4', 6)).toBe(false)
    expect(linkAgrees(token, '0x0000000000000000000000000000000000000001', '49', 6)).toBe(false)
    expect(linkAgrees(`ethereum:${address}@1`, address, '49', 6)).toBe(false)
    expect(linkAgrees(`ethereum:${address}@1?value=1e18`, address, '1', 18)).toBe(false)
  })
})

describe('minutesLeft', () => {
  it('rounds up by the pace of the network', () => {
    const pending = { confirmationCurrent: 3, confirmationRequired: 12 }
    expect(minutesLeft(pinnedPayment(pending))).toBe(1)
    expect(minutesLeft(pinnedPayment({ ...pending, blockchainSymbol: 'ETH' }))).toBe(2)
    expect(minutesLeft(pinnedPayment({ ...pending, blockchainSymbol: 'NEW' }))).toBeNull()
    expect(minutesLeft(pinnedPayment({ confirmationCurrent: 12, confirmationRequired: 12 }))).toBeNull()
  })
})

describe('hasReceipt', () => {
  it('holds for what is paid or on its way', () => {
    const shown = Object.entries(SAMPLES).filter(([, view]) => hasReceipt(view.payment))
    expect(shown.map(([state]) => state)).toEqual(['detected', 'confirming', 'paid', 'overpaid', 'late-counted'])
  })
})

import { describe, expect, it } from 'vitest'

import { amountsExample, confirmationExample, graceExample, lifetimeExample } from './policy-examples.ts'

describe('lifetimeExample', () => {
  it.each([
    ['15', 'A link made at 14:00 is open until 14:15, unless it says otherwise.'],
    ['600', 'A link made at 14:00 is open until 00:00 the next day, unless it says otherwise.'],
    ['10080', 'A link made at 14:00 is open until 14:00, 7 days later, unless it says otherwise.'],
    ['', 'Between 5 minutes and a week (10,080).'],
  ])('of %s minutes', (minutes, text) => {
    expect(lifetimeExample(minutes)).toBe(text)
  })
})

describe('amountsExample', () => {
  it.each([
    ['0', '', 'Links for any amount can be made.'],
    ['5', '', 'Links for $5.00 or more can be made. There is no upper limit.'],
    ['5', '500', 'Links from $5.00 to $500.00 can be made. Any other amount is refused.'],
  ])('from %s to %s', (min, max, text) => {
    expect(amountsExample(min, max)).toBe(text)
  })
})

describe('confirmationExample', () => {
  const rule = { key: 0, blockchainCode: 'BASE', upToUSD: '50', confirmations: '3', isFinalized: false }

  it('says when money counts', () => {
    expect(confirmationExample(rule)).toBe('On Base a payment of $50.00 counts after 3 blocks.')
    expect(confirmationExample({ ...rule, confirmations: '1' })).toBe(
      'On Base a payment of $50.00 counts after 1 block.',
    )
    expect(confirmationExample({ ...rule, isFinalized: true })).toBe(
      'On Base a payment of $50.00 counts when the network calls it final.',
    )
  })

  it('waits until the rule is complete', () => {
    expect(confirmationExample({ ...rule, confirmations: '' })).toBeUndefined()
    expect(confirmationExample({ ...rule, upToUSD: '' })).toBeUndefined()
  })
})

describe('graceExample', () => {
  it.each([
    ['0', 'Money after the end never counts by itself. It stays unmatched, for the customer.'],
    ['1', 'Money up to 1 hour after the end still counts. Later money stays unmatched, for the customer.'],
    ['24', 'Money up to 24 hours after the end still counts. Later money stays unmatched, for the customer.'],
    ['', 'For how long money after the end still counts.'],
  ])('of %j hours', (hours, text) => {
    expect(graceExample(hours)).toBe(text)
  })
})

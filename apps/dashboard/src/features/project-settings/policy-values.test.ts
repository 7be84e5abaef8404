import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { describe, expect, it } from 'vitest'

import { policyValues, shownRule } from './policy-values.ts'

const policy = {
  linkLifetimeMinutes: 15,
  openPaymentsPerCustomer: 'many',
  lateGraceHours: 1,
  maxAmountInUSD: null,
  confirmationRules: [
    { blockchainCode: 'BASE', upToUSD: '50', confirmations: 1 },
    { blockchainCode: 'ETH', upToUSD: '500', confirmations: 'finalized' },
  ],
} as unknown as PaymentPolicy

describe('shownRule', () => {
  const values = policyValues(policy)

  it.each([
    ['linkLifetimeMinutes', '15 minutes'],
    ['openPaymentsPerCustomer', 'Many'],
    ['lateGraceHours', '1 hour'],
    ['maxAmountInUSD', 'None'],
    ['confirmationRules', 'Base, up to $50.00: 1 block; Ethereum, up to $500.00: finalized'],
  ] as const)('puts %s in words', (name, text) => {
    expect(shownRule(name, values)).toBe(text)
  })
})

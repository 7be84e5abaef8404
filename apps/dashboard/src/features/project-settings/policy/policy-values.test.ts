import type { PaymentPolicy } from '@kassa/contract/projects/payment-policy.ts'
import { describe, expect, it } from 'vitest'

import { policyErrors, policyValues, ruleErrors, settingText } from './policy-values.ts'

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

describe('settingText', () => {
  const values = policyValues(policy)

  it.each([
    ['linkLifetimeMinutes', '15 minutes'],
    ['openPaymentsPerCustomer', 'Many'],
    ['lateGraceHours', '1 hour'],
    ['maxAmountInUSD', 'None'],
    ['confirmationRules', 'Base, up to $50.00: 1 block; Ethereum, up to $500.00: finalized'],
  ] as const)('puts %s in words', (name, text) => {
    expect(settingText(name, values)).toBe(text)
  })
})

describe('amounts of the policy', () => {
  const saved = {
    ...policy,
    confirmationRules: [{ blockchainCode: 'BASE', upToUSD: '0.125', confirmations: 1 }],
  } as unknown as PaymentPolicy
  const values = policyValues(saved)

  it('refuses what could mean a thousand and a thousandth', () => {
    const [rule] = values.confirmationRules
    const typed = {
      ...values,
      maxAmountInUSD: '10.000',
      confirmationRules: rule ? [{ ...rule, upToUSD: '1.234' }] : [],
    }
    expect(Object.keys(policyErrors(saved, typed)).toSorted()).toEqual(['confirmationRules', 'maxAmountInUSD'])
    expect([...ruleErrors(saved, typed).keys()]).toEqual(['0.upToUSD'])
  })

  it('leaves in peace what was saved so', () => {
    expect(policyErrors(saved, { ...values, maxAmountInUSD: '100' })).toEqual({})
    expect(ruleErrors(saved, values).size).toBe(0)
  })
})

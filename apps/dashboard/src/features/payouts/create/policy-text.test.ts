import { PayoutConfig } from '@kassa/contract/payout-policy/schemas.ts'
import { describe, expect, it } from 'vitest'

import { WIRE_POLICY } from '../../../testing/payout-answers.ts'
import { policyText } from './WhatHappens.tsx'

const textOf = (autoApproveLimitInUSD: string, ...quorumRules: { aboveUSD: string; approvals: number }[]) =>
  policyText(PayoutConfig.parse({ ...WIRE_POLICY.payoutConfig, autoApproveLimitInUSD, quorumRules }))

describe('policyText', () => {
  it('names the approvals of a step below the limit without approval, and each amount once', () => {
    const step = { aboveUSD: '90', approvals: 3 }
    expect(textOf('150', step)).toBe('Up to $90.00 needs no approval; above, 3 approvals, not yours')
    expect(textOf('150', step, { aboveUSD: '500', approvals: 4 })).toBe(
      'Up to $90.00 needs no approval; above, 3 approvals, not yours; over $500.00, 4 approvals',
    )
    expect(textOf('0', { aboveUSD: '0', approvals: 3 })).toBe('Every payout needs 3 approvals, not yours')
  })

  it('names the steps above the limit without approval', () => {
    expect(textOf('150', { aboveUSD: '500', approvals: 3 })).toBe(
      'Up to $150.00 needs no approval; above, 2 approvals, not yours; over $500.00, 3 approvals',
    )
    expect(textOf('150', { aboveUSD: '90', approvals: 1 })).toBe(
      'Up to $90.00 needs no approval; above, 2 approvals, not yours',
    )
  })
})

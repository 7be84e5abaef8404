import { withText } from '@kassa/contract/kit/reason.ts'
import { POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import { describe, expect, it } from 'vitest'

import { policyDecisionText } from './policy-labels.ts'

const NOTHING_USED = { hourUsed: '0', hourLimit: '1000', dayUsed: '0', dayLimit: '10000' }

describe('policyDecisionText', () => {
  it('names the limit that was exceeded, and no limit of zero', () => {
    const over = (aboveUSD: string) => {
      const rule = withText(POLICY_RULES, { code: 'over_step', params: { aboveUSD, approvals: 2 } })
      return policyDecisionText({ ...NOTHING_USED, approvalsNeeded: 2, fourEyes: true, rule })
    }
    expect(over('500')).toBe('2 approvals, not yours: over $500.00')
    expect(over('0')).toBe('2 approvals, not yours: for every amount')
  })
})

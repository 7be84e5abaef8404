import { withText } from '@kassa/contract/kit/reason.ts'
import { POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import { describe, expect, it } from 'vitest'

import { decidedText, quotedText, unaskedUpTo } from './policy-labels.ts'

const NOTHING_USED = { hourUsed: '0', hourLimit: '1000', dayUsed: '0', dayLimit: '10000' }

describe('quotedText', () => {
  it('names the limit that was exceeded, and no limit of zero', () => {
    const over = (aboveUSD: string) => {
      const rule = withText(POLICY_RULES, { code: 'over_step', params: { aboveUSD, approvals: 2 } })
      return quotedText({ ...NOTHING_USED, approvalsNeeded: 2, fourEyes: true, rule })
    }
    expect(over('500')).toBe('2 approvals, not yours: over $500.00')
    expect(over('0')).toBe('2 approvals, not yours: for every amount')
  })
})

describe('unaskedUpTo', () => {
  it('is the limit without approval, or the lowest step below it', () => {
    const upTo = (autoApproveLimitInUSD: string, ...steps: string[]) =>
      unaskedUpTo({ autoApproveLimitInUSD, quorumRules: steps.map((aboveUSD) => ({ aboveUSD })) })
    expect([upTo('150'), upTo('150', '500'), upTo('150', '500', '90'), upTo('0', '90')]).toEqual([
      '150',
      '150',
      '90',
      '0',
    ])
    expect(upTo('150', '', '9x')).toBe('150')
  })
})

describe('decidedText', () => {
  const decided = {
    ...{
      rule: 'over_auto_limit',
      policyVersion: 1,
      hourUsed: '0',
      dayUsed: '0',
      hourLimit: '0',
      limitUsed: '0',
      limit: '0',
    },
    ...{ fourEyes: true, list: null },
    reason: withText(POLICY_RULES, { code: 'over_auto_limit', params: { limitInUSD: '500' } }),
  }

  it('says how many people must agree, and why', () => {
    const text = (approvalsNeeded: number, fourEyes: boolean) => decidedText({ ...decided, approvalsNeeded, fourEyes })
    expect(text(1, true)).toBe('1 approval, not by the one who requested it: over $500.00')
    expect(text(2, false)).toBe('2 approvals: over $500.00')
    expect(text(0, false)).toBe('No approval needed: over $500.00')
  })
})

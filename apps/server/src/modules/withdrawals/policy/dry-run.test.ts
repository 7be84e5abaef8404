import { describe, expect, it } from 'vitest'

import { dryRun, type PastPayout } from './dry-run.ts'
import type { PayoutPolicy } from './rules.ts'

const START = Date.parse('2026-01-01T00:00:00.000Z')
const MINUTE = 60_000
const usd = (dollars: number) => BigInt(dollars) * 1_000_000n

const POLICY: PayoutPolicy = {
  projectId: 1,
  version: 1,
  autoApproveLimit: usd(100),
  hourlyLimit: usd(1000),
  dailyLimit: usd(10_000),
  quorum: 1,
  steps: [],
  fourEyes: 'auto',
  allowList: new Set(),
  recipientDelayHours: 0,
  paused: false,
  approvers: 3,
}

function payout(id: number, minutes: number, more: Partial<PastPayout> = {}): PastPayout {
  return {
    id,
    createdAt: new Date(START + minutes * MINUTE),
    usd: usd(100),
    address: `a${id % 7}`,
    addressProblem: null,
    knownSince: new Date(0),
    asset: { isPayable: true, decimals: 6, minUnits: null, maxUnits: null },
    units: 1n,
    alwaysByPeople: false,
    ...more,
  }
}
const run = (draft: Partial<PayoutPolicy>, payouts: readonly PastPayout[], before: readonly PastPayout[] = []) =>
  dryRun({ inForce: POLICY, draft: { ...POLICY, ...draft } }, payouts, { days: 90, before })

describe('policy.dryRun (X-4)', () => {
  const dozen = Array.from({ length: 12 }, (_, index) => payout(index + 1, index))

  it('counts the decisions of the draft, with sliding windows', () => {
    expect(run({}, dozen)).toMatchObject({ payouts: 12, wouldAutoApprove: 10, wouldNeedApproval: 2, samples: [] })
    // After an hour there is room for one more each minute.
    const later = [...dozen, payout(13, 60), payout(14, 60)]
    expect(run({}, later)).toMatchObject({ payouts: 14, wouldAutoApprove: 10, wouldNeedApproval: 4 })
    expect(run({}, [...dozen.slice(0, 10), payout(13, 60), payout(14, 60)])).toMatchObject({ wouldAutoApprove: 11 })
  })

  it('counts the day before the first', () => {
    expect(run({}, dozen, [payout(99, -30)])).toMatchObject({ wouldAutoApprove: 9 })
    expect(run({}, dozen, [payout(99, -61)])).toMatchObject({ wouldAutoApprove: 10 })
  })

  it('lists payouts that would be blocked, or need more or fewer approvals, newest first', () => {
    const blocked = run({ allowList: new Set(['a1']) }, dozen)
    expect(blocked).toMatchObject({ wouldBlock: 10, newlyBlocked: 10, needMoreApprovals: 0 })
    expect(blocked.samples[0]).toMatchObject({
      withdrawalID: 12,
      amountInUSD: '100',
      draft: { outcome: 'block', approvals: 0, reason: { code: 'not_on_allow_list' } },
      inForce: { outcome: 'approvals', approvals: 1, reason: { code: 'over_hourly_limit' } },
    })
    expect(run({ autoApproveLimit: usd(99) }, dozen)).toMatchObject({ needMoreApprovals: 10, wouldAutoApprove: 0 })
    expect(run({ hourlyLimit: usd(5000) }, dozen)).toMatchObject({ lessStrict: 2, wouldAutoApprove: 12 })
    // What a draft blocks takes no room in its windows.
    expect(run({ allowList: new Set(['a5']) }, dozen).samples.length).toBe(11)
  })

  it('tries ten thousand payouts, and keeps fifty as samples', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => payout(index + 1, index, { usd: usd(1) }))
    const { payouts, samples } = run({ autoApproveLimit: 0n }, many)
    expect([payouts, samples.length]).toEqual([10_000, 50])
  })
})

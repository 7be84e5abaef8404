/** A draft policy tried on the payouts of the last days: what it would have decided, and where that differs. */
import type { DryRun } from '@kassa/contract/payout-policy/schemas.ts'
import { POLICY_BLOCKS, POLICY_RULES } from '@kassa/contract/payout-policy/reasons.ts'
import { withText } from '@kassa/contract/kit/reason.ts'

import { decide, type PayoutPolicy, type PolicyDecision, type PolicyQuestion, usdText } from './rules.ts'

/** A payout as it was asked for. */
export type PastPayout = PolicyQuestion & { readonly id: number; readonly createdAt: Date }

/** Enough samples to understand what a draft changes. */
const MOST_SAMPLES = 50

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Decides each payout by both policies as of its own time. `payouts` are ascending by time; `before` are those of the day
 * before the first one, whose amounts count in its windows.
 */
export function dryRun(
  { draft, inForce }: { readonly draft: PayoutPolicy; readonly inForce: PayoutPolicy },
  payouts: readonly PastPayout[],
  { days, before = [] }: { readonly days: number; readonly before?: readonly PastPayout[] },
): DryRun {
  const counts = { wouldAutoApprove: 0, wouldNeedApproval: 0, wouldBlock: 0 }
  const changes = { newlyBlocked: 0, needMoreApprovals: 0, lessStrict: 0 }
  const changed: { readonly payout: PastPayout; readonly decided: Decided }[] = []
  // A payout that the draft blocks would not have been paid, so each policy has windows of its own.
  const windows = { draft: slidingWindows(), inForce: slidingWindows() }
  for (const payout of before) for (const window of Object.values(windows)) window.add(payout)
  for (const payout of payouts) {
    const decided = {
      draft: decide(draft, windows.draft.at(payout.createdAt), payout, payout.createdAt),
      inForce: decide(inForce, windows.inForce.at(payout.createdAt), payout, payout.createdAt),
    }
    if (decided.draft.kind !== 'block') windows.draft.add(payout)
    if (decided.inForce.kind !== 'block') windows.inForce.add(payout)
    counts[COUNT_OF[decided.draft.kind]] += 1
    const change = changeOf(decided.inForce, decided.draft)
    if (change === null) continue
    changes[change] += 1
    changed.push({ payout, decided })
  }
  const samples = changed
    .slice(-MOST_SAMPLES)
    .reverse()
    .map(({ payout, decided }) => sampleOf(payout, decided))
  return { days, payouts: payouts.length, ...counts, ...changes, samples }
}

/** How many whole days end now and begin a day after the first of these payouts; at least one. */
export function daysCovered(payouts: readonly PastPayout[], now: Date): number {
  const first = payouts[0]?.createdAt ?? now
  return Math.max(1, Math.floor((now.getTime() - first.getTime()) / DAY_MS) - 1)
}

type Decided = { readonly draft: PolicyDecision; readonly inForce: PolicyDecision }

const COUNT_OF = { auto: 'wouldAutoApprove', approvals: 'wouldNeedApproval', block: 'wouldBlock' } as const

function changeOf(
  inForce: PolicyDecision,
  draft: PolicyDecision,
): 'newlyBlocked' | 'needMoreApprovals' | 'lessStrict' | null {
  const [from, to] = [strictness(inForce), strictness(draft)]
  if (from === to) return null
  if (to < from) return 'lessStrict'
  return draft.kind === 'block' ? 'newlyBlocked' : 'needMoreApprovals'
}

/** How many people must agree; larger than any number of approvals where the policy blocks. */
function strictness(decision: PolicyDecision): number {
  if (decision.kind === 'auto') return 0
  return decision.kind === 'block' ? Number.POSITIVE_INFINITY : decision.needed
}

function sampleOf(payout: PastPayout, decided: Decided): DryRun['samples'][number] {
  return {
    withdrawalID: payout.id,
    createdAt: payout.createdAt,
    amountInUSD: payout.usd === null ? null : usdText(payout.usd),
    address: payout.address,
    draft: decisionView(decided.draft),
    inForce: decisionView(decided.inForce),
  }
}

function decisionView(decision: PolicyDecision): DryRun['samples'][number]['draft'] {
  if (decision.kind === 'block') {
    const { kind: outcome, until: _until, ...cause } = decision
    return { outcome, approvals: 0, reason: withText(POLICY_BLOCKS, cause) }
  }
  const approvals = decision.kind === 'approvals' ? decision.needed : 0
  return { outcome: decision.kind, approvals, reason: withText(POLICY_RULES, decision.rule) }
}

/** Sums of the hour and the day before a time that only grows: each payout is added once and dropped once. */
function slidingWindows() {
  const added: { readonly at: number; readonly usd: bigint }[] = []
  const ends = [
    { ms: HOUR_MS, first: 0, sum: 0n },
    { ms: DAY_MS, first: 0, sum: 0n },
  ]
  return {
    add({ createdAt, usd }: Pick<PastPayout, 'createdAt' | 'usd'>): void {
      added.push({ at: createdAt.getTime(), usd: usd ?? 0n })
      for (const end of ends) end.sum += usd ?? 0n
    },
    at(time: Date) {
      for (const end of ends) {
        for (let next = added[end.first]; next && next.at <= time.getTime() - end.ms; next = added[end.first]) {
          end.sum -= next.usd
          end.first += 1
        }
      }
      const [hour, day] = ends
      return { lastHour: hour?.sum ?? 0n, lastDay: day?.sum ?? 0n }
    },
  }
}

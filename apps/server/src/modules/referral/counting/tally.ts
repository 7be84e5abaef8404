import type { RewardedSide } from '@kassa/contract/referral/machine.ts'

import type { Pasts } from './pasts.ts'
import {
  type CountedCampaign,
  type CountedLog,
  leftOf,
  reward,
  type RewardCause,
  timeOf,
  type Verdict,
} from './rules.ts'
import type { Use } from './store.ts'

/** What a payment had brought when its log was counted, and what is left of it now. */
export type Bound = { readonly basis: bigint; readonly now: bigint }

export type Person = { readonly id: number; readonly isActive: boolean }

/** A log to be judged, who did it, who brought them, and by which campaigns it is counted, in their order. */
export type Judged = {
  readonly log: CountedLog
  readonly member: Person
  readonly promoter: Person
  readonly campaignIds: readonly number[]
}

/** What is known before the first log is judged; everything it covers is locked. */
export type Known = {
  readonly campaigns: ReadonlyMap<number, CountedCampaign>
  readonly isAttached: (campaignId: number, promoterId: number) => boolean
  /** The logs of a member that wait for the rest of a set, oldest first. */
  readonly waitingOf: (campaignId: number, memberId: number) => readonly CountedLog[]
  readonly pasts: Pasts
  /** The payments of the logs that name one. */
  readonly bound: ReadonlyMap<bigint, Bound>
}

/** A reward for a set, and what is left of it where a payment of the set has lost money already. */
export type Earned = {
  readonly campaignId: number
  readonly setLogId: bigint
  readonly side: RewardedSide
  readonly referrerId: number
  readonly relatedId: number
  readonly units: bigint
  readonly left: bigint
  readonly triggeredAt: Date
}

/** The result of judging logs. */
export type Tally = {
  readonly uses: readonly Use[]
  readonly rewards: readonly Earned[]
  /** Campaigns whose budget is used up. */
  readonly paused: ReadonlySet<number>
}

/** What has changed since the first log was judged. */
type State = {
  readonly given: Map<number, bigint>
  /** By campaign and member; members of whom no log was judged yet are in `Known`. */
  readonly waiting: Map<string, readonly CountedLog[]>
  readonly uses: Map<string, Use>
  readonly paused: Set<number>
  readonly rewards: Earned[]
}

/**
 * Judges logs by the reward rule, in the order given, each after the changes of the ones before it: the result is the same as
 * counting each alone. It neither reads nor writes.
 */
export function tally(known: Known, logs: readonly Judged[]): Tally {
  const state: State = {
    given: new Map([...known.campaigns].map(([id, campaign]) => [id, campaign.given])),
    ...{ waiting: new Map(), uses: new Map(), paused: new Set(), rewards: [] },
  }
  for (const one of logs) for (const campaignId of one.campaignIds) judge(known, state, { ...one, campaignId })
  return { uses: [...state.uses.values()], rewards: state.rewards, paused: state.paused }
}

/** A log and one campaign that judges it. */
type Case = Judged & { readonly campaignId: number }

function judge(known: Known, state: State, one: Case): void {
  const { log, member, promoter, campaignId } = one
  const campaign = campaignNow(known, state, campaignId)
  const mine = `${campaignId} ${member.id}`
  const waiting = state.waiting.get(mine) ?? known.waitingOf(campaignId, member.id)
  const referrer = { isActive: promoter.isActive, isAttached: known.isAttached(campaignId, promoter.id) }
  const verdict = reward(
    campaign,
    { member: { isActive: member.isActive, referrer }, newest: log, waiting },
    {
      referrer: known.pasts.of({ campaignId, side: 'referrer', referrerId: promoter.id }),
      referee: known.pasts.of({ campaignId, side: 'referee', referrerId: member.id }),
    },
  )
  const used = note(state, one, verdict)
  const rest = waiting.filter(({ id }) => !used.some((part) => part.id === id))
  state.waiting.set(mine, verdict.kind === 'waits' ? [...waiting, log] : rest)
  if (verdict.kind === 'rewards') accrue(known, state, { ...one, ...verdict })
  if (verdict.kind === 'waits' || !verdict.pauses || campaign.status !== 'active') return
  // Of a reward whose payment has lost money already, only a part is taken from the budget.
  const isUsedUp = campaign.budget !== null && campaignNow(known, state, campaignId).given >= campaign.budget
  if (verdict.kind === 'refused' || isUsedUp) state.paused.add(campaignId)
}

function campaignNow({ campaigns }: Known, { given, paused }: State, id: number): CountedCampaign {
  const terms = campaigns.get(id)
  if (!terms) throw new Error(`The campaign ${id} is not locked`)
  return { ...terms, given: given.get(id) ?? terms.given, status: paused.has(id) ? 'paused' : terms.status }
}

/** Records what the campaign made of the log and of those that waited for it; returns those it used up. */
function note({ uses }: State, { log, member, campaignId }: Case, verdict: Verdict): readonly CountedLog[] {
  const [outcome, cause] = outcomeOf(verdict)
  const used = verdict.kind === 'waits' || verdict.set.length === 0 ? [log] : verdict.set
  const setLogId = verdict.kind === 'waits' ? null : log.id
  for (const { id: logId } of used) {
    uses.set(`${campaignId} ${logId}`, { campaignId, logId, memberId: member.id, outcome, setLogId, cause })
  }
  return used
}

type GivenCase = Case & Extract<Verdict, { readonly kind: 'rewards' }>

function accrue(known: Known, state: State, one: GivenCase): void {
  const { log, member, promoter, campaignId, set, rewards } = one
  const payments = set.flatMap(({ id }) => known.bound.get(id) ?? [])
  const at = timeOf(set)
  for (const { side, units } of rewards) {
    const [own, other] = side === 'referrer' ? [promoter, member] : [member, promoter]
    const left = leftOf(units, payments)
    state.rewards.push({
      ...{ campaignId, setLogId: log.id, side, referrerId: own.id, relatedId: other.id },
      ...{ units, left, triggeredAt: at },
    })
    state.given.set(campaignId, (state.given.get(campaignId) ?? 0n) + left)
    // A completely reversed reward does not count.
    if (left > 0n) known.pasts.add({ campaignId, side, referrerId: own.id }, { units: left, at, isNew: true })
  }
}

function outcomeOf(verdict: Verdict): readonly [Use['outcome'], RewardCause | null] {
  if (verdict.kind === 'rewards') return ['rewarded', null]
  return [verdict.kind, verdict.cause]
}

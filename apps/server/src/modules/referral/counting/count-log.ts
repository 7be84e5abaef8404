/** Counts one log: what each campaign makes of it, with its rewards and their entries, in one transaction. */
import type { EventLogFailures } from '@kassa/contract/referral/reasons.ts'
import type { RewardedSide } from '@kassa/contract/referral/machine.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { addGiven, type KeyedCampaign, listAttached, listCounting, lockCampaignRows } from '../campaigns/store.ts'
import { listPaymentFacts } from '../logs/payment-store.ts'
import { type KeyedLog, lockPending, moveFailed, moveLogs, moveProcessed } from '../logs/store.ts'
import { lockReferrers, type ReferrerRow } from '../referrers/service.ts'
import { listReferrers } from '../referrers/store.ts'
import { accrueRewards } from '../rewards/service.ts'
import { amountText } from '../rewards/view.ts'
import { adjustSets, countedOf, historyIn, pauseByBudget } from './follow-payments.ts'
import { type CountedLog, type Given, reward, type RewardCause, timeOf, type Verdict } from './rules.ts'
import { listWaiting, upsertUses, type WaitingRow } from './store.ts'

/** Counts a log that waits for it; one that does not (any more) is left alone, so it may be repeated. */
export async function countLog(ctx: Context, id: bigint): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const log = await lockPending(tx, id)
    if (!log) return
    const counted = await amountsOf(tx, log)
    if (counted === 'waits') return void (await moveLogs(tx, [id], { from: 'pending', to: 'waiting' }))
    if ('code' in counted) return moveFailed(tx, id, counted)
    const [member] = await listReferrers(tx, [log.member_id])
    if (!member || member.referred_by === null) return moveFailed(tx, id, { code: 'NOT_REFERRED', params: {} })
    const campaigns = await lockCampaignRows(tx, await listCounting(tx, log.event_id))
    const people = await lockPeople(tx, member)
    await moveProcessed(tx, id, counted)
    await countFor(tx, campaigns, people, { ...log, amount: counted.amount === null ? null : String(counted.amount) })
  })
}

type Amounts = { readonly amount: bigint | null; readonly basis: bigint | null }

/** The amount that a log counts with, and what its payment has brought, once that is filled. */
async function amountsOf(tx: Context, log: KeyedLog): Promise<Amounts | 'waits' | Cause<EventLogFailures>> {
  const given = log.amount === null ? null : BigInt(log.amount)
  if (log.payment_id === null) return { amount: given, basis: null }
  const payment = (await listPaymentFacts(tx, [log.payment_id])).get(log.payment_id)
  if (!payment?.isFilled || payment.filled <= 0n) return 'waits'
  if (log.event_type === 'simple') return { amount: null, basis: payment.filled }
  if (given !== null && given > payment.filled) {
    const params = { amount: amountText(given), filled: amountText(payment.filled) }
    return { code: 'AMOUNT_ABOVE_PAYMENT', params }
  }
  return { amount: given ?? payment.filled, basis: payment.filled }
}

type People = { readonly member: ReferrerRow; readonly promoter: ReferrerRow }

async function lockPeople(tx: Context, { id, referred_by: promoterId }: ReferrerRow): Promise<People> {
  const locked = await lockReferrers(tx, [id, ...(promoterId === null ? [] : [promoterId])])
  const [member, promoter] = [locked.find((one) => one.id === id), locked.find((one) => one.id === promoterId)]
  if (!member || !promoter) throw new Error(`Member ${id} has no promoter`)
  return { member, promoter }
}

async function countFor(
  tx: Context,
  campaigns: readonly KeyedCampaign[],
  people: People,
  log: KeyedLog,
): Promise<void> {
  const ids = campaigns.map(({ id }) => id)
  const attached = await listAttached(tx, people.promoter.id, ids)
  const waiting = await listWaiting(tx, people.member.id, ids)
  for (const row of campaigns) {
    const { member, promoter } = people
    const campaign = countedOf(row)
    const history = await historyIn(tx, { ...campaign, id: row.id }, { referrer: promoter.id, referee: member.id })
    const verdict = reward(
      campaign,
      {
        member: {
          isActive: member.status === 'active',
          referrer: { isActive: promoter.status === 'active', isAttached: attached.has(row.id) },
        },
        newest: countedLog(log),
        waiting: waiting.filter(({ campaign_id }) => campaign_id === row.id).map(countedLog),
      },
      history,
    )
    await apply(tx, row, { people, log, verdict })
  }
}

function countedLog({ id, event_key, amount, triggered_at }: Omit<WaitingRow, 'campaign_id'>): CountedLog {
  return { id, eventKey: event_key, amount: amount === null ? null : BigInt(amount), triggeredAt: triggered_at }
}

async function apply(
  tx: Context,
  campaign: KeyedCampaign,
  { people, log, verdict }: { readonly people: People; readonly log: KeyedLog; readonly verdict: Verdict },
): Promise<void> {
  const use = (logId: bigint, outcome: 'rewarded' | 'waits' | 'refused', cause: RewardCause | null) => ({
    ...{ campaignId: campaign.id, logId, memberId: people.member.id, outcome, cause },
    setLogId: outcome === 'waits' ? null : log.id,
  })
  if (verdict.kind === 'waits') return upsertUses(tx, [use(log.id, 'waits', verdict.cause)])
  if (verdict.kind === 'refused') {
    const used = verdict.set.length > 0 ? verdict.set.map(({ id }) => id) : [log.id]
    await upsertUses(
      tx,
      used.map((id) => use(id, 'refused', verdict.cause)),
    )
    return verdict.pauses ? pauseByBudget(tx, campaign) : undefined
  }
  await upsertUses(
    tx,
    verdict.set.map(({ id }) => use(id, 'rewarded', null)),
  )
  const sumOf = (rewards: readonly Given[]) => rewards.reduce((sum, { units }) => sum + units, 0n)
  const total = sumOf(verdict.rewards)
  const toReferees = sumOf(verdict.rewards.filter(({ side }) => side === 'referee'))
  await addGiven(tx, campaign.id, { units: total, toReferees, rewards: verdict.rewards.length })
  await accrueRewards(
    tx,
    verdict.rewards.map(({ side, units }) => ({
      ...{ projectId: campaign.project_id, campaignId: campaign.id, setLogId: log.id, side, units },
      ...whoGets(side, people),
      unitId: campaign.unit_id,
      triggeredAt: timeOf(verdict.set),
    })),
  )
  if (verdict.pauses) await pauseByBudget(tx, campaign)
  const now = { ...campaign, given: String(BigInt(campaign.given) + total) }
  await adjustSets(tx, [now], [{ campaignId: campaign.id, setLogId: log.id }], 'PAYMENT_REFUNDED')
}

function whoGets(side: RewardedSide, { member, promoter }: People): { referrerId: number; relatedId: number } {
  return side === 'referrer'
    ? { referrerId: promoter.id, relatedId: member.id }
    : { referrerId: member.id, relatedId: promoter.id }
}

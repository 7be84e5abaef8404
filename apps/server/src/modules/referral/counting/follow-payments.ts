/** What is left of rewards whose payments lost money, or got it back (money.md 4.4). */
import { campaignMachine, type RewardedSide } from '@kassa/contract/referral/machine.ts'
import type { RewardReversal } from '@kassa/contract/referral/reasons.ts'

import type { Context } from '../../../context.ts'
import { countedCampaign } from '../campaigns/rules.ts'
import { announce } from '../campaigns/service.ts'
import { addGiven, type KeyedCampaign, lockCampaignRows, moveCampaign } from '../campaigns/store.ts'
import { listPaymentFacts } from '../logs/payment-store.ts'
import { lockReferrers } from '../referrers/service.ts'
import { currencyOf, leftOfReward, listPast, type RewardRow, rewardsOfSets, setLeft } from '../rewards/service.ts'
import { type CountedCampaign, type History, historyOf, isLimited, leftOf, mayReturn } from './rules.ts'
import { type BoundRow, listBoundPayments, listSetsOfLogs, type SetKey } from './store.ts'

/**
 * Sets what is left of every reward for sets with these logs, by what their payments hold now. It computes from facts, so
 * repeating it changes nothing. The logs are locked.
 */
export async function followPayments(tx: Context, logIds: readonly bigint[], reason: RewardReversal): Promise<void> {
  const sets = logIds.length === 0 ? [] : await listSetsOfLogs(tx, logIds)
  if (sets.length === 0) return
  const campaigns = await lockCampaignRows(tx, [...new Set(sets.map(({ campaignId }) => campaignId))])
  await lockReferrers(
    tx,
    (await rewardsOfSets(tx, sets)).map(({ referrer_id }) => referrer_id),
  )
  await adjustSets(tx, campaigns, sets, reason)
}

/** The same for sets whose campaigns and people are locked. */
export async function adjustSets(
  tx: Context,
  campaigns: readonly KeyedCampaign[],
  sets: readonly SetKey[],
  reason: RewardReversal,
): Promise<void> {
  const bound = await listBoundPayments(tx, sets)
  const facts = await listPaymentFacts(tx, [...new Set(bound.map(({ payment_id }) => payment_id))])
  const given = new Map(campaigns.map((row) => [row.id, BigInt(row.given)]))
  for (const reward of await rewardsOfSets(tx, sets)) {
    const row = campaigns.find(({ id }) => id === reward.campaign_id)
    if (!row) continue
    const payments = bound
      .filter((one) => isOf(one, reward))
      .map(({ payment_id, basis }) => ({ basis: BigInt(basis), now: facts.get(payment_id)?.left ?? 0n }))
    const now = leftOfReward(reward)
    const left = leftOf(BigInt(reward.units), payments)
    if (left === now) continue
    const campaign = { ...countedOf(row), given: given.get(row.id) ?? 0n }
    if (left > now && !(await isFree(tx, campaign, { reward, units: left - now }))) continue
    given.set(row.id, campaign.given + left - now)
    const rewards = Number(left > 0n) - Number(now > 0n)
    const toReferees = reward.side === 'referee' ? left - now : 0n
    await addGiven(tx, row.id, { units: left - now, toReferees, rewards })
    await setLeft(tx, reward, { left, reason: left > now ? (reward.reason_code ?? reason) : reason })
    if (campaign.budget !== null && campaign.given + left - now >= campaign.budget) await pauseByBudget(tx, row)
  }
}

function isOf(bound: BoundRow, reward: RewardRow): boolean {
  return bound.campaign_id === reward.campaign_id && bound.set_log_id === reward.set_log_id
}

/** Whether the limits of the campaign still have room for units of a reward that come back. */
async function isFree(
  tx: Context,
  campaign: CountedCampaign,
  { reward, units }: { readonly reward: RewardRow; readonly units: bigint },
): Promise<boolean> {
  const { referrer_id: id, side, triggered_at: at } = reward
  const history = await historyIn(tx, { ...campaign, id: reward.campaign_id }, { referrer: id, referee: id })
  return mayReturn(campaign, { units, left: leftOfReward(reward), at }, history[side])
}

/** What a campaign gave people so far; nothing is read where no limit asks for it. */
export async function historyIn(
  tx: Context,
  campaign: CountedCampaign & { readonly id: number },
  people: Readonly<Record<RewardedSide, number>>,
): Promise<History> {
  return historyOf(isLimited(campaign) ? await listPast(tx, campaign.id, people) : [])
}

/** A locked campaign as the reward rule takes it. */
export function countedOf(row: KeyedCampaign): CountedCampaign {
  return countedCampaign(row, { currencyCode: currencyOf(row.unit_id), eventKeys: row.event_keys })
}

/** Pauses a campaign whose budget is used up, unless it is not active (any more). */
export async function pauseByBudget(tx: Context, row: KeyedCampaign): Promise<void> {
  const move = { from: campaignMachine.moves.pause.from, to: 'paused', because: 'budget' } as const
  if (await moveCampaign(tx, row.id, move)) await announce(tx, row)
}

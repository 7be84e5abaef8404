/** Adjusts rewards whose payments lost money, or got it back (money.md 4.4). */
import { campaignMachine } from '@kassa/contract/referral/machine.ts'
import type { RewardReversal } from '@kassa/contract/referral/reasons.ts'

import type { Context } from '../../../context.ts'
import { countedCampaign } from '../campaigns/rules.ts'
import { announce } from '../campaigns/service.ts'
import { addGiven, type GivenChange, type KeyedCampaign, lockCampaignRows, moveCampaign } from '../campaigns/store.ts'
import { listPaymentFacts } from '../logs/payment-store.ts'
import { lockReferrers } from '../referrers/service.ts'
import {
  currencyOf,
  leftOfReward,
  listPast,
  type PersonKey,
  type RewardRow,
  rewardsOfSets,
  setLeft,
} from '../rewards/service.ts'
import { openPasts } from './pasts.ts'
import { type CountedCampaign, isLimited, leftOf, mayOweAgain } from './rules.ts'
import { listBoundPayments, listCampaignsOfLogs, listSetsOfLogs, type SetKey } from './store.ts'

/**
 * Sets what is left of every reward for sets with these logs, by what their payments hold now. It computes from facts, so
 * repeating it changes nothing. The logs are locked. Campaigns are locked too when a log still waits for the rest of its set,
 * so that the call that completes the set sees the payment's deposits afterwards.
 */
export async function followPayments(tx: Context, logIds: readonly bigint[], reason: RewardReversal): Promise<void> {
  const campaignIds = logIds.length === 0 ? [] : await listCampaignsOfLogs(tx, logIds)
  if (campaignIds.length === 0) return
  const campaigns = await lockCampaignRows(tx, campaignIds)
  const sets = await listSetsOfLogs(tx, logIds)
  if (sets.length === 0) return
  await lockReferrers(
    tx,
    (await rewardsOfSets(tx, sets)).map(({ referrer_id }) => referrer_id),
  )
  const changes = await changesOf(tx, campaigns, sets)
  // Losses come first, because what is lost frees room in limits for what comes back.
  const lost = changes.filter(({ left, now }) => left < now)
  await apply(tx, lost, reason)
  const given = new Map(campaigns.map((row) => [row.id, BigInt(row.given)]))
  for (const { campaignId, units } of sumsOf(lost.map(givenBy))) {
    given.set(campaignId, (given.get(campaignId) ?? 0n) + units)
  }
  const back = changes.filter(({ left, now }) => left > now)
  await oweAgain(tx, { back, given }, reason)
}

/** A reward, how much of it is left, and how much is to be left. */
type Change = {
  readonly row: RewardRow
  readonly campaign: KeyedCampaign
  readonly now: bigint
  readonly left: bigint
}

async function changesOf(tx: Context, campaigns: readonly KeyedCampaign[], sets: readonly SetKey[]): Promise<Change[]> {
  const bound = await listBoundPayments(tx, sets)
  const facts = await listPaymentFacts(tx, [...new Set(bound.map(({ payment_id }) => payment_id))])
  const keyOf = (set: { readonly campaign_id: number; readonly set_log_id: bigint }) =>
    `${set.campaign_id} ${set.set_log_id}`
  const paymentsOf = Map.groupBy(bound, keyOf)
  const campaignOf = new Map(campaigns.map((row) => [row.id, row]))
  return (await rewardsOfSets(tx, sets)).flatMap((row) => {
    const payments = (paymentsOf.get(keyOf(row)) ?? []).map(({ payment_id, basis }) => {
      return { basis: BigInt(basis), now: facts.get(payment_id)?.left ?? 0n }
    })
    const campaign = campaignOf.get(row.campaign_id)
    const [now, left] = [leftOfReward(row), leftOf(BigInt(row.units), payments)]
    return campaign === undefined || left === now ? [] : [{ row, campaign, now, left }]
  })
}

async function apply(tx: Context, changes: readonly Change[], reason: RewardReversal): Promise<void> {
  await addGiven(tx, sumsOf(changes.map(givenBy)))
  await setLeft(
    tx,
    changes.map(({ row, now, left }) => ({ row, left, reason: left > now ? (row.reason_code ?? reason) : reason })),
  )
}

function givenBy({ row, now, left }: Change): GivenByReward {
  const rewards = Number(left > 0n) - Number(now > 0n)
  return { campaignId: row.campaign_id, side: row.side, units: left - now, rewards }
}

type GivenByReward = Omit<GivenChange, 'toReferees'> & Pick<PersonKey, 'side'>

/** The change of each campaign's sum. */
export function sumsOf(changes: readonly GivenByReward[]): GivenChange[] {
  return [...Map.groupBy(changes, ({ campaignId }) => campaignId)].map(([campaignId, own]) => {
    const units = (some: typeof own) => some.reduce((sum, change) => sum + change.units, 0n)
    return {
      campaignId,
      units: units(own),
      toReferees: units(own.filter(({ side }) => side === 'referee')),
      rewards: own.reduce((sum, change) => sum + change.rewards, 0),
    }
  })
}

/** Owes again what came back, in the order of the rewards, as far as the limits of the campaigns allow. */
async function oweAgain(
  tx: Context,
  { back, given }: { readonly back: readonly Change[]; readonly given: Map<number, bigint> },
  reason: RewardReversal,
): Promise<void> {
  const terms = new Map(back.map(({ campaign }) => [campaign.id, countedOf(campaign)]))
  const limited = back.filter(({ row }) => isLimited(ofCampaign(terms, row.campaign_id)))
  const pasts = openPasts(
    await listPast(
      tx,
      limited.map(({ row }) => personOf(row)),
    ),
  )
  const returned = back.filter(({ row, now, left }) => {
    const before = ofCampaign(given, row.campaign_id)
    const [campaign, person] = [{ ...ofCampaign(terms, row.campaign_id), given: before }, personOf(row)]
    const [units, at] = [left - now, row.triggered_at]
    if (!mayOweAgain(campaign, { units, left: now, at }, pasts.of(person))) return false
    given.set(row.campaign_id, before + units)
    pasts.add(person, { units, at, isNew: now === 0n })
    return true
  })
  await apply(tx, returned, reason)
  for (const campaign of new Set(returned.map((change) => change.campaign))) {
    const { budget } = ofCampaign(terms, campaign.id)
    if (budget !== null && ofCampaign(given, campaign.id) >= budget) await pauseByBudget(tx, campaign)
  }
}

/** The facts of a locked campaign. */
export function ofCampaign<T>(known: ReadonlyMap<number, T>, id: number): T {
  const found = known.get(id)
  if (found === undefined) throw new Error(`The campaign ${id} is not locked`)
  return found
}

function personOf({ campaign_id: campaignId, side, referrer_id: referrerId }: RewardRow): PersonKey {
  return { campaignId, side, referrerId }
}

/** A locked campaign as the reward rule takes it. */
export function countedOf(row: KeyedCampaign): CountedCampaign {
  return countedCampaign(row, { currencyCode: currencyOf(row.unit_id), eventKeys: row.event_keys })
}

/** Pauses an active campaign whose budget is used up. */
export async function pauseByBudget(tx: Context, row: KeyedCampaign): Promise<void> {
  const move = { from: campaignMachine.moves.pause.from, to: 'paused', because: 'budget' } as const
  if (await moveCampaign(tx, row.id, move)) await announce(tx, row)
}

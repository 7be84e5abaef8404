/**
 * Counts logs: applies every campaign to them and stores the rewards and entries. Logs that wait at the same time are counted
 * in one transaction, with the same result as one by one (decision 0063).
 */
import type { EventLogFailures } from '@kassa/contract/referral/reasons.ts'
import type { Cause } from '@kassa/contract/kit/reason.ts'

import { type Context, inTransaction } from '../../../context.ts'
import { addGiven, listAttached, listCounting, lockCampaignRows } from '../campaigns/store.ts'
import { listPaymentFacts, type PaymentFacts } from '../logs/payment-store.ts'
import { type Counted, type KeyedLog, lockPending, moveFailed, moveLogs, moveProcessed } from '../logs/store.ts'
import { lockReferrers, type ReferrerRow } from '../referrers/service.ts'
import { listReferrers } from '../referrers/store.ts'
import { accrueRewards, listPast, setLeft } from '../rewards/service.ts'
import { amountText } from '../rewards/view.ts'
import { countedOf, ofCampaign, pauseByBudget, sumsOf } from './follow-payments.ts'
import { openPasts, type Pasts } from './pasts.ts'
import { type CountedCampaign, type CountedLog, isLimited } from './rules.ts'
import { listWaiting, upsertUses } from './store.ts'
import { type Bound, type Earned, type Judged, type Person, tally } from './tally.ts'

/** The most pairs of a log and a campaign in one transaction, unless a single log has more. */
const MOST_USES = 1_000

/** Counts one waiting log; does nothing when it no longer waits, so it may be repeated. */
export async function countLog(ctx: Context, id: bigint): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const log = await lockPending(tx, id)
    if (log) await countLogs(tx, [log])
  })
}

/**
 * Counts waiting logs, which are locked, in the order given; returns how many. Where there are many campaigns, the last logs
 * are left for another transaction.
 */
export async function countLogs(tx: Context, logs: readonly KeyedLog[]): Promise<number> {
  const counting = await listCounting(tx, unique(logs.map(({ event_id }) => event_id)))
  const campaignsOf = ({ event_id }: KeyedLog) => counting.get(event_id) ?? []
  const taken = withinMost(logs, (log) => campaignsOf(log).length)
  const ready = await readyOf(tx, taken)
  if (ready.length === 0) return taken.length
  const rows = await lockCampaignRows(tx, unique(ready.flatMap(({ log }) => campaignsOf(log))))
  const people = await lockPeople(tx, ready)
  const judged = ready.map(({ log, amount, member }): Judged => {
    const counted = { id: log.id, eventKey: log.event_key, amount, triggeredAt: log.triggered_at }
    return { log: counted, ...people(member), campaignIds: campaignsOf(log) }
  })
  const campaigns = new Map(rows.map((row) => [row.id, countedOf(row)]))
  const { waitingOf, bound } = await waitingIn(tx, campaigns, judged)
  const known = {
    ...{ campaigns, waitingOf },
    isAttached: await attachedIn(tx, campaigns, judged),
    pasts: await pastsIn(tx, campaigns, judged),
    bound: new Map([...bound, ...ready.flatMap(({ log, now }) => (now === null ? [] : [[log.id, now] as const]))]),
  }
  const { uses, rewards, paused } = tally(known, judged)
  await upsertUses(tx, uses)
  await moveProcessed(tx, ready.map(countedWith))
  for (const row of rows) if (paused.has(row.id)) await pauseByBudget(tx, row)
  await storeRewards(tx, rewards, new Map(rows.map((row) => [row.id, row])))
  return taken.length
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function withinMost(logs: readonly KeyedLog[], usesOf: (log: KeyedLog) => number): readonly KeyedLog[] {
  let uses = 0
  const first = logs.findIndex((log, at) => (uses += usesOf(log)) > MOST_USES && at > 0)
  return first === -1 ? logs : logs.slice(0, first)
}

/** A log that counts, with its amount and what its payment has brought by now. */
type Ready = {
  readonly log: KeyedLog
  readonly amount: bigint | null
  readonly now: Bound | null
  readonly member: ReferrerRow
}

function countedWith({ log, amount, now }: Ready): Counted {
  return { id: log.id, amount, basis: now?.basis ?? null }
}

/** Selects the logs that count; stores for the others what they wait for, or why they do not count. */
async function readyOf(tx: Context, logs: readonly KeyedLog[]): Promise<Ready[]> {
  const facts = await listPaymentFacts(tx, unique(logs.flatMap(({ payment_id }) => payment_id ?? [])))
  const members = new Map(
    (await listReferrers(tx, unique(logs.map(({ member_id }) => member_id)))).map((row) => [row.id, row]),
  )
  const ready: Ready[] = []
  const waits: bigint[] = []
  for (const log of logs) {
    const member = members.get(log.member_id)
    const amounts = amountsOf(log, log.payment_id === null ? undefined : facts.get(log.payment_id))
    if (amounts === 'waits') waits.push(log.id)
    else if ('code' in amounts) await moveFailed(tx, log.id, amounts)
    else if (!member || member.referred_by === null) await moveFailed(tx, log.id, { code: 'NOT_REFERRED', params: {} })
    else ready.push({ log, member, ...amounts })
  }
  await moveLogs(tx, waits, { from: 'pending', to: 'waiting' })
  return ready
}

/** The amounts a log counts with, once its payment is filled. */
function amountsOf(
  log: KeyedLog,
  payment: PaymentFacts | undefined,
): Pick<Ready, 'amount' | 'now'> | 'waits' | Cause<EventLogFailures> {
  const given = log.amount === null ? null : BigInt(log.amount)
  if (log.payment_id === null) return { amount: given, now: null }
  if (!payment?.isFilled || payment.filled <= 0n) return 'waits'
  const now = { basis: payment.filled, now: payment.left }
  if (log.event_type === 'simple') return { amount: null, now }
  if (given !== null && given > payment.filled) {
    const params = { amount: amountText(given), filled: amountText(payment.filled) }
    return { code: 'AMOUNT_ABOVE_PAYMENT', params }
  }
  return { amount: given ?? payment.filled, now }
}

/** Locks everybody whom the logs may reward, and reads them under the lock. */
async function lockPeople(
  tx: Context,
  ready: readonly Ready[],
): Promise<(member: ReferrerRow) => { readonly member: Person; readonly promoter: Person }> {
  const ids = ready.flatMap(({ member }) => [member.id, member.referred_by ?? member.id])
  const locked = new Map((await lockReferrers(tx, ids)).map(({ id, status }) => [id, status === 'active']))
  const personOf = (id: number | null): Person => {
    const isActive = id === null ? undefined : locked.get(id)
    if (id === null || isActive === undefined) throw new Error(`The person ${id} is not locked`)
    return { id, isActive }
  }
  return (member) => ({ member: personOf(member.id), promoter: personOf(member.referred_by) })
}

type Campaigns = ReadonlyMap<number, CountedCampaign>

/** Lists who is attached to a campaign; asked only when a campaign is not for all. */
async function attachedIn(tx: Context, campaigns: Campaigns, judged: readonly Judged[]) {
  const chosen = [...campaigns].flatMap(([id, { isDefault }]) => (isDefault ? [] : [id]))
  const promoters = unique(judged.map(({ promoter }) => promoter.id))
  const rows = chosen.length === 0 ? [] : await listAttached(tx, promoters, chosen)
  const attached = new Set(rows.map(({ campaign_id, referrer_id }) => `${campaign_id} ${referrer_id}`))
  return (campaignId: number, promoterId: number) => attached.has(`${campaignId} ${promoterId}`)
}

/**
 * Lists the logs that wait for the rest of a set, with what their payments hold now; asked only when a set has several events.
 */
async function waitingIn(tx: Context, campaigns: Campaigns, judged: readonly Judged[]) {
  const several = [...campaigns].flatMap(([id, { eventKeys }]) => (eventKeys.length > 1 ? [id] : []))
  const members = unique(judged.map(({ member }) => member.id))
  const rows = several.length === 0 ? [] : await listWaiting(tx, members, several)
  const facts = await listPaymentFacts(tx, unique(rows.flatMap(({ payment_id }) => payment_id ?? [])))
  const bound = rows.flatMap(({ id, payment_id, basis }): [bigint, Bound][] =>
    payment_id === null || basis === null
      ? []
      : [[id, { basis: BigInt(basis), now: facts.get(payment_id)?.left ?? 0n }]],
  )
  const waiting = Map.groupBy(rows, ({ campaign_id, member_id }) => `${campaign_id} ${member_id}`)
  const waitingOf = (campaignId: number, memberId: number) =>
    (waiting.get(`${campaignId} ${memberId}`) ?? []).map(({ id, event_key, amount, triggered_at }): CountedLog => {
      return { id, eventKey: event_key, amount: amount === null ? null : BigInt(amount), triggeredAt: triggered_at }
    })
  return { waitingOf, bound }
}

/** Reads what campaigns gave these people so far; nothing is read where no limit needs it. */
async function pastsIn(tx: Context, campaigns: Campaigns, judged: readonly Judged[]): Promise<Pasts> {
  const people = judged.flatMap(({ member, promoter, campaignIds }) =>
    campaignIds
      .filter((id) => isLimited(ofCampaign(campaigns, id)))
      .flatMap((campaignId) => [
        { campaignId, side: 'referrer' as const, referrerId: promoter.id },
        { campaignId, side: 'referee' as const, referrerId: member.id },
      ]),
  )
  const once = new Map(people.map((person) => [Object.values(person).join(' '), person]))
  return openPasts(await listPast(tx, [...once.values()]))
}

/**
 * Stores rewards and adds them to their campaigns. When a payment of the set has lost money already, only a part of the reward
 * is owed.
 */
async function storeRewards(
  tx: Context,
  rewards: readonly Earned[],
  campaigns: ReadonlyMap<number, { readonly project_id: number; readonly unit_id: number }>,
): Promise<void> {
  await addGiven(
    tx,
    sumsOf(
      rewards.map(({ campaignId, side, left }) => ({ campaignId, side, units: left, rewards: Number(left > 0n) })),
    ),
  )
  const rows = await accrueRewards(
    tx,
    rewards.map(({ left: _left, ...one }) => {
      const { project_id: projectId, unit_id: unitId } = ofCampaign(campaigns, one.campaignId)
      return { ...one, projectId, unitId }
    }),
  )
  const keyOf = (campaignId: number, setLogId: bigint, side: string) => `${campaignId} ${setLogId} ${side}`
  const left = new Map(rewards.map((one) => [keyOf(one.campaignId, one.setLogId, one.side), one.left]))
  await setLeft(
    tx,
    rows.flatMap((row) => {
      const units = left.get(keyOf(row.campaign_id, row.set_log_id, row.side))
      return units === undefined ? [] : [{ row, left: units, reason: 'PAYMENT_REFUNDED' as const }]
    }),
  )
}

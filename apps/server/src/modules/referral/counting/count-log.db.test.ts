import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { EVENTS, histories, type History, MEMBERS, PROMOTERS, promoterOf } from '../../../testing/referral/histories.ts'
import { BEGIN, play } from '../../../testing/referral/model.ts'
import { openProgramme } from '../../../testing/referral/programme.ts'
import { openShop } from '../../../testing/shop.ts'
import { amountText } from '../rewards/view.ts'
import { createProject } from '../../projects/service.ts'
import { changeCampaign, createCampaign, setCampaignStatus } from '../campaigns/service.ts'
import { createEvent } from '../events/service.ts'
import { logEvent } from '../logs/service.ts'
import { attachCampaigns } from '../promoters/service.ts'
import { authenticateReferrer, linkReferee, setReferrerStatus } from '../referrers/service.ts'
import { lockPending } from '../logs/store.ts'
import { countLogs } from './count-log.ts'
import { countLog } from './service.ts'

let app: TestApp
let ctx: Context
let root: string

beforeAll(async () => {
  app = await testApp({ now: BEGIN, config: { siteUrl: 'https://pay.shop.example' } })
  ctx = asSystem(app.ctx)
  root = await app.signUp()
})
afterAll(() => app.stop())

/** Histories that go through the real service; as many as `KASSA_REFERRAL_HISTORIES` says. */
const RUNS = Number(process.env.KASSA_REFERRAL_HISTORIES ?? 100)

/** Histories played side by side, each in a project and with a clock of its own. */
const LANES = 5

let projects = 0

/** Plays a history through the real service, and gives what the rule gives for it; counts each log at once, or several together. */
async function playThrough({ campaigns, steps }: History, isTogether = false) {
  let now = BEGIN
  const ctx = { ...asSystem(app.ctx), now: () => now }
  projects += 1
  const { id: projectId } = await createProject(ctx, { name: `History ${projects}` })
  const scope = { projectId, projectIds: [projectId] }
  for (const [key, eventType] of Object.entries(EVENTS))
    await createEvent(ctx, projectId, { key, name: key, eventType })
  const people: { id: number; code: string }[] = []
  for (let person = 0; person < PROMOTERS + MEMBERS; person += 1) {
    const body = { email: `p${person}@example.com`, referenceID: `p${person}` }
    const promoter = promoterOf(person)
    const code = promoter === null ? null : (people[promoter]?.code ?? '')
    people.push(
      code === null
        ? (await authenticateReferrer(ctx, projectId, body)).referrer
        : await linkReferee(ctx, projectId, { ...body, referrerCode: code }),
    )
  }
  const ids: number[] = []
  for (const terms of campaigns) {
    const { referrer, referee } = terms.rewards
    const text = (units: bigint | null | undefined) =>
      units === null || units === undefined ? null : amountText(units)
    const made = await createCampaign(ctx, projectId, {
      name: 'Played',
      currencyCode: 'USD',
      eventKeys: [...terms.eventKeys],
      isDefault: terms.isDefault,
      campaignTypePerCustomer: terms.type,
      validityMonthsPerCustomer: terms.months,
      maxOccurrencesPerCustomer: terms.occurrences,
      rewardCapPerCustomer: text(terms.limitPerPerson),
      budget: text(terms.budget),
      ...(referrer && { rewardType: referrer.type, rewardValue: text(referrer.value), rewardCap: text(referrer.cap) }),
      ...(referee && {
        inviteeRewardType: referee.type,
        inviteeRewardValue: text(referee.value),
        inviteeRewardCap: text(referee.cap),
      }),
    })
    ids.push(made.id)
  }
  const stepOfLog = new Map<string, number>()
  const waiting: bigint[] = []
  /** Counts in one transaction what was logged since the programme was changed last. */
  const count = async () => {
    const ids = waiting.splice(0)
    await inTransaction(ctx, async (tx) => {
      const logs = await Promise.all(ids.map((id) => lockPending(tx, id)))
      await countLogs(
        tx,
        logs.flatMap((log) => log ?? []),
      )
    })
  }
  for (const [index, step] of steps.entries()) {
    if (step.kind !== 'log') await count()
    now = new Date(now.getTime() + step.after)
    if (step.kind === 'log') {
      const amount = EVENTS[step.event] === 'payment' ? amountText(step.amount) : null
      const log = await logEvent(ctx, projectId, { eventKey: step.event, referenceID: `p${step.member}`, amount })
      stepOfLog.set(String(log.id), index)
      waiting.push(BigInt(log.id))
      if (!isTogether) await count()
    } else if (step.kind === 'status') {
      const status = step.isActive ? 'active' : 'inactive'
      await setReferrerStatus(ctx, scope, people[step.promoter]?.id ?? 0, status).catch(() => undefined)
    } else if (step.kind === 'attach') {
      const wanted = step.campaigns.flatMap((one) => ids[one] ?? [])
      await attachCampaigns(ctx, scope, people[step.promoter]?.id ?? 0, wanted)
    } else {
      const id = ids[step.campaign]
      if (id === undefined) continue
      if (step.kind === 'budget') await raise(ctx, { scope, id, more: step.more })
      else await setCampaignStatus(ctx, scope, id, step.kind === 'pause' ? 'paused' : 'active').catch(() => undefined)
    }
  }
  await count()
  const { rows } = await sql<{
    campaign_id: number
    set_log_id: bigint
    side: string
    referrer_id: number
    units: string
  }>`
    SELECT campaign_id, set_log_id, side, referrer_id, units::text AS units FROM rewards
    WHERE project_id = ${projectId} ORDER BY id`.execute(app.ctx.db)
  return rows.map((row) => ({
    campaign: ids.indexOf(row.campaign_id),
    step: stepOfLog.get(String(row.set_log_id)),
    side: row.side,
    person: people.findIndex(({ id }) => id === row.referrer_id),
    units: BigInt(row.units),
  }))
}

type Raise = { scope: { projectId: number; projectIds: number[] }; id: number; more: bigint }

async function raise(ctx: Context, { scope, id, more }: Raise): Promise<void> {
  const { rows } = await sql<{ budget: string | null }>`SELECT budget::text FROM campaigns WHERE id = ${id}`.execute(
    ctx.db,
  )
  const budget = rows[0]?.budget
  if (budget) await changeCampaign(ctx, scope, id, { budget: amountText(BigInt(budget) + more) })
}

async function playAll(property: fc.IAsyncProperty<[History]>): Promise<void> {
  const lane = () => fc.assert(property, { numRuns: Math.ceil(RUNS / LANES), endOnFailure: true })
  await Promise.all(Array.from({ length: LANES }, lane))
}

describe('referral.countLog over generated histories', () => {
  it('gives what the rule gives, to the last millionth', { timeout: 7_200_000 }, async () => {
    const equalsRule = fc.asyncProperty(histories, async (history) => {
      const expected = play(history).rewards.map(({ campaign, step, side, person, units }) => ({
        ...{ campaign, step, side, person, units },
      }))
      expect(await playThrough(history)).toEqual(expected)
    })
    await playAll(equalsRule)
  })

  it('gives the same when logs that wait are counted together', { timeout: 7_200_000 }, async () => {
    const equalsEach = fc.asyncProperty(histories, async (history) => {
      const together = await playThrough(history, true)
      // In the order of the logs; within a log in that of the campaigns.
      expect(together).toEqual(play(history).rewards.map(({ set: _set, amount: _amount, ...reward }) => reward))
    })
    await playAll(equalsEach)
  })
})

/** Events counted at once; as many as `KASSA_REFERRAL_CROWD` says. */
const CROWD = Number(process.env.KASSA_REFERRAL_CROWD ?? 200)

describe('referral.countLog', () => {
  it(
    'of hundreds of events at once never passes one budget, and gives all that fits',
    { timeout: 600_000 },
    async () => {
      const shop = await openShop(app, root, 'Crowd')
      const programme = openProgramme(app, shop, root)
      await programme.event('order', 'payment')
      const { friend } = await programme.pair('crowd')
      const { id } = (await programme.campaign({ rewardValue: '10', budget: '505' })).body
      const logged: number[] = []
      for (let n = 0; n < CROWD; n += 1) logged.push((await programme.log(friend, { amount: '1' })).body.id)
      // More at once than there are connections.
      const lane = async () => {
        for (let log = logged.pop(); log !== undefined; log = logged.pop()) await countLog(ctx, BigInt(log))
      }
      await Promise.all(Array.from({ length: 25 }, lane))
      const campaign = await programme.readCampaign(id)
      expect(campaign).toMatchObject({
        totalRewards: '500',
        status: 'paused',
        pausedBecause: 'budget',
        rewardCount: 50,
      })
      expect((await programme.change(id, { budget: '600' })).body.status).toBe('active')
    },
  )

  it('counts a log once, however often and however many try', async () => {
    const shop = await openShop(app, root, 'Once')
    const programme = openProgramme(app, shop, root)
    await programme.event('order', 'payment')
    const { friend, promoter } = await programme.pair('once')
    const { id } = (await programme.campaign()).body
    const log = BigInt((await programme.log(friend, { amount: '5' })).body.id)
    await Promise.all(Array.from({ length: 8 }, () => countLog(ctx, log)))
    await countLog(ctx, log)
    expect((await programme.rewardsOf(id)).total).toBe(1)
    expect(await programme.promoter(promoter.id)).toMatchObject({ totalRewards: '10', available: '10', paid: '0' })
  })

  it('leaves nothing of a log behind when the process dies, and the next pass counts it', async () => {
    const shop = await openShop(app, root, 'Killed')
    const programme = openProgramme(app, shop, root)
    await programme.event('order', 'payment')
    const { friend, promoter } = await programme.pair('killed')
    const { id } = (await programme.campaign()).body
    const log = BigInt((await programme.log(friend, { amount: '5' })).body.id)
    // Dies at the last moment: everything was written, nothing is committed.
    const killed = inTransaction(ctx, async (tx) => {
      await countLog(tx, log)
      throw new Error('killed')
    })
    await expect(killed).rejects.toThrow('killed')
    expect((await programme.rewardsOf(id)).total).toBe(0)
    expect((await programme.logs()).data[0]?.status).toBe('pending')
    await programme.count()
    expect((await programme.rewardsOf(id)).total).toBe(1)
    expect((await programme.promoter(promoter.id)).available).toBe('10')
  })

  it('counts the others when one of those that wait together cannot be counted, and that one later', async () => {
    const shop = await openShop(app, root, 'Trouble')
    const programme = openProgramme(app, shop, root)
    await programme.event('order', 'payment')
    const [one, two] = [await programme.pair('trouble-1'), await programme.pair('trouble-2')]
    const { id } = (await programme.campaign()).body
    await programme.log(one.friend, { amount: '5' })
    await programme.log(two.friend, { amount: '5' })
    const deny = sql`CREATE FUNCTION deny_reward() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'denied'; END $$`
    await deny.execute(app.ctx.db)
    await sql`CREATE TRIGGER denied BEFORE INSERT ON rewards FOR EACH ROW
      WHEN (NEW.referrer_id = ${sql.lit(one.promoter.id)}) EXECUTE FUNCTION deny_reward()`.execute(app.ctx.db)
    await programme.count()
    const rewarded = async () => (await programme.rewardsOf(id)).data.map((reward) => reward.rewardedMemberID)
    expect(await rewarded()).toEqual([two.promoter.id])
    await sql`DROP TRIGGER denied ON rewards`.execute(app.ctx.db)
    await programme.count()
    expect(await rewarded()).toEqual([two.promoter.id])
    app.clock.now = new Date(app.clock.now.getTime() + 11_000)
    await programme.count()
    expect(new Set(await rewarded())).toEqual(new Set([one.promoter.id, two.promoter.id]))
  })

  it('says what each campaign made of a log', async () => {
    const shop = await openShop(app, root, 'Uses')
    const programme = openProgramme(app, shop, root)
    await programme.event('order', 'payment')
    await programme.event('signup', 'simple')
    const { friend } = await programme.pair('uses')
    await programme.campaign({ name: 'Pays' })
    await programme.campaign({ name: 'Both', eventKeys: ['signup', 'order'] })
    await programme.campaign({ name: 'Chosen', isDefault: false })
    await programme.log(friend, { amount: '5' })
    await programme.count()
    const [row] = (await programme.logs()).data
    expect(row?.uses.map(({ name, rewarded, refusal }) => [name, rewarded, refusal?.code ?? null])).toEqual([
      ['Pays', '10', null],
      ['Both', null, 'SET_INCOMPLETE'],
      ['Chosen', null, 'NOT_ATTACHED'],
    ])
    await programme.log(friend, { eventKey: 'signup' })
    await programme.count()
    const uses = (await programme.logs({ eventKey: 'order' })).data[0]?.uses
    expect(uses?.find(({ name }) => name === 'Both')).toMatchObject({ rewarded: '10', refusal: null })
  })

  it('fails for a customer who was not referred', async () => {
    const shop = await openShop(app, root, 'Alone')
    const programme = openProgramme(app, shop, root)
    await programme.event('order', 'payment')
    await programme.signIn('alone')
    await programme.log('alone', { amount: '5' })
    await programme.count()
    expect((await programme.logs()).data[0]).toMatchObject({ status: 'failed', failure: { code: 'NOT_REFERRED' } })
  })
})

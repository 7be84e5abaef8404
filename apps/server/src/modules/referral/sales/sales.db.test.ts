import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { ASSET, type Cashier, dollars, openCashier } from '../../../testing/cashier.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { payoutShop } from '../../../testing/money-out/payouts.ts'
import { startReceiver } from '../../../testing/receiver.ts'
import { openProgramme } from '../../../testing/referral/programme.ts'
import { refundPart } from '../../../testing/referral/refunds.ts'
import { deliverDue } from '../../../testing/services/webhook-client.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { createWebhook } from '../../webhooks/endpoints/service.ts'
import { archiveEnded } from '../campaigns/service.ts'
import { holdRewards, releaseRewards, reopenRewards, settleRewards } from '../rewards/service.ts'

const [ETH, USDC] = [1, ASSET.USDC_ON_ETH]
const USD = 1_000_001

let app: TestApp
let root: string
let anvil: AnvilChain
let shop: Awaited<ReturnType<typeof payoutShop>>
let cashier: Cashier
let chain: FakeChain
let walletId: number
let programme: ReturnType<typeof openProgramme>

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([
    testApp({ now: new Date('2026-01-31T09:30:00.000Z'), config: { siteUrl: 'https://pay.shop.example' } }),
    openAnvilChain(),
  ])
  root = await app.signUp()
  shop = await payoutShop(app, root)
  cashier = openCashier(app, shop)
  programme = openProgramme(app, shop, root)
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  chain = await fakeChain(app.ctx, ETH)
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: ETH, purpose: 'payout' })
  walletId = wallet?.walletId ?? 0
  const address = wallet?.address as Hex
  await anvil.call('anvil_setBalance', address, numberToHex(parseEther('10')))
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, 1_000_000_000n)
  await bookFloat(ctx, walletId, { [ETH]: parseEther('10'), [USDC]: 1_000_000_000n })
  await programme.event('order', 'payment')
  await programme.event('signup', 'simple')
}, 120_000)
afterAll(async () => {
  await app.stop()
  await anvil.stop()
})
beforeEach(() => sql`DELETE FROM rate_buckets`.execute(app.ctx.db))

let names = 0

/** A promoter with a customer and a campaign of their own: ten percent of what is paid through Kassa. */
async function scene(more: Parameters<typeof programme.campaign>[0] = {}) {
  names += 1
  const pair = await programme.pair(`scene-${names}`)
  const terms = { rewardType: 'percentage', rewardValue: '10', eventKeys: ['kassa_payment'], isDefault: false, ...more }
  const { id } = (await programme.campaign({ name: `Scene ${names}`, ...terms })).body
  await sql`INSERT INTO campaign_referrers (campaign_id, referrer_id, project_id)
    VALUES (${id}, ${pair.promoter.id}, ${shop.projectId})`.execute(app.ctx.db)
  return {
    ...pair,
    campaignId: id,
    /** A payment of the customer, whose money is final. */
    paid: async (...amounts: number[]) => {
      const payment = await cashier.newPayment({ customer: pair.friend })
      const height = chain.height()
      for (const amount of amounts) await chain.mine([{ to: payment.to, assetId: USDC, units: dollars(amount) }])
      await chain.mine()
      await programme.count()
      return { ...payment, height }
    },
    balance: async () => {
      const [balance] = (await programme.promoter(pair.promoter.id)).balances
      return balance && [balance.earned, balance.available, balance.held, balance.paid, balance.owed]
    },
    rewards: async () => (await programme.rewardsOf(id)).data.map(({ amount, status }) => [amount, status]),
  }
}

const refund = (ref: string, amount: string, more: object = {}) =>
  refundPart({ app, shop, walletId }, { amount, refundOfReferenceID: ref, ...more })

describe('referral sales: payments through Kassa', () => {
  it('reward the promoter of a linked customer when they are final, and no one for other customers', async () => {
    const { paid, rewards, balance, promoter } = await scene()
    await paid(100)
    expect(await rewards()).toEqual([['10', 'pending']])
    expect(await balance()).toEqual(['10', '10', '0', '0', '0'])
    const [log] = (await programme.logs({ eventKey: 'kassa_payment' })).data
    expect(log).toMatchObject({
      status: 'processed',
      amount: '100',
      memberReferenceID: expect.stringMatching(/friend/),
    })
    const stranger = await cashier.newPayment()
    await chain.mine([{ to: stranger.to, assetId: USDC, units: dollars(100) }])
    await chain.mine()
    await programme.count()
    expect((await programme.logs({ eventKey: 'kassa_payment' })).total).toBe(1)
    const events = await sql<{ type: string; sequence: number }>`
      SELECT type, sequence FROM events WHERE order_key = ${`referrer:${promoter.id}`} ORDER BY id`.execute(app.ctx.db)
    expect(events.rows).toEqual([{ type: 'referral.reward_earned', sequence: 1 }])
  })

  it('take their reward with them in a reorganisation, and bring it back, to and fro', async () => {
    const { paid, rewards, balance } = await scene({ budget: '10' })
    const payment = await paid(100)
    for (let round = 0; round < 3; round += 1) {
      await chain.reorg(payment.height)
      expect(await rewards()).toEqual([['0', 'reversed']])
      expect(await balance()).toEqual(['0', '0', '0', '0', '0'])
      await chain.mine([{ to: payment.to, assetId: USDC, units: dollars(100) }])
      await chain.mine()
      await programme.count()
      expect(await rewards()).toEqual([['10', 'pending']])
    }
  })

  it('that lose one of two deposits keep the part of the other', async () => {
    const { paid, rewards } = await scene()
    const { height } = await paid(70, 30)
    await chain.reorg(height + 1)
    expect(await rewards()).toEqual([['7', 'pending']])
  })
})

describe('referral sales: refunds', () => {
  it('in part, three times, take their part each time, and give it back when one is undone', async () => {
    const { paid, rewards, balance } = await scene()
    const { ref } = await paid(100)
    for (const [amount, left] of [
      ['33.333333', '6.666666'],
      ['33.333333', '3.333333'],
    ] as const) {
      await (await refund(ref, amount)).settle()
      expect(await rewards()).toEqual([[left, 'pending']])
    }
    const last = await refund(ref, '33.333334')
    await last.settle()
    expect(await rewards()).toEqual([['0', 'reversed']])
    expect(await balance()).toEqual(['0', '0', '0', '0', '0'])
    await last.reopen()
    expect(await rewards()).toEqual([['3.333333', 'pending']])
    await last.settle()
    expect(await rewards()).toEqual([['0', 'reversed']])
  })

  it('of unmatched money take their part, too, once a reorganisation lets that money pay', async () => {
    const { paid, rewards } = await scene()
    const { ref, to, height } = await paid(100)
    const surplus = { to, assetId: USDC, units: dollars(25), tx: 'surplus' }
    await chain.mine([surplus])
    await chain.mine()
    const read = { params: { p: shop.p, ref } }
    const { unmatchedDeposits } = (await app.call(paymentsRoutes.getPayment, read, { key: root })).body
    const refundDepositID = unmatchedDeposits[0]?.id ?? 0
    await (await refund(ref, '10', { refundKind: 'unapplied', refundDepositID })).settle()
    expect(await rewards()).toEqual([['10', 'pending']])
    await chain.reorg(height)
    expect(await rewards()).toEqual([['0', 'reversed']])
    // The same transaction is mined again, now the first one.
    await chain.mine([surplus])
    await chain.mine([{ to, assetId: USDC, units: dollars(75) }])
    await chain.mine()
    await programme.count()
    expect(await rewards()).toEqual([['9', 'pending']])
  })

  it('take their part of a reward that would use up a budget, which then is not used up', async () => {
    const { paid, rewards, friend, campaignId } = await scene({ eventKeys: ['order'], budget: '10' })
    const { ref } = await paid(100)
    await (await refund(ref, '40')).settle()
    await programme.log(friend, { referenceOfPayment: ref })
    await programme.count()
    expect(await rewards()).toEqual([['6', 'pending']])
    expect(await programme.readCampaign(campaignId)).toMatchObject({ status: 'active', budgetLeft: '4' })
  })

  it('take the part of an event that the shop logs at the moment at which they become final', async () => {
    const { paid, rewards, friend } = await scene({ eventKeys: ['order'] })
    const { ref } = await paid(100)
    const { settle } = await refund(ref, '40')
    let logged: Promise<unknown> = Promise.resolve()
    await settle(async (tx) => {
      logged = programme.log(friend, { referenceOfPayment: ref }).then(() => programme.count())
      const isWaitedFor = vi.waitUntil(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        return rows.length > 0
      }, 10_000)
      await Promise.race([logged, isWaitedFor])
    })
    await logged
    expect(await rewards()).toEqual([['6', 'pending']])
  })
})

describe('referral sales: rewards that were withdrawn', () => {
  /** A withdrawal row that takes rewards; what becomes of it is the test's. */
  const withdrawal = async () => Number((await shop.ask({ amount: '1' })).body.id)
  const hold = (referrerId: number, units: bigint, id: number) =>
    inTransaction(asSystem(app.ctx), (tx) =>
      holdRewards(tx, { referrerId, unitId: USD, units, withdrawalId: BigInt(id) }),
    )
  const settle = (id: number) =>
    inTransaction(asSystem(app.ctx), (tx) =>
      settleRewards(tx, BigInt(id), { lines: [], at: { blockchainId: ETH, height: 9 }, settlement: 1 }),
    )

  it('are owed back after a reversal, and the next rewards make up for it', async () => {
    const { paid, rewards, balance, promoter } = await scene()
    const first = await paid(100)
    const id = await withdrawal()
    await hold(promoter.id, 6_000_000n, id)
    expect(await balance()).toEqual(['10', '4', '6', '0', '0'])
    await settle(id)
    expect(await rewards()).toEqual([['10', 'pending']])
    await chain.reorg(first.height)
    expect(await balance()).toEqual(['0', '0', '0', '6', '6'])
    await paid(50)
    expect(await balance()).toEqual(['5', '0', '0', '6', '1'])
    await paid(50)
    expect(await balance()).toEqual(['10', '4', '0', '6', '0'])
  })

  it('are taken from what is ready first, and a payout under way that fails gives back what is left', async () => {
    const { paid, balance, promoter } = await scene()
    await paid(100)
    const second = await paid(100)
    const id = await withdrawal()
    await hold(promoter.id, 15_000_000n, id)
    await chain.reorg(second.height)
    expect(await balance()).toEqual(['10', '0', '15', '0', '5'])
    await inTransaction(asSystem(app.ctx), (tx) => releaseRewards(tx, BigInt(id)))
    expect(await balance()).toEqual(['10', '10', '0', '0', '0'])
    await inTransaction(asSystem(app.ctx), (tx) => releaseRewards(tx, BigInt(id)))
    expect(await balance()).toEqual(['10', '10', '0', '0', '0'])
  })

  it('are taken oldest first, never more than is ready, and are under way again when the block goes', async () => {
    const { paid, rewards, balance, promoter } = await scene()
    await paid(100)
    await paid(100)
    const [id, other] = [await withdrawal(), await withdrawal()]
    await hold(promoter.id, 12_000_000n, id)
    expect(await rewards()).toEqual([
      ['10', 'held'],
      ['10', 'held'],
    ])
    await expect(hold(promoter.id, 8_000_001n, other)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
    await settle(id)
    expect(await rewards()).toEqual([
      ['10', 'pending'],
      ['10', 'processed'],
    ])
    await inTransaction(asSystem(app.ctx), (tx) => reopenRewards(tx, BigInt(id), 1))
    expect(await balance()).toEqual(['20', '8', '12', '0', '0'])
  })
})

describe('referral sales: events that name a payment', () => {
  it('wait until it is filled, and are worth what it brought', async () => {
    const { friend, rewards } = await scene({ eventKeys: ['order'] })
    const payment = await cashier.newPayment({ customer: friend })
    const logged = await programme.log(friend, { referenceOfPayment: payment.ref })
    expect(logged.body).toMatchObject({ status: 'waiting', amount: null, referenceOfPayment: payment.ref })
    await programme.count()
    expect(await rewards()).toEqual([])
    await chain.mine([{ to: payment.to, assetId: USDC, units: dollars(100) }])
    await chain.mine()
    await programme.count()
    expect(await rewards()).toEqual([['10', 'pending']])
    expect((await programme.log(friend, { referenceOfPayment: payment.ref })).refusal?.code).toBe(
      'REFERRAL_EVENT_DUPLICATE',
    )
  })

  it('are worth no more than it brought: refused at once, or when it is filled', async () => {
    const { friend, paid, rewards } = await scene({ eventKeys: ['order'] })
    const { ref } = await paid(100)
    const refused = await programme.log(friend, { referenceOfPayment: ref, amount: '100.01' })
    expect(refused.refusal).toMatchObject({
      code: 'REFERRAL_INVALID',
      fields: { amount: 'Amount must not exceed what was paid' },
    })
    const later = await cashier.newPayment({ customer: friend })
    const { id } = (await programme.log(friend, { referenceOfPayment: later.ref, amount: '100.01' })).body
    await chain.mine([{ to: later.to, assetId: USDC, units: dollars(100) }])
    await chain.mine()
    await programme.count()
    const failed = (await programme.logs({ status: ['failed'] })).data.find((log) => log.id === id)
    expect(failed?.failure).toMatchObject({ code: 'AMOUNT_ABOVE_PAYMENT', params: { amount: '100.01', filled: '100' } })
    expect(await rewards()).toEqual([])
  })

  it('are reversed with it in a set, in any case', async () => {
    const { friend, rewards } = await scene({
      eventKeys: ['signup', 'order'],
      rewardType: 'flat_fee',
      rewardValue: '8',
    })
    await programme.log(friend, { eventKey: 'signup' })
    await programme.count()
    const payment = await cashier.newPayment({ customer: friend })
    await programme.log(friend, { referenceOfPayment: payment.ref })
    const height = chain.height()
    await chain.mine([{ to: payment.to, assetId: USDC, units: dollars(100) }])
    await chain.mine()
    await programme.count()
    expect(await rewards()).toEqual([['8', 'pending']])
    await chain.reorg(height)
    expect(await rewards()).toEqual([['0', 'reversed']])
  })

  it('still count for a campaign that ends before their payment is final; one that is never paid holds none for ever', async () => {
    const soon = () => new Date(app.clock.now.getTime() + 60_000).toISOString()
    const linked = async () => {
      const ending = await scene({ eventKeys: ['order'], startDate: '2026-01-01', endDate: soon() })
      const payment = await cashier.newPayment({ customer: ending.friend })
      expect((await programme.log(ending.friend, { referenceOfPayment: payment.ref })).body.status).toBe('waiting')
      cashier.pass(61_000)
      const status = async (days = 0) => {
        const now = new Date(app.clock.now.getTime() + days * 86_400_000)
        await archiveEnded({ ...asSystem(app.ctx), now: () => now })
        return (await programme.readCampaign(ending.campaignId)).status
      }
      return { ...ending, to: payment.to, status }
    }
    const sold = await linked()
    expect(await sold.status()).toBe('active')
    await chain.mine([{ to: sold.to, assetId: USDC, units: dollars(100) }])
    await chain.mine()
    expect(await sold.status()).toBe('active')
    await programme.count()
    expect(await sold.rewards()).toEqual([['10', 'pending']])
    expect(await sold.status()).toBe('archived')
    const open = await linked()
    expect(await open.status(7)).toBe('active')
    expect(await open.status(9)).toBe('archived')
  })

  it('are found by the periodic pass when their wake-up was lost', async () => {
    const { friend, paid, rewards } = await scene({ eventKeys: ['order'] })
    const { ref } = await paid(100)
    const { id } = (await programme.log(friend, { referenceOfPayment: ref })).body
    await sql`UPDATE event_logs SET status = 'waiting' WHERE id = ${id}`.execute(app.ctx.db)
    await programme.sweep()
    await programme.count()
    expect(await rewards()).toEqual([['10', 'pending']])
  })
})

describe('referral sales: webhooks', () => {
  it('send rewards to the endpoints that list them only, in order and signed', async () => {
    const [asked, usual] = [await startReceiver(), await startReceiver()]
    const ctx = asSystem(app.ctx)
    const events = ['referral.event_logged', 'referral.reward_earned', 'referral.reward_reversed']
    const { secret } = await createWebhook(ctx, shop.projectId, { url: asked.url, events })
    await createWebhook(ctx, shop.projectId, { url: usual.url })
    const { paid, promoter, referee } = await scene()
    const payment = await paid(100)
    await chain.reorg(payment.height)
    const now = app.clock.now
    app.clock.now = new Date()
    for (let round = 0; round < 3; round += 1) await deliverDue(ctx)
    app.clock.now = now
    const bodies = asked.requests.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    ) as { event_type: string }[]
    const byType = new Map(bodies.map((one) => [one.event_type, one]))
    expect(bodies).toHaveLength(3)
    expect(byType.get('referral.event_logged')).toMatchObject({ sequence: 1, data: { memberID: referee.id } })
    const about = { rewardedMemberID: promoter.id }
    expect(byType.get('referral.reward_earned')).toMatchObject({ sequence: 1, data: { ...about, amount: '10' } })
    expect(byType.get('referral.reward_reversed')).toMatchObject({ sequence: 2, data: { ...about, amount: '0' } })
    expect(usual.requests.every(({ body }) => !body.includes('referral.'))).toBe(true)
    await asked.close()
    await usual.close()
  })
})

import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { promotersRoutes } from '@kassa/contract/referral/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, decodeFunctionResult, encodeFunctionData, erc20Abi, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { addSession } from '../../../testing/accounts/credentials.ts'
import { OTHER_PAYEE, PAYEE } from '../../../testing/money-out/payouts.ts'
import { promoterBooks, promoterShop } from '../../../testing/referral/promoters.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { setSandboxPrice } from '../../prices/service.ts'
import { startFollowingSends } from '../../sends/following/service.ts'
import { reopenSends } from '../../sends/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { signPending, startSigning } from '../../withdrawals/sending/service.ts'
import { withdrawRewards } from '../page/service.ts'
import { lockReferrers } from '../referrers/service.ts'
import { releaseRewards, type RewardRow, setLeft } from '../rewards/service.ts'

const [CHAIN, ETH, USDC] = [1, 1, 7]

let app: TestApp
let anvil: AnvilChain
let reader: TestReader
let root: string
let shop: Awaited<ReturnType<typeof promoterShop>>

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  root = await app.signUp()
  shop = await promoterShop(app, root)
  await shop.campaign('30')
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  reader = await testReader(ctx, 'ETH')
  await reader.catchUp()
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'payout' })
  const address = wallet?.address as Hex
  await anvil.call('anvil_setBalance', address, numberToHex(parseEther('10')))
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, 1_000_000_000n)
  await bookFloat(ctx, wallet?.walletId ?? 0, { [ETH]: parseEther('10'), [USDC]: 1_000_000_000n })
}, 120_000)
afterAll(async () => {
  await app.stop()
  await anvil.stop()
})
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
  for (const currencyCode of ['USDC', 'ETH']) await setSandboxPrice(app.ctx, { currencyCode, price: null })
})

/** A promoter with 60 US dollars, of which they asked for so much in a coin. */
const asked = async (body: Partial<Parameters<Awaited<ReturnType<typeof shop.promoter>>['withdraw']>[0]> = {}) => {
  const one = await shop.promoter()
  await shop.earn(one, 2)
  const { id } = (await one.withdraw({ ...body, otpCode: await one.otp() })).body
  return { one, id }
}
const books = (one: { readonly id: number }) => promoterBooks(app, one.id)
const FULL = { payable: 60_000_000n, held: 0n }
const HELD = { payable: 40_000_000n, held: 20_000_000n }
const setStatus = (id: number, status: 'active' | 'inactive') =>
  app.call(promotersRoutes.setPromoterStatus, { params: { p: shop.p, id }, body: { status } }, { key: root })

describe('D8, D9, D10 of a withdrawal of rewards', () => {
  it('gives back what was held when it is rejected or cancelled', async () => {
    const first = await asked()
    expect(await books(first.one)).toEqual(HELD)
    expect((await shop.reject(first.id)).body.status).toBe('rejected')
    expect(await books(first.one)).toEqual(FULL)
    const second = await asked()
    await shop.approve(second.id)
    expect((await shop.cancel(second.id)).body.status).toBe('cancelled')
    expect(await books(second.one)).toEqual(FULL)
    expect((await second.one.rewards()).body.data.map(({ status }) => status)).toEqual(['pending', 'pending'])
  })

  it('is a matter of its own permission: FORBIDDEN', async () => {
    const { id } = await asked()
    const approver = await addSession(app, {
      projectId: shop.projectId,
      permissions: ['payout:approve', 'payout:read'],
    })
    const { refusal } = await shop.approve(id, approver.key)
    expect([refusal?.code, refusal?.data]).toEqual([
      'FORBIDDEN',
      { permission: 'referral_payout:approve', project: String(shop.projectId) },
    ])
    expect((await shop.reject(id, approver.key)).refusal?.code).toBe('FORBIDDEN')
    const payout = (await shop.ask()).body.id
    const growth = await addSession(app, {
      projectId: shop.projectId,
      permissions: ['referral_payout:approve', 'payout:read'],
    })
    expect((await shop.approve(payout, growth.key)).refusal?.code).toBe('FORBIDDEN')
    const { body } = await shop.approve(id, growth.key)
    expect([body.status, body.approvals.given.map((given) => given.counts)]).toEqual(['pending', [true]])
    await shop.cancel(id)
    await shop.cancel(payout)
  })

  it('waits while its promoter is inactive: REFERRER_INACTIVE', async () => {
    const { one, id } = await asked()
    await setStatus(one.id, 'inactive')
    expect((await shop.approve(id)).refusal?.code).toBe('REFERRER_INACTIVE')
    await setStatus(one.id, 'active')
    expect((await shop.approve(id)).body.status).toBe('pending')
    // Switched off between the approval and the signature: people look again.
    await setStatus(one.id, 'inactive')
    expect(await signPending(asSystem(app.ctx))).toBe(0)
    expect((await shop.read(id)).body.status).toBe('pending-approval')
    expect(await books(one)).toEqual(HELD)
    await shop.reject(id)
    expect(await books(one)).toEqual(FULL)
  })
})

describe('a withdrawal of rewards whose sale was reversed', () => {
  it('is neither approved nor signed, and makes up for them when it ends: REWARDS_OWED_BACK', async () => {
    const early = await asked({ amount: '60' })
    await reverseOne(early.one.id)
    expect((await shop.approve(early.id)).refusal).toMatchObject({
      code: 'REWARDS_OWED_BACK',
      data: { amount: '30', currencyCode: 'USD' },
    })
    await shop.reject(early.id)
    expect(await books(early.one)).toEqual({ payable: 30_000_000n, held: 0n })
    const late = await asked({ amount: '60' })
    expect((await shop.approve(late.id)).body.status).toBe('pending')
    await reverseOne(late.one.id)
    expect(await signPending(asSystem(app.ctx))).toBe(0)
    expect((await shop.read(late.id)).body.status).toBe('pending-approval')
    await shop.reject(late.id)
    expect(await books(late.one)).toEqual({ payable: 30_000_000n, held: 0n })
  })
})

/** Reverses the newest reward of a promoter, as when its payment is refunded. */
const reverseOne = (referrerId: number) =>
  inTransaction(asSystem(app.ctx), async (tx) => {
    await lockReferrers(tx, [referrerId])
    const { rows } = await sql<RewardRow>`
      SELECT * FROM rewards WHERE referrer_id = ${referrerId} ORDER BY id DESC LIMIT 1`.execute(tx.db)
    await setLeft(
      tx,
      rows.map((row) => ({ row, left: 0n, reason: 'PAYMENT_REFUNDED' as const })),
    )
    await sql`UPDATE campaigns SET given = given - 30000000, reward_count = reward_count - 1
      WHERE id = ${rows[0]?.campaign_id}`.execute(tx.db)
  })

describe('the conversion at the approval', () => {
  it('is one to one for a stable coin inside its peg, and by its price outside of it', async () => {
    const inside = await asked()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: '0.997' })
    expect((await shop.approve(inside.id)).body.amount).toBe('20')
    const outside = await asked()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: '0.985' })
    const { body } = await shop.approve(outside.id)
    expect([body.amount, body.priceInUSD, body.amountInUSD]).toEqual(['20.304568', '0.985', '20.00'])
    for (const { id } of [inside, outside]) await shop.cancel(id)
  })

  it('needs a price that can be trusted: RATE_UNAVAILABLE', async () => {
    const { id } = await asked()
    await setSandboxPrice(app.ctx, { currencyCode: 'USDC', price: '0.9' })
    expect((await shop.approve(id)).refusal?.code).toBe('RATE_UNAVAILABLE')
    expect((await shop.reject(id)).status).toBe(200)
  })

  it('is converted again where the price has moved, and voids former approvals', async () => {
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '2000' })
    expect((await shop.setPolicy({ quorum: 2, fourEyes: 'off' })).status).toBe(200)
    const { id } = await asked({ currencyCode: 'ETH' })
    expect((await shop.read(id)).body.amount).toBe('0.01')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '2010' })
    const before = await shop.approve(id)
    expect(before.body.amount).toBe('0.01')
    await setSandboxPrice(app.ctx, { currencyCode: 'ETH', price: '1900' })
    const { body } = await shop.approve(id)
    expect(body.amount).toBe('0.010526315789473684')
    expect(body.digest).not.toBe(before.body.digest)
    if (body.status === 'pending-approval') await shop.reject(id)
    else await shop.cancel(id)
  })

  it('says what it takes, from whom, and whether it goes to a wallet that paid', async () => {
    const { one, id } = await asked({ toAddress: OTHER_PAYEE })
    const describeNow = async () => {
      const subject = { params: { id: String(id) }, body: {} }
      const { body } = await app.call(authRoutes.prepareStepUp, { body: { action: 'D8', subject } }, { key: root })
      return body.display.lines.map(({ code }) => code)
    }
    expect(await describeNow()).toEqual(['payout_to', 'payout_reward', 'payout_words'])
    await whilePaidFrom(one.refereeReference, OTHER_PAYEE, async () => {
      expect(await describeNow()).toContain('payout_payer_wallet')
      const { body } = await shop.payouts({ search: OTHER_PAYEE })
      expect(body.data.find((row) => row.id === id)).toMatchObject({ isPayerWallet: true })
    })
    await shop.reject(id)
  })
})

/** Does something while there is a transfer of a customer that came from an address. */
async function whilePaidFrom(customerID: string, from: string, work: () => Promise<void>): Promise<void> {
  const created = { customerID, customerEmail: 'f@people.example', amountInUSD: '25' }
  const { body } = await app.call(paymentsRoutes.createPayment, { body: created }, { key: shop.apiKey })
  const ref = body.reference_id
  await app.call(paymentsRoutes.pinPayment, {
    params: { ref },
    body: { blockchain_code: 'ETH', currency_code: 'USDC' },
  })
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO deposits (blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, from_address, to_address, units,
      height, block_hash, block_time, confirmations_required, rule, status, customer_id, project_id, seen_at)
    SELECT ${CHAIN}, ${USDC}, (SELECT max(id) FROM addresses), '0xabc', '0', 'token', 'log', ${from}, '0x', 1,
      1, '0x', now(), 1, 'depth', 'ignored', customer.id, project_id, now()
    FROM customers AS customer WHERE customer_id = ${customerID} RETURNING id`.execute(app.ctx.db)
  await work()
  // No posting stands behind it.
  await sql`DELETE FROM deposits WHERE id = ${rows[0]?.id}`.execute(app.ctx.db)
}

/** As many as `KASSA_REFERRAL_CROWD` says. */
const CROWD = Number(process.env.KASSA_REFERRAL_CROWD ?? 150)

describe('many withdrawals at once', () => {
  it('never take more than is owed', { timeout: 600_000 }, async () => {
    const one = await shop.promoter()
    await shop.earn(one, 4)
    await sql`DROP INDEX referral_codes_one_works`.execute(app.ctx.db)
    const { rows } = await sql<{ id: bigint }>`
      INSERT INTO referral_codes (referrer_id, token_id, created_at, expires_at)
      SELECT ${one.id}, 1, now(), now() + interval '1 hour' FROM generate_series(1, ${CROWD}) RETURNING id`.execute(
      app.ctx.db,
    )
    const facts = { referrerId: one.id, tokenId: 1n, projectId: shop.projectId }
    const ctx = { ...app.ctx, caller: { kind: 'promoter' as const, ...facts } }
    const input = { amount: '11', currencyCode: 'USDC', blockchainCode: 'ETH', toAddress: PAYEE }
    const results: PromiseSettledResult<unknown>[] = []
    // More at once than there are connections.
    const lane = async () => {
      for (let code = rows.pop(); code !== undefined; code = rows.pop())
        results.push(...(await Promise.allSettled([withdrawRewards(ctx, facts, { input, codeId: code.id })])))
    }
    await Promise.all(Array.from({ length: 25 }, lane))
    expect(results).toHaveLength(CROWD)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect(await books(one)).toEqual({ payable: 10_000_000n, held: 110_000_000n })
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []))
    expect(new Set(refused)).toEqual(new Set(['ApiError: Only 10 USD is available.']))
    for (const { id } of (await shop.payouts({ limit: 50, status: ['pending-approval'] })).body.data)
      await shop.reject(id)
    expect(await books(one)).toEqual({ payable: 120_000_000n, held: 0n })
  })

  it('gives back once, for any number of requests', async () => {
    const { one, id } = await asked()
    await shop.reject(id)
    await inTransaction(asSystem(app.ctx), (tx) => releaseRewards(tx, BigInt(id)))
    expect(await books(one)).toEqual(FULL)
  })
})

const received = async () => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [PAYEE] })
  const answer = (await anvil.call('eth_call', { to: SANDBOX_TOKENS.usdc, data }, 'latest')) as Hex
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: answer })
}

describe('a withdrawal on a local chain', () => {
  it('arrives, and the books settle with it', { timeout: 180_000 }, async () => {
    const { one, id } = await asked({ amount: '45' })
    await shop.approve(id)
    const status = async () => (await shop.read(id)).body.status
    const untilPaid = async () => {
      const report = () => undefined
      const loops = [startSigning(app.ctx, report), startFollowingSends(app.ctx, report)]
      for (let round = 0; round < 120 && (await status()) !== 'processed'; round += 1) {
        await anvil.mine()
        await reader.catchUp()
        await new Promise((done) => setTimeout(done, 500))
      }
      await Promise.all(loops.map(({ stop }) => stop()))
    }
    await untilPaid()
    expect([await status(), await received()]).toEqual(['processed', 45_000_000n])
    expect(await books(one)).toEqual({ payable: 15_000_000n, held: 0n })
    expect((await one.read()).body.totals).toMatchObject({ earned: '60', available: '15', held: '0', paid: '45' })
    expect((await one.rewards()).body.data.map((reward) => reward.status)).toEqual(['pending', 'processed'])
    expect((await one.withdrawals()).body.data).toMatchObject([
      { amount: '45', status: 'processed', txHash: expect.stringMatching(/^0x/) },
    ])
    const { rows } = await sql<{ kind: string; currency: string; units: string }>`
      SELECT account.kind, unit.currency_code AS currency, sum(debits - credits)::text AS units
      FROM accounts AS account JOIN units AS unit ON unit.id = account.unit_id
      WHERE account.kind = 'exchange:position' GROUP BY 1, 2 ORDER BY unit.currency_code`.execute(app.ctx.db)
    expect(rows).toEqual([
      { kind: 'exchange:position', currency: 'USD', units: '-45000000' },
      { kind: 'exchange:position', currency: 'USDC', units: '45000000' },
    ])
    expect((await shop.read(id)).body.timeline.map(({ event }) => event)).toEqual([
      'payout.pending-approval',
      'payout.approved',
      'payout.pending',
      'payout.initiated',
      'payout.sent',
      'payout.processed',
    ])

    // The block goes, as far as we know, and comes again.
    await inTransaction(asSystem(app.ctx), (tx) => reopenSends(tx, { blockchainId: CHAIN, toHeight: 0 }))
    expect(await status()).toBe('sent')
    expect(await books(one)).toEqual({ payable: 15_000_000n, held: 45_000_000n })
    expect((await one.rewards()).body.data.map((reward) => reward.status)).toEqual(['held', 'held'])
    await untilPaid()
    expect([await status(), await received()]).toEqual(['processed', 45_000_000n])
    expect(await books(one)).toEqual({ payable: 15_000_000n, held: 0n })
  })
})

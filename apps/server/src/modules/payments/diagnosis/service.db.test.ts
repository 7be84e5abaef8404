import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { paymentRepairRoutes } from '@kassa/contract/payments/repair-routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, numberToHex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { createRateLimiter } from '../../../http/rate-limit/rate-limit.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { type FakeChain, fakeChain } from '../../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { ASSET, dollars, openCashier, type Cashier } from '../../../testing/cashier.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { transactionRequests } from './service.ts'

const START = new Date('2026-01-31T09:30:00.000Z')
const MINUTE = 60_000
const UNKNOWN = `0x${'ab'.repeat(32)}`
const STRANGER = '0x2222222222222222222222222222222222222222'

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let eth: FakeChain
let base: FakeChain
let anvil: AnvilChain

/** ETH is read from a chain of its own; BASE has a node that nobody answers at, until a test switches it off. */
beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: START }), openAnvilChain()])
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  eth = await fakeChain(app.ctx, 1)
  base = await fakeChain(app.ctx, 4)
  await setSandboxNode(asSystem(app.ctx), 'ETH', anvil.node.label)
  await switchBase(false)
}, 60_000)
beforeEach(async () => {
  cashier.pass(MINUTE)
  await readTo(1000)
})
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

const switchBase = (isOn: boolean) =>
  sql`UPDATE rpc_nodes SET is_active = ${isOn} WHERE blockchain_id = 4`.execute(app.ctx.db)
const readTo = (height: number) =>
  sql`UPDATE chain_cursors SET height = ${height} WHERE blockchain_id = 1`.execute(app.ctx.db)
const diagnose = async (ref: string, txHash: string, blockchainCode = '') =>
  (await app.call(paymentRepairRoutes.diagnosePayment, { params: { ref }, body: { txHash, blockchainCode } })).body
const find = (body: { txHash: string; blockchainCode?: string; referenceID?: string }, key = operator) =>
  app.call(paymentRepairRoutes.findMissedDeposit, { params: {}, body }, { key })
const rescans = async (txHash: string) => {
  const { rows } = await sql<{ data: object }>`
    SELECT data FROM pgboss.job WHERE name = ${transactionRequests.queue} AND data ->> 'txId' = ${txHash}`.execute(
    app.ctx.db,
  )
  return rows.map(({ data }) => data)
}
const usdc = (to: string, amount = 100) => ({ to, assetId: ASSET.USDC_ON_ETH, units: dollars(amount) })
const send = (to: string, units = dollars(100)) => anvil.transfer(SANDBOX_TOKENS.usdc, to as Hex, units)

describe('payments.diagnose: what is recorded', () => {
  it('confirming, then credited', async () => {
    const { ref, to } = await cashier.newPayment()
    const [tx = ''] = await eth.mine([usdc(to)])
    expect(await diagnose(ref, tx)).toMatchObject({
      verdict: 'confirming',
      confirmations: 1,
      confirmationRequired: 2,
      blockchainCode: 'ETH',
      currencyCode: 'USDC',
      amount: '100',
      paidTo: to,
      depositAddress: to,
      explorerTransaction: expect.stringContaining(tx) as string,
    })
    await eth.mine()
    expect(
      await diagnose(ref, ` https://explorer.example/tx/${tx.toUpperCase().replace('0X', '0x')}?x=1 `),
    ).toMatchObject({
      verdict: 'credited',
      text: '100 USDC already paid this.',
    })
    expect(await rescans(tx)).toEqual([])
  })

  it('wrong_network: counted, or unapplied where the project does not accept it', async () => {
    const counted = await cashier.newPayment()
    const [first = ''] = await base.mine([{ ...usdc(counted.to), assetId: ASSET.USDC_ON_BASE }])
    await base.mine()
    expect(await diagnose(counted.ref, first)).toMatchObject({
      verdict: 'credited',
      text: expect.stringContaining('arrived on Base, another network than asked, and counts') as string,
    })
    const unapplied = await cashier.newPayment()
    await sql`DELETE FROM project_assets WHERE asset_id = ${ASSET.USDC_ON_BASE}`.execute(app.ctx.db)
    const [second = ''] = await base.mine([{ ...usdc(unapplied.to), assetId: ASSET.USDC_ON_BASE }])
    await base.mine()
    expect(await diagnose(unapplied.ref, second)).toMatchObject({ verdict: 'wrong_network', blockchainCode: 'BASE' })
  })

  it('wrong_token and below_minimum', async () => {
    const { ref, to } = await cashier.newPayment()
    const [token = ''] = await eth.mine([{ ...usdc(to), assetId: ASSET.USDT_ON_ETH }])
    expect(await diagnose(ref, token)).toMatchObject({
      verdict: 'wrong_token',
      text: expect.stringContaining('You sent USDT; Shop asked for USDC.') as string,
    })
    const [dust = ''] = await eth.mine([{ ...usdc(to), units: 1n }])
    const { verdict, text } = await diagnose(ref, dust)
    expect(verdict).toBe('below_minimum')
    expect(text).toMatch(/^0\.000001 USDC is below the minimum of [\d.]+ USDC\./)
  })

  it('held, because it is quarantined or came too late', async () => {
    const { ref, to } = await cashier.newPayment()
    const [disputed = ''] = await eth.mine([usdc(to)])
    await sql`UPDATE deposits SET quarantine_reason = 'NODE_DISAGREEMENT' WHERE tx_id = ${disputed}`.execute(app.ctx.db)
    await eth.mine()
    expect(await diagnose(ref, disputed)).toMatchObject({
      verdict: 'held',
      text: '100 USDC arrived; someone at Shop is looking at it. Nothing to do.',
    })
    const late = await cashier.newPayment()
    cashier.pass(25 * 60 * MINUTE)
    await cashier.expire()
    const [tx = ''] = await eth.mine([usdc(late.to)])
    expect(await diagnose(late.ref, tx)).toMatchObject({
      verdict: 'held',
      text: expect.stringContaining('arrived after the time was up') as string,
    })
    cashier.pass(MINUTE)
  })

  it('not_yours: another request of the same customer, and nothing about it', async () => {
    const first = await cashier.newPayment({ customer: 'two requests' })
    const [tx = ''] = await eth.mine([usdc(first.to)])
    await eth.mine()
    const second = await cashier.newPayment({ customer: 'two requests', amount: '55' })
    const { verdict, amount, paidTo, blockchainCode } = await diagnose(second.ref, tx)
    expect({ verdict, amount, paidTo, blockchainCode }).toEqual({
      verdict: 'not_yours',
      amount: null,
      paidTo: null,
      blockchainCode: null,
    })
  })
})

describe('payments.diagnose: what the chain says', () => {
  it('confirming, and read again once, when money was overlooked', async () => {
    const { ref, to } = await cashier.newPayment()
    const tx = await send(to)
    const answer = await diagnose(ref, tx)
    expect(answer).toMatchObject({ verdict: 'confirming', confirmations: 1, amount: '100', paidTo: to })
    expect(answer.text).toContain('was not noticed here')
    expect(await rescans(tx)).toEqual([
      { blockchainId: 1, txId: tx, reason: 'payer asked for a transaction that was not recorded', by: 'payer' },
    ])
  })

  it('chain_behind: its block was not read yet, or no node answers', async () => {
    const { ref, to } = await cashier.newPayment()
    const tx = await send(to)
    await readTo(0)
    const answer = await diagnose(ref, tx)
    expect(answer.verdict).toBe('chain_behind')
    expect(answer.text).toContain(`we are ${await anvil.height()} blocks behind on Ethereum`)
    expect(await rescans(tx)).toEqual([])
    await switchBase(true)
    expect(await diagnose(ref, UNKNOWN)).toMatchObject({ verdict: 'chain_behind', blockchainCode: 'BASE' })
    await switchBase(false)
    // Where the one network that was named has no node, nobody has said that it is not there.
    expect(await diagnose(ref, UNKNOWN, 'BASE')).toMatchObject({ verdict: 'chain_behind', blockchainCode: 'BASE' })
  })

  it('pending and not_found', async () => {
    const { ref, to } = await cashier.newPayment()
    await anvil.call('evm_setAutomine', false)
    const tx = await anvil.transferSoon(SANDBOX_TOKENS.usdc, to as Hex, dollars(100))
    expect(await diagnose(ref, tx)).toMatchObject({ verdict: 'pending', blockchainCode: 'ETH' })
    await anvil.call('evm_setAutomine', true)
    await anvil.mine()
    expect(await diagnose(ref, UNKNOWN)).toMatchObject({ verdict: 'not_found', blockchainCode: null })
    expect(await diagnose(ref, UNKNOWN.slice(2), 'ETH')).toMatchObject({ verdict: 'not_found' })
  })

  it('failed_on_chain', async () => {
    const { ref } = await cashier.newPayment()
    const tx = await anvil.send({ to: anvil.probe, data: '0xdeadbeef' })
    expect(await diagnose(ref, tx)).toMatchObject({ verdict: 'failed_on_chain', blockchainCode: 'ETH' })
  })

  it('replaced: another transaction of the sender has its place', async () => {
    const { ref, to } = await cashier.newPayment()
    const { key } = await addOperator(app, { role: 'project_ops', projectId: shop.projectId })
    await anvil.call('evm_setAutomine', false)
    try {
      const slow = await anvil.transferSoon(SANDBOX_TOKENS.usdc, to as Hex, dollars(100))
      const sent = Number(await anvil.call('eth_getTransactionCount', anvil.payer, 'latest'))
      // As when a block holds the faster one, and the node's pool the slow one still.
      await anvil.call('anvil_setNonce', anvil.payer, numberToHex(sent + 1))
      const answer = await diagnose(ref, slow)
      expect(answer).toMatchObject({ verdict: 'replaced', blockchainCode: 'ETH', amount: null })
      expect(answer.text).toMatch(
        /^Another transaction of the sender took its place on Ethereum\..* paste that one here\./,
      )
      expect(await rescans(slow)).toEqual([])
      const { body } = await find({ txHash: slow, referenceID: ref }, key)
      expect(body).toMatchObject({ verdict: 'replaced', deposit: null })
      expect(body.text).toContain('look that one up before anybody pays again')
    } finally {
      await anvil.call('evm_setAutomine', true)
      await anvil.mine()
    }
  })

  it('wrong_address, also when the address is another customer’s', async () => {
    const { ref, to } = await cashier.newPayment()
    const other = await cashier.newPayment()
    for (const address of [STRANGER, other.to]) {
      const tx = await send(address)
      const answer = await diagnose(ref, tx)
      expect(answer).toMatchObject({ verdict: 'wrong_address', paidTo: address, depositAddress: to })
      expect(answer.text).toContain(`It went to ${address}, not to the address of this request.`)
      expect(await rescans(tx)).toEqual([])
    }
    const [recorded = ''] = await eth.mine([usdc(other.to)])
    expect(await diagnose(ref, recorded)).toMatchObject({ verdict: 'not_found', amount: null, paidTo: null })
  })

  it('wrong_token: a contract of no listed asset', async () => {
    const { ref, to } = await cashier.newPayment()
    const fake = SANDBOX_TOKENS.lookAlikeUsdc
    const tx = await anvil.transfer(fake, to as Hex, 5n)
    expect(await diagnose(ref, tx)).toMatchObject({
      verdict: 'wrong_token',
      text: expect.stringContaining(`a token of the contract ${fake}; Shop asked for USDC`) as string,
    })
  })
})

describe('payments.diagnose: the question', () => {
  it.each([
    ['', 'Transaction hash is required'],
    ['0x12', 'This is not a valid transaction hash'],
  ])('refuses %j', async (txHash, message) => {
    const { ref } = await cashier.newPayment()
    const { status, refusal } = await app.call(paymentRepairRoutes.diagnosePayment, {
      params: { ref },
      body: { txHash },
    })
    expect(status).toBe(400)
    expect(refusal?.fields).toEqual({ txHash: message })
  })

  it('may be asked six times a minute from one address', async () => {
    const limiter = createRateLimiter()
    const take = () => limiter(app.ctx, 'diagnose', 'ip:192.0.2.1')
    for (let asked = 0; asked < 6; asked += 1) await take()
    await expect(take()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 10 })
    cashier.pass(10_000)
    await take()
    expect(paymentRepairRoutes.diagnosePayment.rate).toBe('diagnose')
  })

  it('refuses unknown references and blockchains, and a hash that cannot be of the named one', async () => {
    const { ref } = await cashier.newPayment()
    const ask = (params: { ref: string }, blockchainCode: string) =>
      app.call(paymentRepairRoutes.diagnosePayment, { params, body: { txHash: UNKNOWN, blockchainCode } })
    expect((await ask({ ref: 'nobody' }, '')).refusal?.code).toBe('PAYMENT_REFERENCE_UNKNOWN')
    expect((await ask({ ref }, 'DOGE')).refusal?.code).toBe('BLOCKCHAIN_NOT_FOUND')
    expect((await ask({ ref }, 'SOLANA')).refusal?.code).toBe('VALIDATION_FAILED')
  })
})

describe('payments.findMissedDeposit (Y25)', () => {
  it('says what became of a transaction, with the deposit, to who may see it', async () => {
    const { ref, to } = await cashier.newPayment()
    const [tx = ''] = await eth.mine([usdc(to)])
    await eth.mine()
    const { key } = await addOperator(app, { role: 'project_ops', projectId: shop.projectId })
    const { body } = await find({ txHash: tx }, key)
    expect(body).toMatchObject({ verdict: 'credited', deposit: { txHash: tx, status: 'applied', referenceID: ref } })
    expect((await find({ txHash: tx, referenceID: ref }, key)).body.deposit?.referenceID).toBe(ref)
  })

  it('reads an overlooked transaction again, believing the chain and not the form', async () => {
    const { to } = await cashier.newPayment()
    const { key } = await addOperator(app, { role: 'project_ops', projectId: shop.projectId })
    const tx = await send(to)
    const { body } = await find({ txHash: tx, blockchainCode: 'ETH' }, key)
    expect(body).toMatchObject({ verdict: 'confirming', amount: '100', paidTo: to, deposit: null })
    expect(await rescans(tx)).toMatchObject([
      { blockchainId: 1, by: expect.stringMatching(/^operator:\d+$/) as string },
    ])
    const elsewhere = await find({ txHash: await send(STRANGER) }, key)
    expect(elsewhere.body).toMatchObject({ verdict: 'wrong_address', deposit: null })
  })

  it('refuses what does not exist', async () => {
    const { key } = await addOperator(app, { role: 'project_ops', projectId: shop.projectId })
    expect((await find({ txHash: UNKNOWN }, key)).refusal?.code).toBe('TRANSACTION_NOT_FOUND')
    expect((await find({ txHash: UNKNOWN, blockchainCode: 'DOGE' }, key)).refusal?.code).toBe('BLOCKCHAIN_NOT_FOUND')
    const nobody = '0199f0b2-6d6e-7c3a-9b1e-3f6f5b1a2c4d'
    expect((await find({ txHash: UNKNOWN, referenceID: nobody }, key)).refusal?.code).toBe('PAYMENT_NOT_FOUND')
    const { key: manager } = await addOperator(app, { role: 'project_manager', projectId: shop.projectId })
    expect((await find({ txHash: UNKNOWN }, manager)).refusal?.code).toBe('FORBIDDEN')
  })
})

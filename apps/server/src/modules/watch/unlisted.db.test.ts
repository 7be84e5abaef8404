/** Tokens that Kassa does not list, on a local chain: noticed, asked for their name, and nothing of them counted. */
import { RetryableRpcError, type RpcFailure } from '@kassa/chains/errors.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { unlistedTransfersRoutes } from '@kassa/contract/unlisted-transfers/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { testToken } from '@kassa/solidity/generated/test-token.ts'
import { sql } from 'kysely'
import { encodeDeployData, encodeFunctionData, erc20Abi, getContractAddress, type Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type Cashier, depositsTo, openCashier } from '../../testing/cashier.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { forgetNotices } from '../unlisted-transfers/service.ts'
import { askUnlisted } from './matching/match-unlisted.ts'

const DAY_MS = 24 * 3_600_000
const SUPPLY = 10n ** 30n

let app: TestApp
let operator: string
let shop: Shop
let cashier: Cashier
let anvil: AnvilChain
let reader: TestReader

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp({ now: new Date() }), openAnvilChain()])
  operator = await app.signUp()
  shop = await openShop(app, operator)
  cashier = openCashier(app, shop)
  await setSandboxNode(asSystem(app.ctx), 'ETH', anvil.url)
  reader = await testReader(asSystem(app.ctx), 'ETH')
}, 60_000)
beforeEach(() => reader.catchUp())
afterAll(async () => {
  await anvil.stop()
  await app.stop()
})

/** Deploys a token that calls itself so. */
async function deploy(symbol: string, decimals = 6): Promise<Hex> {
  const nonce = BigInt(String(await anvil.call('eth_getTransactionCount', anvil.payer, 'latest')))
  const args = [symbol, symbol, decimals, SUPPLY, anvil.payer] as const
  await anvil.send({ data: encodeDeployData({ abi: testToken.abi, bytecode: testToken.bytecode, args }) })
  return getContractAddress({ from: anvil.payer, nonce })
}

const transferOf = (to: string, units: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to as Hex, units] })
const noticesOf = async (ref: string) => (await cashier.show(ref)).unlisted
const list = async (key = operator, p?: string) => {
  const [params, path] = p === undefined ? [{}, 0] : [{ p }, 1]
  return app.call(unlistedTransfersRoutes.listUnlistedTransfers, { params, query: {} }, { key, path })
}
const ask = () => askUnlisted(reader.follower.ctx, reader.session, reader.follower.adapter)
const count = async (contract: string) => {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM unlisted_transfers WHERE contract = ${contract}`.execute(app.ctx.db)
  return rows[0]?.n
}

describe('watch: a token that is not listed (W-11)', () => {
  it('is noted with the payment and in the list, named once it was asked, and counts nowhere', async () => {
    const dai = await deploy('DAI', 18)
    const { ref, to } = await cashier.newPayment()
    const other = await cashier.newPayment()
    const txHash = await anvil.transfer(dai, to as Hex, 5n * 10n ** 17n)
    await anvil.mine(3)
    await reader.catchUp()
    expect(await noticesOf(ref)).toMatchObject([{ contract: dai, symbol: null, amount: null, txHash }])
    await ask()
    const [notice] = await noticesOf(ref)
    expect(notice).toMatchObject({ symbol: 'DAI', isLookAlike: false, amount: '0.5', blockchainCode: 'ETH' })
    expect(notice?.explorerTransaction).toContain(txHash)
    expect(await noticesOf(other.ref)).toEqual([])

    const untouched = { paymentState: 'OPEN', fundingState: 'none', deposits: [], repair: null, amountDue: '100' }
    expect(await cashier.show(ref)).toMatchObject(untouched)
    expect(await depositsTo(app, to)).toEqual([])
    expect(await cashier.emitted(ref)).toEqual([])
    const { rows } = await sql`SELECT FROM unclaimed_transfers`.execute(app.ctx.db)
    expect(rows).toEqual([])

    const detail = await app.call(paymentsRoutes.getPayment, { params: { p: shop.p, ref } }, { key: operator })
    expect(detail.body).toMatchObject({ unlisted: [{ symbol: 'DAI' }], needsAttention: false, unmatchedDeposits: [] })
    expect((await list()).body).toMatchObject({ total: 1, data: [{ symbol: 'DAI', toAddress: to, txHash }] })
  })

  it('is never called like a listed one: a fake that calls itself USDC', async () => {
    const { ref, to } = await cashier.newPayment()
    const contract = SANDBOX_TOKENS.lookAlikeUsdc
    await anvil.transfer(contract, to as Hex, 100_000_000n)
    await anvil.mine(3)
    await reader.catchUp()
    await ask()
    expect(await noticesOf(ref)).toMatchObject([{ contract, symbol: null, isLookAlike: true, amount: '100' }])
    expect(await cashier.show(ref)).toMatchObject({ paymentState: 'OPEN', filledAmount: '0', deposits: [] })
  })

  it('shows nothing of a name that is a trap, and stores no more of it than it needs', async () => {
    const trap = await deploy(`https://claim.example/${'x'.repeat(200)}`)
    const { ref, to } = await cashier.newPayment()
    await anvil.transfer(trap, to as Hex, 1n)
    await reader.catchUp()
    await ask()
    expect(await noticesOf(ref)).toMatchObject([{ symbol: null, isLookAlike: false, amount: '0.000001' }])
    const { rows } = await sql<{ symbol: string }>`
      SELECT symbol FROM unlisted_transfers WHERE contract = ${trap}`.execute(app.ctx.db)
    expect(rows[0]?.symbol).toHaveLength(64)
  })

  it('is asked once when its contract lets a call run out of time, and again when the node was away', async () => {
    const { contracts } = reader.follower.adapter
    const slow = await deploy('SLOW')
    const { to } = await cashier.newPayment()
    await ask()
    const asked: string[] = []
    const failing = (kind: RpcFailure) => {
      const claim = async (_: unknown, contract: string) => {
        asked.push(contract)
        throw new RetryableRpcError(kind, 'no answer')
      }
      if (!contracts) throw new Error('The family reads contracts')
      return askUnlisted(reader.follower.ctx, reader.session, { contracts: { ...contracts, claim } })
    }
    await anvil.transfer(slow, to as Hex, 1n)
    await reader.catchUp()
    await expect(failing('unreachable')).rejects.toThrow('no answer')
    await failing('timeout')
    await failing('timeout')
    expect(asked).toEqual([slow, slow])
  })

  it('goes with its block, and is noted again with the next', async () => {
    const token = await deploy('BACK')
    const { ref, to } = await cashier.newPayment()
    await anvil.send({ to: token, data: transferOf(to, 7n) })
    await anvil.mine()
    await reader.catchUp()
    expect(await noticesOf(ref)).toHaveLength(1)
    await anvil.call('anvil_reorg', 2, [])
    await anvil.mine()
    await reader.catchUp()
    expect(await noticesOf(ref)).toEqual([])
    await anvil.send({ to: token, data: transferOf(to, 7n) })
    await reader.catchUp()
    expect(await noticesOf(ref)).toHaveLength(1)
  })

  it('is listed to those who read deposits of the project', async () => {
    const token = await deploy('MINE')
    const { to } = await cashier.newPayment()
    await anvil.transfer(token, to as Hex, 3n)
    await reader.catchUp()
    const foreign = await openShop(app, operator, 'Foreign')
    const lead = await addOperator(app, { projectId: foreign.projectId, role: 'project_lead' })
    expect((await list(lead.key)).body.data).toEqual([])
    expect((await list(lead.key, shop.p)).status).toBe(404)
    const [newest] = (await list(operator, shop.p)).body.data
    expect(newest).toMatchObject({ externalPlatformID: shop.projectId, contract: token })
    expect((await list(operator, foreign.p)).body.data).toEqual([])
  })

  it('is kept so often a day and address, over several blocks, and forgotten after a year', async () => {
    const spam = await deploy('SPAM')
    const { ref, to } = await cashier.newPayment()
    const other = await cashier.newPayment()
    const drop = { target: spam, data: transferOf(to, 1n) }
    await anvil.transfer(spam, anvil.probe, 100n)
    await anvil.probeCalls(Array.from({ length: 7 }, () => drop))
    await reader.catchUp()
    expect(await count(spam)).toBe(7)
    await anvil.probeCalls(Array.from({ length: 7 }, () => drop))
    await anvil.transfer(spam, other.to as Hex, 1n)
    await reader.catchUp()
    expect(await count(spam)).toBe(11)
    expect(await noticesOf(ref)).toHaveLength(5)
    cashier.pass(DAY_MS)
    await anvil.probeCalls([drop])
    await reader.catchUp()
    expect(await count(spam)).toBe(12)
    cashier.pass(365 * DAY_MS)
    await forgetNotices(asSystem(app.ctx))
    expect(await count(spam)).toBe(1)
  })
})

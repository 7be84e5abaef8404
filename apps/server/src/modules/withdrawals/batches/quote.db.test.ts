import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { vaultsRoutes } from '@kassa/contract/vaults/routes.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { bookFloat } from '../../../testing/money-out/hot-wallet.ts'
import { OTHER_PAYEE, PAYEE, payoutShop } from '../../../testing/money-out/payouts.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { addHotWallet, findHotWallet } from '../../wallets/hot/service.ts'
import { signPending } from '../sending/service.ts'

const [CHAIN, ETH, USDC] = [1, 1, 7]

let app: TestApp
let anvil: AnvilChain
let root: string
let shop: Awaited<ReturnType<typeof payoutShop>>
let ann: number
let ben: number
let address: Hex

beforeAll(async () => {
  ;[app, anvil] = await Promise.all([testApp(), openAnvilChain()])
  root = await app.signUp()
  shop = await payoutShop(app, root)
  ann = await shop.recipient(PAYEE)
  ben = await shop.recipient(OTHER_PAYEE)
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', anvil.node.label)
  await addHotWallet(ctx, { family: 'ETH_Family', name: 'Payouts', generate: true, functions: ['payout'] })
  const wallet = await findHotWallet(ctx, { blockchainId: CHAIN, purpose: 'payout' })
  address = wallet?.address as Hex
  await setCoins('10')
  await anvil.transfer(SANDBOX_TOKENS.usdc, address, 1_000_000_000n)
  await bookFloat(ctx, wallet?.walletId ?? 0, { [ETH]: parseEther('10'), [USDC]: 1_000_000_000n })
}, 120_000)
afterAll(async () => {
  await app.stop()
  await anvil.stop()
})
beforeEach(async () => {
  await sql`DELETE FROM rate_buckets`.execute(app.ctx.db)
  await sql`UPDATE withdrawals SET decided_at = decided_at - interval '5 days'`.execute(app.ctx.db)
  await sql`DELETE FROM payout_policies`.execute(app.ctx.db)
})

const rowsOf = (...amounts: string[]) =>
  amounts.map((amount, at) => ({ recipientID: at % 2 === 0 ? ann : ben, currencyCode: 'USDC', amount }))
const quoted = async (...amounts: string[]) => (await shop.quote(rowsOf(...amounts))).body
const waitOf = async (...amounts: string[]) => (await quoted(...amounts)).totals[0]?.waitReason
const setChain = (status: string) =>
  sql`UPDATE blockchains SET status = ${status} WHERE id = ${CHAIN}`.execute(app.ctx.db)
const setCoins = (ether: string) => anvil.call('anvil_setBalance', address, numberToHex(parseEther(ether)))

describe('D22: the quote of a payout', () => {
  it('says fee, float after it, and what the policy decides, and creates nothing', async () => {
    await shop.setPolicy({ quorum: 1 })
    const { policy, totals, amountInUSD } = await quoted('400')
    expect(Number(amountInUSD)).toBeCloseTo(400, 0)
    expect(policy).toMatchObject({ rule: { code: 'over_auto_limit' }, approvalsNeeded: 1, dayLimit: '10000.00' })
    expect(Number(policy.dayUsed)).toBeCloseTo(400, 0)
    const [total] = totals
    expect(total).toMatchObject({
      ...{ blockchainCode: 'ETH', currencyCode: 'USDC', payouts: 1, amount: '400' },
      ...{ available: '1000', availableAfter: '600', waitReason: null, waits: null },
      fee: { currencyCode: 'ETH' },
    })
    expect(Number(total?.fee?.amount)).toBeGreaterThan(0)
    expect(Number(total?.fee?.amountInUSD)).toBeGreaterThan(0)
    const { rows } = await sql`SELECT FROM withdrawals`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  it('decides about the sum of several, whose fees add up', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '150' })
    const [one, two] = [await quoted('100'), await quoted('100', '100')]
    expect([one.policy.approvalsNeeded, two.policy.approvalsNeeded]).toEqual([0, 1])
    expect(two.totals[0]).toMatchObject({ payouts: 2, amount: '200', availableAfter: '800' })
    expect(Number(two.totals[0]?.fee?.amount)).toBeGreaterThan(Number(one.totals[0]?.fee?.amount) * 1.5)
  })

  it('refuses what the request would be refused for, naming the row', async () => {
    const rows = rowsOf('1', '2').map((row, at) => (at === 1 ? { ...row, recipientID: 999_999 } : row))
    expect((await shop.quote(rows)).refusal).toMatchObject({ code: 'RECIPIENT_NOT_FOUND', data: { row: 1 } })
    expect((await shop.quote(rowsOf('1.0000001'))).refusal?.code).toBe('VALIDATION_FAILED')
  })

  it('foresees that the float is short of the sum, though not of each', async () => {
    expect([await waitOf('600'), await waitOf('600', '600')]).toEqual([null, 'INSUFFICIENT_FUNDS'])
    expect((await quoted('600', '600')).totals[0]?.availableAfter).toBe('-200')
  })

  it('foresees that nothing pays the network fee', async () => {
    await setCoins('0')
    expect(await waitOf('10')).toBe('GAS')
    await setCoins('10')
    expect(await waitOf('10')).toBeNull()
  })

  it('foresees a pause', async () => {
    await shop.setPolicy({ paused: true })
    expect(await waitOf('10')).toBe('PAUSED')
    await shop.setPolicy({ paused: false })
    expect(await waitOf('10')).toBeNull()
  })

  it('foresees that no node answers', async () => {
    await setSandboxNode(asSystem(app.ctx), 'ETH', 'http://127.0.0.1:9/')
    expect((await quoted('10')).totals[0]).toMatchObject({ waitReason: 'CHAIN_DOWN', fee: null })
    await setSandboxNode(asSystem(app.ctx), 'ETH', anvil.node.label)
  })

  it('foresees that no hot wallet pays', async () => {
    await sql`UPDATE wallets SET status = 'inactive' WHERE id IN (SELECT wallet_id FROM hot_keys)`.execute(app.ctx.db)
    expect(await waitOf('10')).toBe('NO_WALLET')
    await sql`UPDATE wallets SET status = 'active' WHERE id IN (SELECT wallet_id FROM hot_keys)`.execute(app.ctx.db)
  })

  it('foresees that the vault of its key is locked, and still knows the fee', async () => {
    const body = { name: 'Cold room', provider: 'passphrase', passphrase: 'correct horse battery staple' } as const
    const { id } = (await app.call(vaultsRoutes.createVault, { body }, { key: root })).body
    const moveKey = (vaultId: number) =>
      sql`UPDATE secrets SET vault_id = ${vaultId} WHERE id IN (SELECT secret_id FROM hot_keys)`.execute(app.ctx.db)
    await moveKey(id)
    expect(await waitOf('10')).toBeNull()
    await app.call(vaultsRoutes.lockVault, { params: { id } }, { key: root })
    const [total] = (await quoted('10')).totals
    expect(total?.waitReason).toBe('VAULT_LOCKED')
    expect(Number(total?.fee?.amount)).toBeGreaterThan(0)
    await moveKey(1)
  })

  it('refuses a recipient who is too new or was blocked since, as the request does', async () => {
    const cleo = await shop.recipient('0x52908400098527886E0F7030069857D2E4169EE7')
    const rows = [...rowsOf('1'), { recipientID: cleo, currencyCode: 'USDC', amount: '1' }]
    await sql`UPDATE recipient_projects SET known_since = known_since - interval '5 days'
      WHERE recipient_id = ${ann}`.execute(app.ctx.db)
    await shop.setPolicy({ recipientDelayHours: 24 })
    const named = { code: 'RECIPIENT_NOT_ACTIVE', data: { row: 1, payableFrom: expect.any(String) } }
    expect((await shop.quote(rows)).refusal).toMatchObject(named)
    await shop.setPolicy({ recipientDelayHours: 0 })
    expect((await shop.quote(rows)).status).toBe(200)
    await sql`UPDATE recipients SET status = 'blocked' WHERE id = ${cleo}`.execute(app.ctx.db)
    expect((await shop.quote(rows)).refusal).toMatchObject({ code: 'RECIPIENT_NOT_ACTIVE', data: { row: 1 } })
  })

  it('foresees that nothing bounds the fee while its coin has no price', async () => {
    await sql`INSERT INTO sandbox_prices (currency_code, price) VALUES ('ETH', 'nonsense')`.execute(app.ctx.db)
    const [total] = (await quoted('10')).totals
    expect(total).toMatchObject({ waitReason: 'NO_PRICE', waits: { params: { currency: 'ETH' } }, fee: null })
    await sql`DELETE FROM sandbox_prices`.execute(app.ctx.db)
    expect(await waitOf('10')).toBeNull()
  })

  it('foresees that the fee is above its ceiling, and says how much it would be', async () => {
    const limit = (units: string | null) =>
      sql`UPDATE assets SET withdraw_fee_units = ${units}::numeric WHERE id = ${USDC}`.execute(app.ctx.db)
    await limit('1')
    const [total] = (await quoted('10')).totals
    expect(total).toMatchObject({ waitReason: 'FEE_TOO_HIGH', waits: { params: { chain: 'ETH' } } })
    expect(Number(total?.fee?.amount)).toBeGreaterThan(0)
    await limit(null)
    expect(await waitOf('10')).toBeNull()
  })

  it('foresees that the fee is above the ceiling of the smallest of several', async () => {
    // At this price it costs about 9 US dollars: the ceiling is 5 of a payout of 10 dollars, and 18 of one of 900.
    await anvil.call('anvil_setNextBlockBaseFeePerGas', numberToHex(30_000_000_000n))
    await anvil.call('evm_mine')
    expect([await waitOf('900'), await waitOf('10'), await waitOf('900', '10')]).toEqual([
      null,
      'FEE_TOO_HIGH',
      'FEE_TOO_HIGH',
    ])
    await anvil.call('anvil_setNextBlockBaseFeePerGas', numberToHex(1_000_000_000n))
    await anvil.call('evm_mine')
  })

  it('foresees that the network would refuse it', async () => {
    const rows = [{ recipientID: ann, currencyCode: 'ETH', amount: '0.1' }]
    const total = async () => (await shop.quote(rows)).body.totals[0]
    expect(await total()).toMatchObject({ waitReason: null })
    await anvil.call('anvil_setCode', PAYEE, '0x60006000fd')
    expect(await total()).toMatchObject({ waitReason: 'WOULD_FAIL', waits: { params: { reason: expect.any(String) } } })
    await anvil.call('anvil_setCode', PAYEE, '0x')
  })

  it('foresees that the wallet waits for a person, because its key was used elsewhere', async () => {
    await anvil.call('anvil_setNonce', address, '0x9')
    expect(await waitOf('10')).toBe('WALLET_LOCKED')
    await anvil.call('anvil_setNonce', address, '0x0')
    expect(await waitOf('10')).toBeNull()
  })

  it('foresees that transactions of the wallet are under way', async () => {
    await anvil.call('evm_setAutomine', false)
    await anvil.call('anvil_impersonateAccount', address)
    const hash = await anvil.call('eth_sendTransaction', { from: address, to: PAYEE, value: '0x1' })
    expect(await waitOf('10')).toBe('BUSY')
    await anvil.call('anvil_dropTransaction', hash)
    await anvil.call('evm_setAutomine', true)
    expect(await waitOf('10')).toBeNull()
  })

  it('refuses an address that became one of ours since its recipient was saved, naming the row', async () => {
    const cleo = await shop.recipient(address)
    const rows = [...rowsOf('1'), { recipientID: cleo, currencyCode: 'USDC', amount: '1' }]
    expect((await shop.quote(rows)).refusal).toMatchObject({ code: 'ADDRESS_IS_OURS', data: { row: 1 } })
  })

  it('says what the sender then finds', async () => {
    await shop.setPolicy({ autoApproveLimitInUSD: '5000', hourlyLimitInUSD: '9000' })
    for (const [amount, wait] of [
      ['5', null],
      ['1200', 'INSUFFICIENT_FUNDS'],
    ] as const) {
      expect(await waitOf(amount)).toBe(wait)
      const { id } = (await shop.pay({ recipientID: ann, currencyCode: 'USDC', amount })).body
      await signPending(asSystem(app.ctx))
      const { waitReason, status } = (await shop.read(id)).body
      expect(status).toBe(wait === null ? 'initiated' : 'pending')
      if (wait === null) continue
      expect(waitReason).toBe(wait)
      await shop.cancel(id)
    }
  })

  it('needs a network that runs: ASSET_NOT_PAYABLE', async () => {
    await setChain('inactive')
    expect((await shop.quote(rowsOf('1'))).refusal?.code).toBe('ASSET_NOT_PAYABLE')
    await setChain('active')
  })
})

import { acceptedAssetsRoutes } from '@kassa/contract/blockchains/accepted-assets-routes.ts'
import { blockchainChangesRoutes } from '@kassa/contract/blockchains/change-routes.ts'
import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { type Anvil, startAnvil } from '@kassa/chains/testing/anvil.ts'
import { startFaultyNode } from '@kassa/chains/testing/faulty-node.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asSystem } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { openAlarms } from '../alarms/service.ts'
import { acceptedAssets } from '../projects/accepted-assets.ts'
import { checkAssets } from './assets/check-assets.ts'

const { listProjectAssets, setProjectAssets, listPaymentOptions, setPaymentOptions, setPaymentOption } =
  acceptedAssetsRoutes
const USDC = { b: 'ETH', c: 'USDC' }
let app: TestApp
let key: string
let shop: Shop
let bare: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  bare = String((await app.call(projectsRoutes.createProject, { body: { name: 'Bare' } }, { key })).body.id)
}, 60_000)
afterAll(() => app.stop())

const change = (body: object, params = USDC) => app.call(blockchainChangesRoutes.changeAsset, { params, body }, { key })
const accepted = async (p = shop.p) => (await app.call(listProjectAssets, { params: { p } }, { key })).body

describe('blockchains.getAsset (B10)', () => {
  it.each([
    ['ETH', 'USDC'],
    ['1', '6'],
    ['ethereum', 'usdc'],
  ])('returns one asset by %s and %s', async (b, c) => {
    const { body } = await app.call(blockchainsRoutes.getAsset, { params: { b, c } }, { key })
    expect(body).toMatchObject({
      id: 7,
      currencyCode: 'USDC',
      blockchainCode: 'ETH',
      walletPrecision: 6,
      sweepBatchSize: 3,
    })
  })

  it('knows former names, and refuses what does not exist', async () => {
    const get = (b: string, c: string) => app.call(blockchainsRoutes.getAsset, { params: { b, c } }, { key })
    expect((await get('POLYGON', 'MATIC')).body).toMatchObject({ currencyCode: 'POL' })
    for (const [b, c] of [
      ['DOGE', 'USDC'],
      ['ETH', 'DOGE'],
      ['BTC', 'USDC'],
    ] as const) {
      expect((await get(b, c)).refusal?.code).toBe('ASSET_NOT_FOUND')
    }
  })
})

describe('blockchains.changeAsset (B11)', () => {
  it('changes switches and limits exactly, and clears them again', async () => {
    const limits = {
      minDepositAmount: '2.5',
      withdrawLimit24Hr: '1000000.000001',
      approvalFeeAmount: '0.000000000000000001',
      sweepBatchSize: 10,
    }
    expect((await change({ ...limits, visible: false, withdrawalEnabled: true })).body).toMatchObject({
      ...limits,
      visible: false,
      withdrawalEnabled: true,
      depositEnabled: true,
      depositFee: null,
      sweepApprovalBatchSize: 50,
    })
    const cleared = { minDepositAmount: '', withdrawLimit24Hr: null, approvalFeeAmount: '', sweepBatchSize: 3 }
    expect((await change({ ...cleared, visible: true, withdrawalEnabled: false })).body).toMatchObject({
      minDepositAmount: '1',
      withdrawLimit24Hr: null,
      approvalFeeAmount: null,
      visible: true,
    })
  })

  it('refuses more decimals than the currency has, and to change what it is', async () => {
    const { status, refusal } = await change({ minDepositAmount: '0.0000001' })
    expect([status, refusal?.code, refusal?.fields]).toEqual([
      400,
      'VALIDATION_FAILED',
      { minDepositAmount: 'This amount can have at most 6 decimals' },
    ])
    for (const body of [
      { address: '0x1' },
      { standard: 'native' },
      { walletPrecision: 8 },
      { minDepositAmount: '-1' },
    ]) {
      expect((await change(body)).refusal?.code).toBe('VALIDATION_FAILED')
    }
    expect((await change({}, { b: 'ETH', c: 'DOGE' })).refusal?.code).toBe('ASSET_NOT_FOUND')
  })

  it('disables a currency for every project at once', async () => {
    await change({ depositEnabled: false })
    const codes = (await acceptedAssets(app.ctx, shop.projectId)).map(({ id }) => id)
    expect(codes).not.toContain(7)
    expect((await accepted()).find(({ id }) => id === 7)).toMatchObject({
      accepted: true,
      ready: false,
      reason: 'It is switched off for the whole install.',
    })
    await change({ depositEnabled: true })
  })
})

describe('blockchains.projectAssets (B15, B16)', () => {
  const set = (blockchainCurrencies: (number | { blockchainCode: string; currencyCode: string })[], p = shop.p) =>
    app.call(setProjectAssets, { params: { p }, body: { blockchainCurrencies } }, { key })

  it('lists what a project accepts, or everything, and why one cannot be paid', async () => {
    const all = (await app.call(listProjectAssets, { params: { p: shop.p }, query: { all: true } }, { key })).body
    const reasonOf = (id: number) => all.find((asset) => asset.id === id)?.reason
    expect(all.length).toBeGreaterThanOrEqual((await accepted()).length)
    expect(reasonOf(7)).toBeNull()
    expect(reasonOf(2)).toBe('Switch it on: its local chain starts with it.')
    const cause = { code: 'not_started', params: {}, text: reasonOf(2) }
    expect(all.find(({ id }) => id === 2)?.cause).toMatchObject({ code: 'network_inactive', params: { cause } })
    const networks = (await app.call(blockchainsRoutes.listBlockchains, {}, { key })).body
    expect(networks.find(({ code }) => code === 'BTC')).toMatchObject({ cause, reason: reasonOf(2) })
    expect((await accepted(bare)).find(({ id }) => id === 7)?.reason).toBe('No deposit wallet is linked.')
    await sql`UPDATE rpc_nodes SET is_active = false WHERE blockchain_id = 4`.execute(app.ctx.db)
    expect((await accepted()).find(({ id }) => id === 8)).toMatchObject({ ready: false, reason: 'Add a node.' })
    await sql`UPDATE rpc_nodes SET is_active = true WHERE blockchain_id = 4`.execute(app.ctx.db)
  })

  it('says by a code why reading the network of an asset is halted', async () => {
    const cause = { code: 'halted', params: { halt: { case: 'too_deep', limit: 64, height: 100 } } }
    await sql`INSERT INTO chain_cursors
        (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height, state, stop_cause)
      VALUES (4, 100, '0xa', '0xb', now(), 103, -1, 'halted', ${JSON.stringify(cause)})`.execute(app.ctx.db)
    const text = 'The node replaced more than 64 blocks below 100. Compare it with another source.'
    expect((await accepted()).find(({ id }) => id === 8)).toMatchObject({
      ...{ ready: false, reason: text },
      cause: { code: 'network_halted', params: { cause: { ...cause, text } }, text },
    })
    await sql`DELETE FROM chain_cursors`.execute(app.ctx.db)
  })

  it('sets the whole accepted set by ids or names, twice with the same result', async () => {
    for (const _ of [1, 2]) {
      const { body } = await set([7, { blockchainCode: 'base', currencyCode: 'USDC' }, 7])
      expect(body.map(({ id }) => id)).toEqual([7, 8])
    }
    expect((await set([])).body).toEqual([])
    expect((await set([1, 4, 7, 8, 11])).body).toHaveLength(5)
  })

  it('refuses an asset that does not exist, and a new one that is switched off, and then changes nothing', async () => {
    await set([7])
    expect((await set([999])).refusal?.code).toBe('ASSET_NOT_FOUND')
    expect((await set([{ blockchainCode: 'ETH', currencyCode: 'DOGE' }])).refusal?.code).toBe('ASSET_NOT_FOUND')
    await change({ visible: false }, { b: 'BASE', c: 'USDC' })
    const { status, refusal } = await set([7, 8])
    expect([status, refusal?.code]).toEqual([409, 'ASSET_DISABLED'])
    expect((await accepted()).map(({ id }) => id)).toEqual([7])
    await change({ visible: true }, { b: 'BASE', c: 'USDC' })
  })

  it('leaves an accepted asset in a project after it was switched off', async () => {
    await set([7, 8])
    await change({ depositEnabled: false })
    expect((await set([1, 7])).body.map(({ id }) => id)).toEqual([1, 7])
    await change({ depositEnabled: true })
  })

  it('requires exactly one project', async () => {
    expect((await app.call(listProjectAssets, { params: { p: 'all' } }, { key })).refusal?.code).toBe(
      'PROJECT_REQUIRED',
    )
    expect((await set([7], '999')).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })
})

describe('blockchains.paymentOptions (B17, B18)', () => {
  const params = { p: '' }
  beforeEach(async () => {
    params.p = shop.p
    await app.call(setProjectAssets, { params, body: { blockchainCurrencies: [7] } }, { key })
  })
  const one = (optionKey: string, enabled: boolean) =>
    app.call(setPaymentOption, { params: { ...params, optionKey }, body: { enabled } }, { key })

  it('shows the accepted set as switches, with what each still needs', async () => {
    const { body } = await app.call(listPaymentOptions, { params }, { key })
    expect(body.mainnet).toBe(false)
    expect(body.options.filter(({ enabled }) => enabled)).toEqual([
      {
        optionKey: 'ETH:USDC',
        enabled: true,
        globallyEnabled: true,
        originBlockchainCode: 'ETH',
        originNative: true,
        unmet: [],
      },
    ])
    expect(body.options.find(({ optionKey }) => optionKey === 'POLYGON:USDC')?.unmet).toEqual([
      { kind: 'unverified', chain: 'POLYGON' },
    ])
    const bareOptions = (await app.call(listPaymentOptions, { params: { p: bare } }, { key })).body.options
    expect(bareOptions.find(({ optionKey }) => optionKey === 'ETH:USDC')?.unmet).toEqual([
      { kind: 'wallet-deployed', chain: 'ETH' },
    ])
  })

  it('switches several, or one', async () => {
    const options = [
      { optionKey: 'BASE:USDC', enabled: true },
      { optionKey: 'ETH:USDC', enabled: false },
    ]
    await app.call(setPaymentOptions, { params, body: { options } }, { key })
    expect((await accepted()).map(({ id }) => id)).toEqual([8])
    expect((await one('ETH:USDC', true)).body).toMatchObject({ optionKey: 'ETH:USDC', enabled: true })
    expect((await accepted()).map(({ id }) => id)).toEqual([7, 8])
  })

  it('refuses one that does not exist or is switched off', async () => {
    expect((await one('ETH:DOGE', true)).refusal?.code).toBe('ASSET_NOT_FOUND')
    const body = (optionKey: string) => ({ options: [{ optionKey, enabled: true }] })
    const several = async (optionKey: string) =>
      (await app.call(setPaymentOptions, { params, body: body(optionKey) }, { key })).refusal?.code
    expect(await several('nonsense')).toBe('ASSET_NOT_FOUND')
    await change({ depositEnabled: false }, { b: 'BASE', c: 'USDC' })
    expect([(await one('BASE:USDC', true)).refusal?.code, await several('BASE:USDC')]).toEqual([
      'ASSET_DISABLED',
      'ASSET_DISABLED',
    ])
    expect((await one('BASE:USDC', false)).status).toBe(200)
    await change({ depositEnabled: true }, { b: 'BASE', c: 'USDC' })
  })
})

describe('blockchains.checkAssets (E12)', () => {
  let anvil: Anvil
  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 31_337 })
    await sql`DELETE FROM rpc_nodes`.execute(app.ctx.db)
    await sql`UPDATE blockchains SET status = 'inactive' WHERE id = 4`.execute(app.ctx.db)
    await addNode(anvil.url)
  }, 30_000)
  afterAll(() => anvil.stop())
  const running: { stop: () => Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.stop()))
  })

  const addNode = (url: string) =>
    sql`INSERT INTO rpc_nodes (blockchain_id, url) VALUES (1, ${url})`.execute(app.ctx.db)
  /** A contract that answers every call with the same 32 bytes. */
  const stating = (decimals: number) => `0x60${decimals.toString(16).padStart(2, '0')}60005260206000f3`
  const setCode = async (address: string, code: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, code] })
    await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  const states = async () => {
    const { rows } = await sql<{ currency_code: string; deposit_enabled: boolean; disabled_because: string | null }>`
      SELECT currency_code, deposit_enabled, disabled_because FROM assets WHERE blockchain_id = 1 ORDER BY id`.execute(
      app.ctx.db,
    )
    return Object.fromEntries(rows.map((row) => [row.currency_code, row.disabled_because ?? row.deposit_enabled]))
  }
  const check = () => checkAssets(asSystem(app.ctx))
  beforeEach(async () => {
    await setCode(SANDBOX_TOKENS.usdc, stating(6))
    await setCode(SANDBOX_TOKENS.usdt, stating(6))
    await sql`UPDATE assets SET deposit_enabled = true, disabled_because = NULL`.execute(app.ctx.db)
    await sql`DELETE FROM alarms`.execute(app.ctx.db)
  })

  it('leaves a contract alone that equals the listed asset', async () => {
    await check()
    expect(await states()).toEqual({ ETH: true, USDC: true, USDT: true })
    expect(await openAlarms(app.ctx)).toEqual([])
  })

  it.each([
    ['has other decimals', stating(18), /has 18 decimals, not 6\.$/],
    ['has no contract', '0x', /^There is no contract at 0x/],
    ['states nothing', '0x60006000fd', /does not state its decimals any more\.$/],
  ])('switches a currency off whose contract %s, and raises an alarm', async (_name, code, why) => {
    await setCode(SANDBOX_TOKENS.usdt, code)
    await check()
    expect(await states()).toEqual({ ETH: true, USDC: true, USDT: expect.stringMatching(why) })
    expect(await openAlarms(app.ctx)).toMatchObject([{ kind: 'asset_changed', subject: 'ETH:USDT' }])
    const all = (await app.call(listProjectAssets, { params: { p: shop.p }, query: { all: true } }, { key })).body
    expect(all.find(({ id }) => id === 11)?.reason).toMatch(why)
    await change({ depositEnabled: false }, { b: 'ETH', c: 'USDT' })
    expect((await states())['USDT'], 'deposits are still quarantined').toMatch(why)
    await change({ depositEnabled: true }, { b: 'ETH', c: 'USDT' })
    expect((await states())['USDT']).toBe(true)
    expect(await openAlarms(app.ctx)).toEqual([])
  })

  it('needs both nodes to agree where there is a second operator', async () => {
    const liar = await startAnvil({ chainId: 31_337 })
    running.push(liar)
    await sql`UPDATE rpc_nodes SET priority = 1`.execute(app.ctx.db)
    await addNode(liar.url)
    await check()
    expect(await states()).toEqual({ ETH: true, USDC: true, USDT: true })
    await sql`DELETE FROM rpc_nodes WHERE url = ${liar.url}`.execute(app.ctx.db)
  })

  it('switches nothing off while a node is unreachable, and reports that it could not check', async () => {
    const second = await startFaultyNode(anvil.url)
    running.push(second)
    await addNode(second.url)
    second.trouble({ kind: 'gone' })
    await setCode(SANDBOX_TOKENS.usdt, '0x')
    await expect(check()).rejects.toThrow('ETH: a contract seems to have changed, and no second node answers')
    expect((await states())['USDT']).toBe(true)
    second.trouble(null)
    await check()
    expect((await states())['USDT']).toMatch(/^There is no contract/)
    await sql`DELETE FROM rpc_nodes`.execute(app.ctx.db)
    await addNode('http://127.0.0.1:9')
    await expect(check()).rejects.toThrow(/Currencies could not be checked/)
    await sql`DELETE FROM rpc_nodes`.execute(app.ctx.db)
    await addNode(anvil.url)
  })
})

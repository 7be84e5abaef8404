import { blockchainsRoutes } from '@kassa/contract/blockchains/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'

const { listBlockchains, getBlockchain, listFamilies, listAssets, listCurrencies, listPublicAssets } = blockchainsRoutes
let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  const url = 'https://user:pass@node.example/v3/0123456789abcdef0123456789abcdef?apikey=topsecret'
  await sql`INSERT INTO rpc_nodes (blockchain_id, url) VALUES (1, ${url})`.execute(app.ctx.db)
})
afterAll(() => app.stop())

describe('blockchains.list (B1)', () => {
  it('returns every blockchain by id, with its nodes and without their secrets', async () => {
    const { status, body, text } = await app.call(listBlockchains, {}, { key })
    expect(status).toBe(200)
    expect(body.map(({ id, code }) => [id, code])).toEqual([
      [1, 'ETH'],
      [2, 'BTC'],
      [3, 'TRX'],
      [4, 'BASE'],
      [5, 'POLYGON'],
      [6, 'SOLANA'],
    ])
    expect(body[0]).toMatchObject({
      networkMode: 'sandbox',
      chainID: 31_337,
      height: 0,
      heightTimestamp: null,
      lagBlocks: null,
    })
    expect(body[0]?.rpcNodes).toMatchObject([
      { url: 'https://•••@node.example/v3/•••?•••', hasCredentials: true, apiKey: null },
    ])
    expect(text).not.toMatch(/pass|0123456789abcdef|topsecret/)
  })

  it('returns those of one status', async () => {
    const { body } = await app.call(listBlockchains, { query: { status: 'active' } }, { key })
    expect(body.map(({ code }) => code)).toEqual(['ETH', 'BASE'])
  })

  it('shows how far a blockchain was read', async () => {
    const at = new Date('2026-01-01T00:00:00.000Z')
    await sql`
      INSERT INTO chain_cursors (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height)
      VALUES (4, 100, '0xa', '0xb', ${at}, 103, -1)`.execute(app.ctx.db)
    const { body } = await app.call(listBlockchains, {}, { key })
    expect(body[3]).toMatchObject({ code: 'BASE', height: 100, heightTimestamp: at, lagBlocks: 3 })
  })

  it('says by a code and in English why a blockchain is not read, and what to know about it', async () => {
    const halt = { case: 'below_final', height: 101 }
    const notice = { code: 'finality_stalled', params: { height: 88, minutes: 7, fromUSD: '10000.00' } }
    const set = (cause: object | null, about: object | null) =>
      sql`UPDATE chain_cursors SET state = 'halted', stop_cause = ${cause && JSON.stringify(cause)},
        notice_cause = ${about && JSON.stringify(about)} WHERE blockchain_id = 4`.execute(app.ctx.db)
    const base = async () => (await app.call(listBlockchains, {}, { key })).body[3]
    await set({ code: 'halted', params: { halt } }, notice)
    const reason = 'The node replaced block 101, which was final. Compare it with another source.'
    const said =
      'Nothing has become final above block 88 for 7 minutes. Deposits of $10,000 or more wait for it; smaller ones follow their depth.'
    expect(await base()).toMatchObject({
      ...{ reason, cause: { code: 'halted', params: { halt }, text: reason } },
      ...{ notice: said, noticeCause: { ...notice, text: said } },
    })
    await set(null, null)
    expect(await base()).toMatchObject({ reason: null, cause: null, notice: null, noticeCause: null })
  })

  it('still says that a blockchain is not read for a reason that only another version knows', async () => {
    await sql`UPDATE chain_cursors SET stop_cause = '{"code": "moon_full", "params": {}}',
      notice_cause = '{"code": "tide", "params": {}}' WHERE blockchain_id = 4`.execute(app.ctx.db)
    expect((await app.call(listBlockchains, {}, { key })).body[3]).toMatchObject({
      ...{ reason: 'moon_full', cause: { code: 'read_failed', params: { error: 'moon_full' } } },
      ...{ notice: 'tide', noticeCause: { code: 'unknown_notice', params: { text: 'tide' } } },
    })
    await sql`UPDATE chain_cursors SET stop_cause = NULL, notice_cause = NULL`.execute(app.ctx.db)
  })

  it('requires a key', async () => {
    expect((await app.call(listBlockchains)).refusal?.code).toBe('UNAUTHORIZED')
  })
})

describe('blockchains.get (B2)', () => {
  it.each(['1', 'ETH', 'eth', 'ethereum'])('returns one by %s', async (x) => {
    const { body } = await app.call(getBlockchain, { params: { x } }, { key })
    expect(body).toMatchObject({ code: 'ETH', family: 'ETH_Family', blockchainFamilyID: 1, isSCW: true })
  })

  it.each([
    ['all', 6],
    ['static', 6],
    ['ETH_Family', 3],
    ['SOL_Family', 1],
  ])('returns the facts of several for %s', async (x, count) => {
    const { body } = await app.call(getBlockchain, { params: { x } }, { key })
    expect(body).toHaveLength(count)
  })

  it('refuses a name it does not know', async () => {
    const { status, refusal } = await app.call(getBlockchain, { params: { x: 'DOGE' } }, { key })
    expect([status, refusal?.code]).toEqual([404, 'BLOCKCHAIN_NOT_FOUND'])
  })
})

describe('blockchains and their currencies', () => {
  it('lists the families (B8)', async () => {
    const { text } = await app.call(listFamilies, {}, { key })
    expect(text).toBe(
      '[{"id":1,"family":"ETH_Family"},{"id":2,"family":"BTC_Family"},{"id":3,"family":"TRX_Family"},{"id":4,"family":"SOL_Family"}]',
    )
  })

  it('lists assets, of one blockchain when asked (B9)', async () => {
    const all = (await app.call(listAssets, {}, { key })).body
    expect(all).toEqual(all.toSorted((a, b) => a.id - b.id))
    expect(all.length).toBeGreaterThan(8)
    const { body } = await app.call(listAssets, { query: { blockchainCode: 'base', visible: true } }, { key })
    expect(
      body.map(({ currencyCode, minDepositAmount, walletPrecision }) => [
        currencyCode,
        minDepositAmount,
        walletPrecision,
      ]),
    ).toEqual([
      ['ETH', '0.0002', 18],
      ['USDC', '0.1', 6],
    ])
    expect(body[1]).toMatchObject({
      CurrencyCode: 'USDC',
      BlockchainCode: 'BASE',
      currency: { type: 'token' },
      blockchain: { code: 'BASE' },
    })
  })

  it('lists nothing for a blockchain it does not know', async () => {
    expect((await app.call(listAssets, { query: { blockchainCode: 'DOGE' } }, { key })).body).toEqual([])
  })

  it('lists each currency once (B12)', async () => {
    const { body } = await app.call(listCurrencies, {}, { key })
    expect(body.map(({ code, type }) => [code, type])).toEqual([
      ['ETH', 'coin'],
      ['BTC', 'coin'],
      ['TRX', 'coin'],
      ['POL', 'coin'],
      ['SOL', 'coin'],
      ['USDC', 'token'],
      ['USDT', 'token'],
    ])
  })

  it('shows anybody which assets exist, without a hidden one (B14)', async () => {
    await sql`UPDATE assets SET visible = false WHERE id = 11`.execute(app.ctx.db)
    const { body } = await app.call(listPublicAssets)
    expect(body.map(({ id }) => id)).not.toContain(11)
    expect(body.find(({ id }) => id === 8)).toEqual({
      id: 8,
      blockchainCode: 'BASE',
      network: 'Base',
      currencyCode: 'USDC',
      currency: 'USD Coin',
      tokenAddress: expect.stringMatching(/^0x/),
      standard: 'ERC20',
      walletPrecision: 6,
      family: 'ETH_Family',
      blockchainID: 4,
      currencyID: 6,
    })
  })
})

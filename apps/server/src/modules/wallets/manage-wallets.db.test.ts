import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { hotWalletsRoutes } from '@kassa/contract/wallets/hot-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { assetsIn } from '@kassa/primitives/chains/assets.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, type Context } from '../../context.ts'
import { TEST_EMAIL, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { accountXpub, newAccount, openShop, type Shop } from '../../testing/shop.ts'
import { ensureCustomer } from '../customers/service.ts'
import { post } from '../ledger/service.ts'
import { findCollector, findDefaultCold } from './cold/service.ts'
import { findHotWallet } from './hot/service.ts'
import { setStatus } from './manage-wallets.ts'
import { deriveMore } from './pool.ts'
import { assignAddress } from './service.ts'

const [ETH, BTC] = [1, 2]
const COLD = '0x52908400098527886E0F7030069857D2E4169EE7'
/** Of the lead of another shop, who sees their own project alone. */
let foreign: string
let app: TestApp
let key: string
let shop: Shop
let other: Shop
let deposits: Wallet

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:00:00.000Z') })
  key = await app.signUp()
  shop = await openShop(app, key)
  other = await openShop(app, key, 'Other')
  foreign = (await addOperator(app, { projectId: other.projectId, role: 'project_lead' })).key
  const linked = (await app.call(walletsRoutes.listProjectWallets, { params: { p: shop.p } }, { key })).body
  if (!linked[0]) throw new Error('The shop has a wallet')
  deposits = linked[0].wallet
})
afterAll(() => app.stop())

const addHot = async (body: object = {}) =>
  (
    await app.call(
      hotWalletsRoutes.addHotWallet,
      { params: { f: 'ETH_Family' }, body: { name: 'Hot', generate: true, functions: ['payout'], ...body } },
      { key },
    )
  ).body

const addCold = (body: object = {}, { id = 'ETH', by = key } = {}) =>
  app.call(
    coldWalletsRoutes.addColdWallet,
    { params: { id }, body: { name: 'Ledger', address: COLD, ...body } },
    { key: by },
  )

const get = (id: number, by = key) => app.call(walletsRoutes.getWallet, { params: { id } }, { key: by })
const change = (id: number, body: object, by = key) =>
  app.call(walletsRoutes.changeWallet, { params: { id }, body }, { key: by })
const remove = (id: number, by = key) => app.call(walletsRoutes.deleteWallet, { params: { id } }, { key: by })
const makeDefault = (id: number, body: object = {}, by = key) =>
  app.call(walletsRoutes.setDefaultWallet, { params: { id }, body }, { key: by })
const set = (id: number, status: string, by = key) =>
  app.call(walletsRoutes.setWalletStatus, { params: { id, status } }, { key: by })

describe('wallets.changeWallet', () => {
  it('renames a wallet and sets the limit of a hot one', async () => {
    const { id } = await addHot()
    expect((await change(id, { name: 'Float', floatLimitInUSD: '20.5' })).body).toMatchObject({
      name: 'Float',
      floatLimitInUSD: '20.50',
    })
    expect((await change(id, { floatLimitInUSD: '0' })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await change(deposits.id, { floatLimitInUSD: '1' })).refusal?.code).toBe('VALIDATION_FAILED')
  })
})

describe('wallets.setDefaultWallet', () => {
  it('leaves exactly one default per purpose, also of many switches at once', async () => {
    const wallets = [await addHot(), await addHot(), await addHot()]
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(wallets.map(({ id }) => makeDefault(id)))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const { body } = await app.call(walletsRoutes.listWallets, { query: { walletType: ['hot_wallet'] } }, { key })
      const [chosen, ...more] = body.filter((wallet) => wallet.default)
      expect(more).toEqual([])
      const found = await findHotWallet(app.ctx, { blockchainId: ETH, purpose: 'payout' })
      expect(found?.walletId).toBe(chosen?.id)
    }
  })

  it('refuses an inactive wallet and a family that it has not', async () => {
    const { id } = await addHot()
    expect((await makeDefault(id, { family: 'BTC_Family' })).refusal?.code).toBe('FAMILY_MISMATCH')
    await set(id, 'inactive')
    expect((await makeDefault(id)).refusal?.code).toBe('WALLET_INACTIVE')
  })
})

describe('wallets.setWalletStatus', () => {
  it('takes an inactive hot wallet out of use, and back', async () => {
    const { id } = await addHot()
    await makeDefault(id)
    expect((await set(id, 'deactivate')).body).toMatchObject({ status: 'inactive', default: false })
    expect(await findHotWallet(app.ctx, { blockchainId: ETH, purpose: 'payout' })).toBeNull()
    expect((await set(id, 'inactive')).status).toBe(200)
    expect((await set(id, 'activate')).body).toMatchObject({ status: 'active', default: true })
    expect((await set(id, 'sleeping')).refusal?.code).toBe('WALLET_STATUS_UNKNOWN')
  })

  it('keeps a deposit wallet that a project needs: WALLET_IS_LAST', async () => {
    expect((await set(deposits.id, 'inactive')).refusal).toMatchObject({
      code: 'WALLET_IS_LAST',
      details: "Shop couldn't take payments on this family any more.",
    })
  })
})

describe('wallets.addColdWallet', () => {
  it('takes a checked address of one blockchain, tells where it is, and may be the same on another one', async () => {
    const { status, body } = await addCold({ projectID: shop.projectId })
    expect(status).toBe(201)
    expect(body).toMatchObject({ walletType: 'cold_wallet', address: COLD, blockchainCode: 'ETH', secretType: 'none' })
    expect(body.usableAt?.getTime()).toBe(app.clock.now.getTime())
    expect((await addCold()).refusal?.code).toBe('WALLET_EXISTS')
    expect((await addCold({}, { id: 'BASE' })).status).toBe(201)
    const listed = await app.call(coldWalletsRoutes.listColdWallets, { params: { id: 'ETH' } }, { key })
    expect(listed.body.map(({ id }) => id)).toEqual([body.id])
    const unknown = await app.call(coldWalletsRoutes.listColdWallets, { params: { id: 'DOGE' } }, { key })
    expect(unknown.refusal?.code).toBe('BLOCKCHAIN_NOT_FOUND')
  })

  it('says what will happen in the words of the server', async () => {
    const subject = {
      params: { id: 'ETH' },
      body: { name: 'Safe', address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' },
    }
    const { body } = await app.call(authRoutes.prepareStepUp, { body: { action: 'W6', subject } }, { key })
    expect(body.display.lines.map(({ text }) => text)).toEqual([
      '0x8617E340B3D01FA5F11F306F4090FD50E238070D on Ethereum becomes the cold wallet Safe: money can be sent there at once.',
    ])
  })

  it('refuses invalid addresses, addresses without a key, and addresses of the install', async () => {
    const hot = await addHot()
    const account = newAccount()
    const xpubs = [{ family: 'ETH_Family', xpub: account.publicExtendedKey }]
    const added = await app.call(walletsRoutes.addDepositWallet, { body: { name: 'D', xpubs } }, { key })
    await deriveMore(app.ctx, { walletId: added.body.id, familyId: 1 }, 1)
    const token = assetsIn('sandbox').find(({ blockchain, standard }) => blockchain === 'BASE' && standard === 'ERC20')
    const codeOf = async (address: string) => (await addCold({ address })).refusal?.code
    expect(await codeOf('0x123')).toBe('ADDRESS_INVALID')
    expect(await codeOf(COLD.replace('9EE7', '9ee7'))).toBe('ADDRESS_INVALID')
    expect(await codeOf('0x0000000000000000000000000000000000000000')).toBe('ADDRESS_INVALID')
    expect(await codeOf('0x000000000000000000000000000000000000dEaD')).toBe('ADDRESS_INVALID')
    expect(await codeOf(hot.address ?? '')).toBe('ADDRESS_IS_OURS')
    expect(await codeOf(added.body.walletxpubs[0]?.firstAddresses[0] ?? '')).toBe('ADDRESS_IS_OURS')
    expect(await codeOf(token?.address ?? '')).toBe('ADDRESS_IS_OURS')
    expect((await addCold({}, { id: 'DOGE' })).refusal?.code).toBe('BLOCKCHAIN_NOT_FOUND')
    expect((await addCold({}, { id: 'SOLANA' })).refusal?.code).toBe('ADDRESS_INVALID')
  })
  it('makes one that is activated again wait a day on mainnet, and mails every root', async () => {
    const { body: wallet } = await addCold({ address: '0xde709f2102306220921060314715629080e2fb77' })
    const before = app.clock.now
    app.clock.now = new Date(before.getTime() + 1000)
    const mainnet: Context = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'mainnet' } }
    // One that is active already does not wait.
    await setStatus(mainnet, wallet, 'active')
    expect((await get(wallet.id)).body.usableAt).toEqual(wallet.usableAt)
    await set(wallet.id, 'inactive')
    await setStatus(mainnet, wallet, 'active')
    const usableAt = new Date(app.clock.now.getTime() + 24 * 3_600_000)
    expect((await get(wallet.id)).body).toMatchObject({ status: 'active', usableAt })
    const collector = () => findCollector(app.ctx, ETH, wallet.address ?? '')
    expect(await collector()).toMatchObject({ walletId: wallet.id, isUsable: false })
    app.clock.now = usableAt
    expect(await collector()).toMatchObject({ isUsable: true })
    app.clock.now = before
    await sql`DELETE FROM pgboss.job WHERE name = 'wallets.mail-cold-wallet'`.execute(app.ctx.db)
    for (const status of ['inactive', 'active']) await set(wallet.id, status)
    const { rows } = await sql<{ data: object }>`
      SELECT data FROM pgboss.job WHERE name = 'wallets.mail-cold-wallet'`.execute(app.ctx.db)
    const mail = { change: 'activated', address: wallet.address, by: TEST_EMAIL, to: TEST_EMAIL }
    expect(rows.map(({ data }) => data)).toMatchObject([mail])
  })

  it('leaves the place of one that is activated again to the one that took it, for as long as it waits', async () => {
    const [first, second] = [
      await addCold({ address: 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk' }, { id: 'BTC' }),
      await addCold({ address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }, { id: 'BTC' }),
    ].map(({ body }) => body.id)
    const receiver = async () => (await findDefaultCold(app.ctx, BTC))?.wallet_id
    const mainnet: Context = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'mainnet' } }
    expect(await receiver()).toBe(first)
    const { body: wallet } = await get(first ?? 0)
    await set(wallet.id, 'inactive')
    await setStatus(mainnet, wallet, 'active')
    expect([await receiver(), (await get(wallet.id)).body.default]).toEqual([second, false])
    // Whoever chooses it asks for its money to wait.
    await makeDefault(wallet.id)
    expect(await receiver()).toBe(first)
  })
})

describe('wallets.deleteWallet', () => {
  it('deletes a wallet whose addresses were never shown, so that its key or address can be added again', async () => {
    const xpubs = [{ family: 'ETH_Family', xpub: accountXpub() }]
    const add = () => app.call(walletsRoutes.addDepositWallet, { body: { name: 'Spare', xpubs } }, { key })
    const { id } = (await add()).body
    await deriveMore(app.ctx, { walletId: id, familyId: 1 }, 3)
    expect((await remove(id)).status).toBe(200)
    expect((await get(id)).refusal?.code).toBe('WALLET_NOT_FOUND')
    expect((await add()).status).toBe(201)
    const cold = (await addCold({ address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' })).body
    expect((await remove(cold.id)).status).toBe(200)
    const again = await addCold({ address: cold.address, name: 'Back' })
    expect(again.body).toMatchObject({ id: cold.id, name: 'Back', status: 'active' })
  })

  it('keeps a wallet that is linked, was given out, is hot, or holds money: WALLET_IN_USE', async () => {
    const customer = await ensureCustomer(asSystem(app.ctx), { projectId: shop.projectId, customerId: 'c1', email: '' })
    await assignAddress(app.ctx, { projectId: shop.projectId, customerId: customer.id, familyId: 1 })
    const hot = await addHot()
    for (const id of [deposits.id, hot.id]) expect((await remove(id)).refusal?.code).toBe('WALLET_IN_USE')
  })
})

describe('wallets.unlinkWallet', () => {
  it('takes a wallet from a project, once', async () => {
    const { id } = (await app.call(projectsRoutes.createProject, { body: { name: 'Short' } }, { key })).body
    const wallets = [{ walletID: deposits.id, blockchainFamily: 'ETH_Family' }]
    await app.call(walletsRoutes.linkWallets, { params: { p: String(id) }, body: { wallets } }, { key })
    const unlink = () => app.call(walletsRoutes.unlinkWallet, { params: { p: String(id), id: deposits.id } }, { key })
    expect((await unlink()).status).toBe(200)
    expect((await unlink()).refusal?.code).toBe('WALLET_NOT_FOUND')
  })
})

describe('wallets.listWalletAddresses', () => {
  it('pages through the addresses in the order they were derived, by status and first characters', async () => {
    const list = (query: object, by = key) =>
      app.call(walletsRoutes.listWalletAddresses, { params: { id: deposits.id }, query }, { key: by })
    await deriveMore(app.ctx, { walletId: deposits.id, familyId: 1 }, 5)
    const first = (await list({ limit: 2 })).body
    expect(first.data.map(({ path }) => path)).toEqual(["m/44'/60'/0'/0/0", "m/44'/60'/0'/0/1"])
    const second = (await list({ limit: 2, cursor: first.nextCursor ?? '' })).body
    expect(second.data[0]?.path).toBe("m/44'/60'/0'/0/2")
    const assigned = (await list({ status: 'assigned' })).body
    expect(assigned.data.every(({ memberID, externalPlatformID }) => memberID && externalPlatformID)).toBe(true)
    const [one] = first.data
    expect((await list({ query: one?.address.slice(0, 12).toUpperCase().replace('X', 'x') })).body.total).toBe(1)
    expect((await list({}, foreign)).refusal?.code).toBe('WALLET_NOT_FOUND')
  })
})

describe('wallets.listBalances', () => {
  it('shows the ledger where no balance could be read, and refuses unknown wallets', async () => {
    const hot = await addHot()
    const owner = `wallet:${hot.id}` as const
    const account = (kind: 'chain:hot' | 'owner:funding') => ({ kind, owner, unitId: 7 })
    const lines = [{ debit: account('chain:hot'), credit: account('owner:funding'), units: 5_000_000n }]
    await post(app.ctx, [{ posting: 'hot.funded', source: 'test-movement:1:funded', projectId: null, at: null, lines }])
    const list = (query: object, by = key) => app.call(walletsRoutes.listBalances, { query }, { key: by })
    const { body } = await list({ walletIDs: [hot.id], blockchainCode: 'ETH', currencyCode: 'USDC' })
    expect(body).toMatchObject([
      {
        address: hot.address,
        ledger: '5',
        held: '0',
        onChain: null,
        stale: true,
        inUSD: '5.00',
        walletType: 'hot_wallet',
      },
    ])
    expect((await get(hot.id)).body).toMatchObject({ balance: '5.00', canDelete: false })
    expect((await list({ walletIDs: [999] })).refusal?.code).toBe('WALLET_NOT_FOUND')
    expect((await list({ walletIDs: [hot.id] }, foreign)).refusal?.code).toBe('WALLET_NOT_FOUND')
    const custody = (await app.call(walletsRoutes.listCustody, {}, { key })).body
    const float = custody.find((one) => one.key === 'payout_key')?.floatInUSD
    expect([float, custody.find((one) => one.key === 'gas_key')?.floatInUSD]).toEqual(['5.00', '0.00'])
  })
})

describe('wallets: who may', () => {
  it('hides wallets of the install from members of other projects', async () => {
    const hot = await addHot()
    for (const id of [hot.id, deposits.id]) expect((await get(id, foreign)).refusal?.code).toBe('WALLET_NOT_FOUND')
    const answers = [
      await change(hot.id, { name: 'x' }, foreign),
      await remove(deposits.id, foreign),
      await makeDefault(hot.id, {}, foreign),
      await set(hot.id, 'inactive', foreign),
      await addCold({}, { by: foreign }),
    ]
    expect(answers.map(({ refusal }) => refusal?.code)).toEqual(Array.from({ length: 5 }, () => 'FORBIDDEN'))
    const params = { p: shop.p, id: deposits.id }
    const unlinked = await app.call(walletsRoutes.unlinkWallet, { params }, { key: foreign })
    expect(unlinked.refusal?.code).toBe('PROJECT_NOT_FOUND')
  })
})

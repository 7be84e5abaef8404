import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../context.ts'
import { TEST_EMAIL, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { accountXpub } from '../../testing/shop.ts'
import { ensureCustomer } from '../customers/service.ts'
import { mailWalletReplacedJob } from './linking/mail-replaced.ts'
import { fillPool } from './pool.ts'
import { POOL } from './rules.ts'
import { addressesByKeys, addressKeysAbove, assignAddress } from './service.ts'
import { countOpen } from './store.ts'

const ETH_FAMILY = 1

let app: TestApp
let key: string
let projectId: number

/**
 * The public phrase of the BIP-39 test vectors; the account key of m/44'/60'/0' and its first two addresses are in
 * money.md 1.7.
 */
const KNOWN_XPUB =
  'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt'

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
})
afterAll(() => app.stop())

const add = (xpub: string, more: object = {}) =>
  app.call(
    walletsRoutes.addDepositWallet,
    { body: { name: 'Main', xpubs: [{ family: 'ETH_Family', xpub }], ...more } },
    { key },
  )

describe('wallets.addDepositWallet', () => {
  it('stores the key, masks it, shows the first addresses and links the project', async () => {
    const { status, body, text } = await add(KNOWN_XPUB, { projectID: projectId })
    expect(status).toBe(201)
    expect(body.walletxpubs[0]?.firstAddresses.slice(0, 2)).toEqual([
      '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
      '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0',
    ])
    expect(text).not.toContain(KNOWN_XPUB)
    expect(body.externalPlatformWallets.map((link) => link.externalPlatformID)).toEqual([projectId])
    expect(app.logLines.join('')).not.toContain(KNOWN_XPUB)
  })

  it('never replaces a linked wallet', async () => {
    await add(accountXpub(), { projectID: projectId })
    const { body } = await app.call(walletsRoutes.listProjectWallets, { params: { p: String(projectId) } }, { key })
    expect(body).toHaveLength(1)
    expect(body[0]?.wallet.walletxpubs[0]?.xpubMasked).toBe(
      'xpub6D…wnATt'.replace('…wnATt', `…${KNOWN_XPUB.slice(-6)}`),
    )
  })

  it('refuses a private key without writing it to the log', async () => {
    const secret =
      'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu'
    const { refusal } = await add(secret)
    expect(refusal?.code).toBe('XPUB_IS_PRIVATE')
    expect(app.logLines.join('')).not.toContain(secret)
  })

  it('refuses what is no extended public key, a stored key, and an unsupported family', async () => {
    expect((await add('hello')).refusal?.code).toBe('XPUB_INVALID')
    expect((await add(KNOWN_XPUB)).refusal?.code).toBe('XPUB_EXISTS')
    const solana = { body: { name: 'B', xpubs: [{ family: 'SOL_Family', xpub: accountXpub() }] } }
    expect((await app.call(walletsRoutes.addDepositWallet, solana, { key })).refusal?.code).toBe('FAMILY_UNSUPPORTED')
    expect((await add(accountXpub(), { projectID: 999 })).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it('is closed to operators without wallet:write', async () => {
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    const body = { name: 'x', xpubs: [{ family: 'ETH_Family', xpub: accountXpub() }] }
    const { refusal } = await app.call(walletsRoutes.addDepositWallet, { body }, { key: lead.key })
    expect(refusal).toMatchObject({ code: 'FORBIDDEN', data: { permission: 'wallet:write' } })
  })
})

describe('wallets.addFamilyXpub', () => {
  const addXpub = (f: string, body: { xpub: string; name?: string }) =>
    app.call(walletsRoutes.addFamilyXpub, { params: { f }, body }, { key })

  it('links every project without a wallet of the family, and replaces none', async () => {
    const linked = (await app.call(walletsRoutes.listProjectWallets, { params: { p: String(projectId) } }, { key }))
      .body
    const bare = (await app.call(projectsRoutes.createProject, { body: { name: 'Bare' } }, { key })).body.id
    const { status, body } = await addXpub('eth_family', { xpub: accountXpub() })
    expect([status, body.name]).toEqual([201, 'ETH_Family wallet'])
    expect(body.externalPlatformWallets.map((link) => link.externalPlatformID)).toEqual([bare])
    expect(
      (await app.call(walletsRoutes.listProjectWallets, { params: { p: String(projectId) } }, { key })).body,
    ).toEqual(linked)
  })

  it('refuses as the route for several families does', async () => {
    const codeOf = async (f: string, xpub: string) => (await addXpub(f, { xpub })).refusal?.code
    expect(await codeOf('SOL_Family', KNOWN_XPUB)).toBe('FAMILY_UNSUPPORTED')
    expect(await codeOf('nothing', KNOWN_XPUB)).toBe('FAMILY_UNSUPPORTED')
    expect(await codeOf('ETH_Family', KNOWN_XPUB)).toBe('XPUB_EXISTS')
    expect(await codeOf('ETH_Family', 'xpub1')).toBe('XPUB_INVALID')
    expect(await codeOf('ETH_Family', KNOWN_XPUB.replace('xpub', 'xprv'))).toBe('XPUB_IS_PRIVATE')
  })
})

describe('wallets.growPool', () => {
  const grow = (count: number, f = 'ETH_Family') =>
    app.call(walletsRoutes.growPool, { params: { f }, body: { count } }, { key })

  it('derives more addresses ahead on request than the pool does', async () => {
    const { id } = (await add(accountXpub(), { name: 'Large' })).body
    const count = POOL.high + 100
    expect((await grow(count)).body).toEqual({ requested: count, pool: 0 })
    await fillPool(asSystem(app.ctx), { walletId: id, familyId: ETH_FAMILY, atLeast: count })
    expect((await grow(1)).body.pool).toBeGreaterThanOrEqual(count)
  })

  it('refuses a family nothing is derived for, and no count at all', async () => {
    expect((await grow(1, 'SOL_Family')).refusal?.code).toBe('FAMILY_UNSUPPORTED')
    expect((await grow(0)).refusal?.message).toBe('Count must be between 1 and 100000')
    const other = await testApp()
    const call = other.call(
      walletsRoutes.growPool,
      { params: { f: 'ETH_Family' }, body: { count: 1 } },
      { key: await other.signUp() },
    )
    expect((await call).refusal?.code).toBe('WALLET_NOT_FOUND')
    await other.stop()
  })
})

describe('wallets.listWalletsOfProject', () => {
  it('shows wallets that no project uses yet with `all`, and only there', async () => {
    const { id } = (await add(accountXpub(), { name: 'Not used yet' })).body
    const idsOf = async (p: string, as = key) => {
      const { body, headers } = await app.call(walletsRoutes.listWalletsOfProject, { params: { p } }, { key: as })
      expect(headers['x-total-count']).toBe(String(body.length))
      return body.map((wallet) => wallet.id)
    }
    expect(await idsOf('all')).toContain(id)
    expect(await idsOf(String(projectId))).not.toContain(id)
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    expect(await idsOf('all', lead.key)).toEqual(await idsOf(String(projectId)))
  })
})

describe('wallets.linkWallets', () => {
  const link = (wallets: { walletID: number; blockchainFamily: string }[], method?: string) =>
    app.call(
      walletsRoutes.linkWallets,
      { params: { p: String(projectId) }, body: { wallets } },
      { key, ...(method && { method }) },
    )

  it('replaces the wallet of a family', async () => {
    const { body } = await add(accountXpub())
    const linked = await link([{ walletID: body.id, blockchainFamily: 'ETH_Family' }])
    expect([linked.status, linked.body.map((one) => one.walletID)]).toEqual([201, [body.id]])
    expect((await link([{ walletID: body.id, blockchainFamily: 'ETH_Family' }], 'PUT')).status).toBe(200)
  })

  it('mails every root once when another wallet takes the place of a linked one', async () => {
    const jobs = async () =>
      (
        await sql<{ data: object }>`SELECT data FROM pgboss.job WHERE name = 'wallets.mail-replaced'`.execute(
          app.ctx.db,
        )
      ).rows
    await sql`DELETE FROM pgboss.job WHERE name = 'wallets.mail-replaced'`.execute(app.ctx.db)
    const listed = await app.call(walletsRoutes.listProjectWallets, { params: { p: String(projectId) } }, { key })
    const former = listed.body.find(({ family }) => family === 'ETH_Family')?.walletName
    const { body } = await add(accountXpub())
    const choice = [{ walletID: body.id, blockchainFamily: 'ETH_Family' }]
    await link(choice)
    await link(choice)
    const mails = await jobs()
    const replaced = { project: 'Shop', family: 'ETH', former, wallet: body.name, by: TEST_EMAIL, effectiveAt: null }
    expect(mails.map(({ data }) => data)).toEqual([{ to: TEST_EMAIL, ...replaced }])
    for (const { data } of mails) await mailWalletReplacedJob.run(asSystem(app.ctx), data as never)
    const { rows } = await sql<{ recipient: string; message: object }>`
      SELECT recipient, message FROM sandbox_emails ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows[0]).toMatchObject({
      recipient: TEST_EMAIL,
      message: { subject: 'The deposit wallet of Shop was replaced' },
    })
  })

  it('hides the wallets of other projects from a project lead', async () => {
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    const own = await app.call(walletsRoutes.listProjectWallets, { params: { p: String(projectId) } }, { key })
    const { body: foreign } = await add(accountXpub())
    const linkAs = async (walletID: number) => {
      const wallets = [{ walletID, blockchainFamily: 'ETH_Family' }]
      const input = { params: { p: String(projectId) }, body: { wallets } }
      return app.call(walletsRoutes.linkWallets, input, { key: lead.key })
    }
    expect((await linkAs(foreign.id)).refusal?.code).toBe('WALLET_NOT_FOUND')
    expect((await linkAs(own.body[0]?.walletID ?? 0)).status).toBe(201)
  })

  it('refuses unknown wallets and another family', async () => {
    const { body } = await add(accountXpub())
    expect((await link([{ walletID: 9999, blockchainFamily: 'ETH_Family' }])).refusal?.code).toBe('WALLET_NOT_FOUND')
    expect((await link([{ walletID: body.id, blockchainFamily: 'TRX_Family' }])).refusal?.code).toBe('FAMILY_MISMATCH')
    await sql`UPDATE wallets SET status = 'inactive' WHERE id = ${body.id}`.execute(app.ctx.db)
    expect((await link([{ walletID: body.id, blockchainFamily: 'ETH_Family' }])).refusal?.code).toBe('WALLET_INACTIVE')
    await sql`UPDATE wallets SET status = 'active', wallet_type = 'cold_wallet' WHERE id = ${body.id}`.execute(
      app.ctx.db,
    )
    expect((await link([{ walletID: body.id, blockchainFamily: 'ETH_Family' }])).refusal?.code).toBe(
      'WALLET_NOT_DEPOSIT',
    )
  })
})

describe('wallets.assignAddress', () => {
  const system = () => asSystem(app.ctx)
  const customer = async (name: string) =>
    (await ensureCustomer(system(), { projectId, customerId: name, email: '' })).id
  const assign = async (customerId: number) => assignAddress(system(), { projectId, customerId, familyId: ETH_FAMILY })

  it('assigns a customer one permanent address, also to parallel calls', async () => {
    const id = await customer('parallel')
    const assigned = await Promise.all(Array.from({ length: 10 }, () => assign(id)))
    expect(new Set(assigned.map(({ address }) => address)).size).toBe(1)
    expect((await assign(id)).address).toBe(assigned[0]?.address)
  })

  it('assigns different customers different addresses, with an empty pool and in parallel', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => customer(`many-${n}`)))
    const assigned = await Promise.all(ids.map(assign))
    expect(new Set(assigned.map(({ address }) => address)).size).toBe(20)
    const found = await addressesByKeys(
      system(),
      ETH_FAMILY,
      assigned.map((one) => one.key),
    )
    expect(new Set(found.map(({ customerId }) => customerId))).toEqual(new Set(ids))
  })

  it('refuses a project without a wallet', async () => {
    const { body } = await app.call(projectsRoutes.createProject, { body: { name: 'Bare' } }, { key })
    const { id } = await ensureCustomer(system(), { projectId: body.id, customerId: 'c', email: '' })
    const ask = { projectId: body.id, customerId: id, familyId: ETH_FAMILY }
    await expect(assignAddress(system(), ask)).rejects.toMatchObject({ code: 'NO_DEPOSIT_ADDRESS' })
  })

  it('fills the pool ahead of use, in order, so that the watcher can continue from an id', async () => {
    const { body } = await add(accountXpub())
    await fillPool(system(), { walletId: body.id, familyId: ETH_FAMILY })
    expect(await countOpen(system(), body.id, ETH_FAMILY)).toBe(POOL.high)
    await fillPool(system(), { walletId: body.id, familyId: ETH_FAMILY })
    expect(await countOpen(system(), body.id, ETH_FAMILY)).toBe(POOL.high)
    const first = await addressKeysAbove(system(), ETH_FAMILY, 0n, 100)
    const next = await addressKeysAbove(system(), ETH_FAMILY, first.at(-1)?.id ?? 0n, 100)
    expect(first).toHaveLength(100)
    expect((next[0]?.id ?? 0n) > (first.at(-1)?.id ?? 0n)).toBe(true)
  }, 30_000)
})

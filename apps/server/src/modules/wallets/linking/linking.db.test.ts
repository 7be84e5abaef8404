import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { asSystem, type Context, inTransaction } from '../../../context.ts'
import { TEST_EMAIL, type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { accountXpub } from '../../../testing/shop.ts'
import { ensureCustomer } from '../../customers/service.ts'
import { listProjectWallets } from '../list-wallets.ts'
import { assignAddress, findAssignedAddress, showWallet } from '../service.ts'
import { applyDueLinksJob } from './jobs.ts'
import type { mailWalletReplacedJob } from './mail-replaced.ts'
import { describeLinks, linkWallets } from './service.ts'

const HOUR = 3_600_000
const START = new Date('2026-01-31T09:00:00.000Z')
const DUE = new Date(START.getTime() + 24 * HOUR)

let app: TestApp
let key: string
let shop: { readonly projectId: number; readonly p: string }
/** The wallet of the shop, and two that no project uses yet. */
let first: number
let second: number
let third: number
let customers = 0

beforeEach(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  const server = { host: 'smtp.shop.example', port: 587, encryption: 'starttls', from: 'shop@shop.example' } as const
  await app.call(mailRoutes.saveMailServer, { body: server }, { key })
  const { id: projectId } = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body
  shop = { projectId, p: String(projectId) }
  first = await wallet('First', { projectID: projectId })
  second = await wallet('Second')
  third = await wallet('Third')
})
afterEach(() => app.stop())

const advance = (ms: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + ms)
}

async function wallet(name: string, more: object = {}): Promise<number> {
  const body = { name, xpubs: [{ family: 'ETH_Family', xpub: accountXpub() }], ...more }
  return (await app.call(walletsRoutes.addDepositWallet, { body }, { key })).body.id
}

const callFor = (walletID: number) => ({
  params: { p: shop.p },
  body: { wallets: [{ walletID, blockchainFamily: 'ETH_Family' }] },
})

const link = (walletID: number, by = key) => app.call(walletsRoutes.linkWallets, callFor(walletID), { key: by })

const unlink = (id: number, by = key) =>
  app.call(walletsRoutes.unlinkWallet, { params: { p: shop.p, id } }, { key: by })

/** The same program with the delay of mainnet. */
const mainnet = (): Context => ({ ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'mainnet' } })

const linkLater = (walletID: number) => linkWallets(mainnet(), shop.projectId, callFor(walletID).body)

// Sessions end before a change takes effect.
const listed = () => listProjectWallets(asSystem(app.ctx), [shop.projectId])
const shown = (id: number) => showWallet(asSystem(app.ctx), { id })

const applyDue = () => applyDueLinksJob.run(asSystem(app.ctx), {})

/** The wallet that the next new customer gets an address of; null where there is none. */
async function nextWallet(): Promise<number | null> {
  const ctx = asSystem(app.ctx)
  customers += 1
  const name = `customer ${customers}`
  const { id } = await ensureCustomer(ctx, { projectId: shop.projectId, customerId: name, email: '' })
  const ask = { projectId: shop.projectId, customerId: id, familyId: 1 }
  const assigned = await assignAddress(ctx, ask).catch(() => null)
  return assigned && (await findAssignedAddress(ctx, assigned.id)).wallet.id
}

const mails = async () =>
  (
    await sql<{ data: Parameters<typeof mailWalletReplacedJob.send>[1] }>`
      SELECT data FROM pgboss.job WHERE name = 'wallets.mail-replaced' ORDER BY created_on`.execute(app.ctx.db)
  ).rows.map(({ data }) => data)

describe('wallets.linkWallets on mainnet', () => {
  it('lets another wallet take the place of a linked one after 24 hours, not before', async () => {
    await linkLater(second)
    const read = (await app.call(walletsRoutes.listProjectWallets, { params: { p: shop.p } }, { key })).body
    expect(read).toMatchObject([{ walletID: first, replacedBy: { walletID: second, walletName: 'Second' } }])
    expect(read[0]?.replacedBy?.effectiveAt).toEqual(DUE)
    expect((await shown(second)).pendingLinks).toMatchObject([{ externalPlatformID: shop.projectId, effectiveAt: DUE }])
    advance(24 * HOUR - 1_000)
    await applyDue()
    expect([await nextWallet(), (await listed())[0]?.walletID]).toEqual([first, first])
    advance(1_000)
    await applyDue()
    await applyDue()
    expect([await nextWallet(), (await listed())[0]?.walletID]).toEqual([second, second])
    expect((await listed())[0]?.replacedBy).toBeNull()
    expect((await shown(second)).pendingLinks).toEqual([])
  })

  it('mails every root when it is asked for, with the time, and once', async () => {
    await linkLater(second)
    advance(HOUR)
    await linkLater(second)
    const [mail, ...others] = await mails()
    expect(others).toEqual([])
    expect(mail).toMatchObject({ to: TEST_EMAIL, project: 'Shop', wallet: 'Second', effectiveAt: DUE.toISOString() })
    // Asked for again it takes effect no later, and no earlier.
    expect((await listed())[0]?.replacedBy?.effectiveAt).toEqual(DUE)
  })

  it('starts the time anew for yet another wallet, and mails again', async () => {
    await linkLater(second)
    advance(HOUR)
    await linkLater(third)
    expect((await mails()).map((one) => one.wallet)).toEqual(['Second', 'Third'])
    advance(23 * HOUR)
    await applyDue()
    expect(await nextWallet()).toBe(first)
    advance(HOUR)
    await applyDue()
    expect(await nextWallet()).toBe(third)
  })

  it('is withdrawn by unlinking the wallet that waits, or by linking the present one', async () => {
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    for (const withdraw of [() => unlink(second, lead.key), () => link(first)]) {
      await linkLater(second)
      expect((await withdraw()).status).toBeLessThan(300)
      expect((await listed())[0]).toMatchObject({ walletID: first, replacedBy: null })
    }
    expect((await unlink(second)).refusal?.code).toBe('WALLET_NOT_FOUND')
    advance(25 * HOUR)
    await applyDue()
    expect(await nextWallet()).toBe(first)
  })

  it('says before what will happen and when', async () => {
    const { lines = [] } = (await describeLinks(mainnet(), shop.projectId, callFor(second).body)) ?? {}
    expect(lines.map(({ code }) => code)).toEqual([
      'wallet_replaced',
      'wallet_change_waits',
      'customers_keep_addresses',
    ])
    expect(lines[1]?.params).toEqual({ hours: 24 })
  })

  it('waits as long after the present wallet was unlinked: unlinking is no way around', async () => {
    await unlink(first)
    await linkLater(second)
    expect((await mails()).map((one) => one.effectiveAt)).toEqual([DUE.toISOString()])
    expect(await nextWallet()).toBeNull()
    advance(24 * HOUR)
    await applyDue()
    expect(await nextWallet()).toBe(second)
  })

  it('gives no addresses of a wallet that was deactivated while it waited', async () => {
    await linkLater(second)
    const off = { params: { id: second, status: 'inactive' } }
    expect((await app.call(walletsRoutes.setWalletStatus, off, { key })).status).toBe(200)
    expect((await listed())[0]?.replacedBy).toBeNull()
    advance(25 * HOUR)
    await applyDue()
    expect(await nextWallet()).toBe(first)
  })

  it('keeps a wallet that waits from being deleted', async () => {
    await linkLater(second)
    expect((await shown(second)).canDelete).toBe(false)
    const { refusal } = await app.call(walletsRoutes.deleteWallet, { params: { id: second } }, { key })
    expect(refusal?.code).toBe('WALLET_IN_USE')
  })
})

describe('wallets.linkWallets elsewhere', () => {
  it('links at once, and mails every root also when the former wallet was unlinked before', async () => {
    await unlink(first)
    const body = { action: 'W14', subject: callFor(second) }
    const { lines } = (await app.call(authRoutes.prepareStepUp, { body }, { key })).body.display
    expect(lines.map(({ code }) => code)).toEqual(['wallet_replaced', 'customers_keep_addresses'])
    expect((await link(second)).body).toMatchObject([{ walletID: second, replacedBy: null }])
    expect(await mails()).toMatchObject([{ former: 'First', wallet: 'Second', effectiveAt: null }])
  })

  it('mails nobody when the wallet that was unlinked is linked again', async () => {
    await unlink(first)
    expect((await link(first)).status).toBe(201)
    expect([await mails(), await nextWallet()]).toEqual([[], first])
  })

  it('links no new wallet by itself in place of one that was unlinked', async () => {
    await unlink(first)
    const id = await wallet('Fourth', { projectID: shop.projectId })
    expect([(await shown(id)).externalPlatformWallets, await nextWallet()]).toEqual([[], null])
  })
})

describe('wallets.deleteWallet', () => {
  it('waits for whoever links the wallet, and then refuses', async () => {
    let deleted: ReturnType<typeof app.call<typeof walletsRoutes.deleteWallet>> | undefined
    await inTransaction(asSystem(app.ctx), async (tx) => {
      await linkWallets(tx, shop.projectId, callFor(second).body)
      const call = app.call(walletsRoutes.deleteWallet, { params: { id: second } }, { key })
      deleted = call
      const isWaitedFor = vi.waitUntil(async () => {
        const { rows } = await sql`
          SELECT FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`.execute(tx.db)
        return rows.length > 0
      }, 10_000)
      await Promise.race([call, isWaitedFor])
    })
    expect((await deleted)?.refusal?.code).toBe('WALLET_IN_USE')
    expect(await nextWallet()).toBe(second)
  })
})

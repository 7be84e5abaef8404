import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, type Context } from '../../context.ts'
import { solanaList } from '../../testing/address-lists.ts'
import { TEST_EMAIL, type TestApp, testApp } from '../../testing/app.ts'
import { ensureCustomer } from '../customers/service.ts'
import { addListedAddresses } from './address-lists.ts'
import { mailAddressesAddedJob } from './linking/mail-addresses-added.ts'
import { assignAddress, familiesWithoutAddresses, listProjectWallets, showWallet } from './service.ts'

const SOL_FAMILY = 4
const DAY = 24 * 3_600_000
const START = new Date('2026-01-31T09:00:00.000Z')

let app: TestApp
let projectId: number
let walletId: number
let key: string

beforeEach(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  const server = { host: 'smtp.shop.example', port: 587, encryption: 'starttls', from: 'shop@shop.example' } as const
  await app.call(mailRoutes.saveMailServer, { body: server }, { key })
  projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const wallet = { name: 'Solana', projectID: projectId, xpubs: [], lists: [solanaList('own', { count: 1 })] }
  walletId = (await app.call(walletsRoutes.addDepositWallet, { body: wallet }, { key })).body.id
})
afterEach(() => app.stop())

/** The same program with the delay of mainnet. */
const mainnet = (): Context => ({ ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'mainnet' } })

async function addressOf(name: string): Promise<string | null> {
  const ctx = asSystem(app.ctx)
  const { id: customerId } = await ensureCustomer(ctx, { projectId, customerId: name, email: '' })
  const assigned = await assignAddress(ctx, { projectId, customerId, familyId: SOL_FAMILY }).catch(() => null)
  return assigned && assigned.address
}

const isOffered = async () =>
  !(await familiesWithoutAddresses(app.ctx, await listProjectWallets(app.ctx, projectId))).has(SOL_FAMILY)

const mails = async () =>
  (
    await sql<{ data: object }>`
      SELECT data FROM pgboss.job WHERE name = 'wallets.mail-addresses-added'`.execute(app.ctx.db)
  ).rows.map(({ data }) => data)

describe('wallets.addListedAddresses', () => {
  it('on mainnet gives no customer an address before a day has passed, and mails every root', async () => {
    const more = solanaList('more', { first: 1, count: 2 })
    await addListedAddresses(mainnet(), await showWallet(app.ctx, { id: walletId }), more)
    const usableAt = new Date(START.getTime() + DAY)
    const mail = { wallet: 'Solana', count: 2, projects: 'Shop', by: 'Somebody', usableAt: usableAt.toISOString() }
    expect(await mails()).toEqual([{ to: TEST_EMAIL, ...mail }])
    await sql`DELETE FROM mail_server`.execute(app.ctx.db)
    for (const data of await mails()) await mailAddressesAddedJob.run(asSystem(app.ctx), data as never)
    const sent = await sql<{ message: { subject: string } }>`SELECT message FROM sandbox_emails`.execute(app.ctx.db)
    expect(sent.rows.map(({ message }) => message.subject)).toContain(
      'Addresses were added to the deposit wallet Solana',
    )
    expect(await addressOf('first')).toBe(solanaList('own', { count: 1 }).addresses[0]?.address)
    expect([await addressOf('second'), await isOffered()]).toEqual([null, false])
    app.clock.now = new Date(usableAt.getTime() - 1_000)
    expect([await addressOf('second'), await isOffered()]).toEqual([null, false])
    app.clock.now = usableAt
    expect([await isOffered(), await addressOf('second')]).toEqual([true, more.addresses[0]?.address])
  })

  it('elsewhere gives them at once, and mails every root too', async () => {
    const body = solanaList('more', { first: 1 })
    expect((await app.call(walletsRoutes.addListedAddresses, { params: { id: walletId }, body }, { key })).status).toBe(
      201,
    )
    expect(await mails()).toMatchObject([{ by: TEST_EMAIL, usableAt: null }])
    await addressOf('first')
    expect(await addressOf('second')).toBe(body.addresses[0]?.address)
  })
})

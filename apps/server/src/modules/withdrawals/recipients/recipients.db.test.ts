import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { MINUTE } from '../../../testing/accounts/factors.ts'
import { addOperator } from '../../../testing/operators.ts'
import { anyAddress, recipientWorld } from '../../../testing/money-out/recipients.ts'
import { accountXpub } from '../../../testing/shop.ts'
import { ensureCustomer } from '../../customers/service.ts'
import { addOwnAddress } from '../../wallets/own-addresses/service.ts'
import { assignAddress } from '../../wallets/service.ts'
import { parsePayee } from '../addresses/service.ts'
import { receiverOf } from './codes.ts'
import { addressFacts } from './service.ts'

const book = await recipientWorld()
const { world, app, advance, shop, other, project } = book
const { create, change, remove, verify, send, list, payable, mailed, pending } = book

beforeEach(book.nextTest)
afterAll(book.stop)

describe('D15: a recipient is saved', () => {
  it('waits for the code, which is mailed to the operator and stored nowhere as text', async () => {
    const address = anyAddress()
    const { status, body, text: answer } = await create({ address, mobileNumber: '+4915112345678' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      otpSent: true,
      recipient: {
        name: 'Ann',
        email: 'ann@example.org',
        mobileNumber: '+4915112345678',
        residentialAddress: null,
        blockchainCode: 'ETH',
        address,
        status: 'pending-otp-verification',
        projectIDs: [shop],
        payableFrom: null,
      },
    })
    const { code, text, to } = await mailed()
    expect(to).toBe('owner@shop.example')
    expect(text).toContain(address)
    expect(answer).not.toContain(code)
    const { rows } = await sql<{ all: string }>`SELECT (SELECT json_agg(c)::text FROM recipient_codes c)
      || coalesce((SELECT json_agg(j.data)::text FROM pgboss.job j), '') AS all`.execute(app.ctx.db)
    expect(rows[0]?.all).not.toContain(code)
    expect(app.logLines.join('')).not.toContain(code)
    await expect(payable(body.recipient.id)).rejects.toMatchObject({ code: 'RECIPIENT_NOT_ACTIVE' })
    const verified = await verify(body.recipient.id, code)
    expect(verified.body).toMatchObject({
      message: 'OTP verified.',
      recipient: { status: 'active', payableFrom: app.clock.now },
    })
    expect(await payable(body.recipient.id)).toMatchObject({ address, knownSince: app.clock.now })
  })

  it('is active at once for an operator with a second factor, who gets no mail', async () => {
    const { key, id } = await world.withTotp()
    const own = (await app.call(projectsRoutes.listProjects, {}, { key })).body.map((one) => one.id)
    const { body } = await create({ projectIDs: own }, key)
    expect(body).toMatchObject({ otpSent: false, recipient: { status: 'active', payableFrom: app.clock.now } })
    const { rows } = await sql`SELECT verified_by FROM recipients WHERE id = ${body.recipient.id}`.execute(app.ctx.db)
    expect(rows).toEqual([{ verified_by: `operator:${id}` }])
  })

  it.each<[string, object, object]>([
    [
      'what is no address',
      { address: '0x5aaeb' },
      { code: 'ADDRESS_INVALID', fields: { address: expect.any(String) } },
    ],
    ['a wrong checksum', { address: anyAddress().toLowerCase() }, { code: 'ADDRESS_INVALID' }],
    ['the zero address', { address: `0x${'0'.repeat(40)}` }, { code: 'ADDRESS_BLOCKED' }],
    ['the burn address', { address: '0x000000000000000000000000000000000000dEaD' }, { code: 'ADDRESS_BLOCKED' }],
    ['the contract of a token', { address: SANDBOX_TOKENS.usdc }, { code: 'ADDRESS_BLOCKED' }],
    ['an unknown network', { blockchainCode: 'DOGE' }, { code: 'BLOCKCHAIN_NOT_FOUND' }],
    ['a network that cannot be paid on', { blockchainCode: 'BTC' }, { code: 'FAMILY_UNSUPPORTED' }],
    ['no project', { projectIDs: [] }, { code: 'VALIDATION_FAILED' }],
    ['a project that is not there', { projectIDs: [9999] }, { code: 'PROJECT_NOT_FOUND' }],
    [
      'a phone number of letters',
      { mobileNumber: 'call me' },
      { fields: { mobileNumber: 'Invalid mobile number format' } },
    ],
  ])('refuses %s', async (_, more, refusal) => {
    expect((await create(more)).refusal).toMatchObject(refusal)
  })

  it('refuses an address of our own, of any customer: ADDRESS_IS_OURS', async () => {
    const xpubs = [{ family: 'ETH_Family', xpub: accountXpub() }]
    const body = { name: 'Main', xpubs, projectID: shop }
    await app.call(walletsRoutes.addDepositWallet, { body }, { key: world.root() })
    const customer = await ensureCustomer(app.ctx, { projectId: shop, customerId: 'c', email: '' })
    const ours = await assignAddress(asSystem(app.ctx), { projectId: shop, customerId: customer.id, familyId: 1 })
    expect((await create({ address: ours.address, projectIDs: [other] })).refusal?.code).toBe('ADDRESS_IS_OURS')
  })

  it('refuses the address of a hot wallet and takes that of a cold one, where its excess goes', async () => {
    const [hot, cold] = [anyAddress(), anyAddress()]
    const body = { name: 'Ours', xpubs: [{ family: 'ETH_Family', xpub: accountXpub() }] }
    const { id } = (await app.call(walletsRoutes.addDepositWallet, { body }, { key: world.root() })).body
    await addOwnAddress(app.ctx, { blockchainId: 1, walletId: id, address: hot, role: 'hot' })
    await addOwnAddress(app.ctx, { blockchainId: 1, walletId: id, address: cold, role: 'cold' })
    expect((await create({ address: hot })).refusal?.code).toBe('ADDRESS_IS_OURS')
    expect((await create({ address: cold })).status).toBe(201)
  })

  it('has one entry per project, network and address, which the refusal names: RECIPIENT_EXISTS', async () => {
    const address = anyAddress()
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => create({ address, name: 'First' })))
    const made = answers.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    const { refusal } = await create({ address, projectIDs: [other, shop] })
    expect(refusal).toMatchObject({
      code: 'RECIPIENT_EXISTS',
      details: 'This address is saved as First.',
      data: { recipientID: made[0]?.body.recipient.id, name: 'First' },
    })
    expect((await create({ address, blockchainCode: 'BASE' })).status).toBe(201)
    expect((await create({ address, projectIDs: [other] })).status).toBe(201)
  })

  it('keeps the code on a sandbox without a mail server, and refuses elsewhere where no second factor takes its place', async () => {
    await app.call(mailRoutes.removeMailServer, {}, { key: world.root() })
    expect((await create({ name: 'Kept' })).body.otpSent).toBe(true)
    const { config } = app.ctx
    const elsewhere = { ...asSystem(app.ctx), config: { ...config, network: 'testnet' as const } }
    await expect(receiverOf(elsewhere)).rejects.toMatchObject({ code: 'SMTP_NOT_CONFIGURED' })
    const { key } = await world.withTotp()
    const [own] = (await app.call(projectsRoutes.listProjects, {}, { key })).body
    expect((await create({ projectIDs: [own?.id] }, key)).status).toBe(201)
  })

  it('refuses what the project of an archived one would take: PROJECT_ARCHIVED', async () => {
    const old = await project('Old')
    await app.call(projectsRoutes.archiveProject, { params: { p: String(old) } }, { key: world.root() })
    expect((await create({ projectIDs: [old] })).refusal?.code).toBe('PROJECT_ARCHIVED')
  })
})

describe('D14, D16, D17: the address book', () => {
  it('finds by part of a name, an e-mail or an address, by state, network and project', async () => {
    const address = anyAddress()
    const { id } = (await create({ name: 'Zoë 100%', address, projectIDs: [other] })).body.recipient
    const found = async (query: object) => (await list(query)).body.data.map((one) => one.id)
    for (const query of ['zoë', '100%', address.slice(4, 12)]) expect(await found({ query })).toContain(id)
    expect(await found({ query: '%%' })).toEqual([])
    expect(await found({ ids: [id], status: ['active'] })).toEqual([])
    expect(await found({ ids: [id], blockchainCode: ['BASE'] })).toEqual([])
    expect(await found({ ids: [id], blockchainCode: ['eth'] })).toEqual([id])
    const inShop = await app.call(
      recipientsRoutes.listRecipientsOfProject,
      { params: { p: String(shop) }, query: { ids: [id] } },
      { key: world.root() },
    )
    expect(inShop.body).toMatchObject({ recipients: [], data: [], total: 0 })
  })

  it('changes everything but address and network, and blocks for good', async () => {
    const { id, code } = await pending()
    const { body } = await change(id, { name: 'Anna', mobileNumber: '', projectIDs: [shop, other] })
    expect(body).toMatchObject({ name: 'Anna', mobileNumber: null, projectIDs: [shop, other] })
    expect((await change(id, { address: anyAddress() })).refusal?.code).toBe('VALIDATION_FAILED')
    expect((await change(id, { status: 'active' })).status).toBe(400)
    expect((await change(id, { status: 'blocked' })).body.status).toBe('blocked')
    expect((await verify(id, code)).refusal?.code).toBe('OTP_INVALID')
    await expect(payable(id)).rejects.toMatchObject({
      code: 'RECIPIENT_NOT_ACTIVE',
      message: expect.stringContaining('blocked'),
    })
  })

  it('gives the address of a deleted one free, to be verified anew: RECIPIENT_NOT_FOUND', async () => {
    const address = anyAddress()
    const { id, code } = await pending({ address })
    expect((await remove(id)).body.message).toBe('Recipient deleted.')
    for (const answer of [await remove(id), await change(id, { name: 'x' }), await verify(id, code), await send(id)]) {
      expect(answer.refusal?.code).toBe('RECIPIENT_NOT_FOUND')
    }
    expect((await create({ address })).body.recipient.status).toBe('pending-otp-verification')
  })

  it('lets an address wait as long as the policy of each project asks', async () => {
    const slow = await project('Slow')
    const body = { recipientDelayHours: 24 }
    await app.call(payoutPolicyRoutes.changePayoutConfig, { params: { p: String(slow) }, body }, { key: world.root() })
    const { id, code } = await pending({ projectIDs: [shop, slow] })
    const day = new Date(app.clock.now.getTime() + 24 * 60 * MINUTE)
    expect((await verify(id, code)).body.recipient.payableFrom).toEqual(day)
    expect(await payable(id)).toMatchObject({ id })
    await expect(payable(id, slow)).rejects.toMatchObject({
      code: 'RECIPIENT_NOT_ACTIVE',
      message: `This recipient can be paid from ${day.toISOString()}.`,
    })
    // A project that is added later begins to count then.
    advance(MINUTE)
    const late = await project('Late')
    await app.call(payoutPolicyRoutes.changePayoutConfig, { params: { p: String(late) }, body }, { key: world.root() })
    await change(id, { projectIDs: [shop, slow, late] })
    await expect(payable(id, late)).rejects.toMatchObject({
      data: { payableFrom: new Date(day.getTime() + MINUTE) },
    })
  })

  it('tells the policy what is known of an address', async () => {
    const eth = findBlockchain('ETH')
    if (!eth) throw new Error('Ethereum is gone')
    const address = anyAddress()
    const facts = (projectId = shop) => addressFacts(app.ctx, projectId, parsePayee(app.ctx, eth, address))
    expect(await facts()).toEqual({ problem: null, knownSince: null })
    const { id, code } = await pending({ address })
    expect(await facts()).toEqual({ problem: null, knownSince: null })
    await verify(id, code)
    expect(await facts()).toEqual({ problem: null, knownSince: app.clock.now })
    expect(await facts(other)).toEqual({ problem: null, knownSince: null })
    await change(id, { status: 'blocked' })
    expect(await facts()).toEqual({ problem: 'address_blocked', knownSince: null })
  })

  it('is written by leads of all its projects, read by managers, and unknown elsewhere', async () => {
    const both = (await create({ projectIDs: [shop, other] })).body.recipient.id
    const mine = (await create()).body.recipient.id
    const lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
    expect((await change(mine, { name: 'Mine' }, lead.key)).status).toBe(200)
    const refused = await change(both, { name: 'Mine' }, lead.key)
    expect([refused.status, refused.refusal?.code]).toEqual([403, 'FORBIDDEN'])
    expect((await list({ ids: [both] }, lead.key)).body.data[0]?.projectIDs).toEqual([shop])
    expect((await change(mine, { projectIDs: [shop, other] }, lead.key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    const manager = await addOperator(app, { projectId: shop, role: 'project_manager' })
    expect((await list({ ids: [mine] }, manager.key)).body.total).toBe(1)
    const stranger = await addOperator(app, { projectId: other, role: 'project_lead' })
    const ops = await addOperator(app, { projectId: shop, role: 'project_ops' })
    expect((await list({}, ops.key)).status).toBe(403)
    expect((await list({ ids: [mine] }, stranger.key)).body.data).toEqual([])
    for (const [key, status] of [
      [manager.key, 403],
      [ops.key, 403],
      [stranger.key, 404],
    ] as const) {
      const answers = [
        await change(mine, { name: 'x' }, key),
        await remove(mine, key),
        await send(mine, key),
        await verify(mine, '000000', key),
      ]
      expect(answers.map((one) => one.status)).toEqual([status, status, status, status])
    }
    expect((await create({ projectIDs: [shop] }, stranger.key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it('asks again who it is after a while: STEP_UP_REQUIRED', async () => {
    const { id } = (await create()).body.recipient
    advance(31 * MINUTE)
    for (const answer of [await create(), await change(id, { name: 'x' }), await remove(id)]) {
      expect([answer.status, answer.refusal?.code]).toEqual([403, 'STEP_UP_REQUIRED'])
    }
  })
})

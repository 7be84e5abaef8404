import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { mailRoutes } from '@kassa/contract/mail/routes.ts'
import { payoutPolicyRoutes } from '@kassa/contract/payout-policy/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { recipientsRoutes } from '@kassa/contract/recipients/routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { chainIn } from '@kassa/chains/chain.ts'
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { findBlockchain } from '@kassa/primitives/chains/blockchains.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import { asSystem } from '../../../context.ts'
import { factorWorld, wrongCode } from '../../../testing/factors.ts'
import { MAIL_USER, type Mailbox, startMailbox } from '../../../testing/mailbox.ts'
import { addOperator } from '../../../testing/operators.ts'
import { accountXpub } from '../../../testing/shop.ts'
import { ensureCustomer } from '../../customers/service.ts'
import { assignAddress } from '../../wallets/service.ts'
import { mailCodeJob } from './codes.ts'
import { findPayableRecipient } from './service.ts'

const world = await factorWorld()
const { app, advance } = world
const MINUTE = 60_000
let mailbox: Mailbox
let shop: number
let other: number

const eth = findBlockchain('ETH')
const chain = eth && chainIn('sandbox', eth)
const anyAddress = () => (chain ? evmAdapter.addresses.format(chain, randomBytes(20)) : '')

beforeAll(async () => {
  mailbox = await startMailbox()
  shop = await project('Shop')
  other = await project('Other')
})
afterAll(async () => {
  await mailbox.close()
  await app.stop()
})
beforeEach(async () => {
  advance(61 * MINUTE)
  await world.nextTest()
  await sql`DELETE FROM pgboss.job WHERE name = ${mailCodeJob.queue}`.execute(app.ctx.db)
  const server = { host: '127.0.0.1', port: mailbox.port, ...MAIL_USER, encryption: 'none' } as const
  await app.call(mailRoutes.saveMailServer, { body: { ...server, from: 'k@shop.example' } }, { key: world.root() })
})

const project = async (name: string) =>
  (await app.call(projectsRoutes.createProject, { body: { name } }, { key: world.root() })).body.id
const input = (more: object = {}) => ({
  name: 'Ann',
  email: 'Ann@Example.org',
  blockchainCode: 'ETH',
  address: anyAddress(),
  projectIDs: [shop],
  ...more,
})
const create = (more: object = {}, key = world.root()) =>
  app.call(recipientsRoutes.createRecipient, { body: input(more) }, { key })
const change = (id: number, body: object, key = world.root()) =>
  app.call(recipientsRoutes.changeRecipient, { params: { id }, body }, { key })
const remove = (id: number, key = world.root()) =>
  app.call(recipientsRoutes.deleteRecipient, { params: { id } }, { key })
const verify = (entityID: number, otpCode: string, key = world.root()) =>
  app.call(recipientsRoutes.verifyRecipient, { body: { entityID, scope: 'recipient', otpCode } }, { key })
const send = (id: number, key = world.root()) =>
  app.call(recipientsRoutes.sendRecipientCode, { params: { id } }, { key })
const list = (query: object = {}, key = world.root()) => app.call(recipientsRoutes.listRecipients, { query }, { key })
const payable = (recipientId: number, projectId = shop) => findPayableRecipient(app.ctx, { projectId, recipientId })

/** Does the queued work and returns the newest mail with its code. */
async function mailed(): Promise<{ readonly code: string; readonly text: string; readonly to: string }> {
  const { rows } = await sql<{ data: { codeId: string } }>`
    SELECT data FROM pgboss.job WHERE name = ${mailCodeJob.queue} ORDER BY created_on`.execute(app.ctx.db)
  const data = rows.at(-1)?.data
  if (!data) throw new Error('No code was asked for')
  const count = mailbox.mails.length
  await mailCodeJob.run(asSystem(app.ctx), data)
  const mail = await mailbox.holds(count + 1)
  const text = mail.text ?? ''
  const to = Array.isArray(mail.to) ? '' : (mail.to?.text ?? '')
  return { code: /Code: (\d{6})/.exec(text)?.[1] ?? '', text, to }
}

/** A recipient whose code was mailed. */
async function pending(more: object = {}) {
  const { body } = await create(more)
  return { id: body.recipient.id, ...(await mailed()) }
}

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

  it('refuses without a mail server where no second factor takes its place: SMTP_NOT_CONFIGURED', async () => {
    await app.call(mailRoutes.removeMailServer, {}, { key: world.root() })
    expect((await create()).refusal?.code).toBe('SMTP_NOT_CONFIGURED')
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

describe('D18, D19: the code', () => {
  it('works once', async () => {
    const { id, code } = await pending()
    expect((await verify(id, code)).status).toBe(200)
    expect((await verify(id, code)).refusal?.code).toBe('OTP_INVALID')
    expect((await send(id)).refusal?.code).toBe('RECIPIENT_VERIFIED')
  })

  it('works for ten minutes: OTP_EXPIRED', async () => {
    const { id, code } = await pending()
    advance(10 * MINUTE)
    const { status, refusal } = await verify(id, code)
    expect([status, refusal?.code]).toEqual([410, 'OTP_EXPIRED'])
  })

  it('dies with the fifth wrong try', async () => {
    const { id, code } = await pending()
    for (let left = 4; left >= 0; left -= 1) {
      const { refusal } = await verify(id, wrongCode(code))
      expect([refusal?.code, refusal?.data]).toEqual(['OTP_INVALID', { triesLeft: left }])
    }
    expect((await verify(id, code)).refusal?.code).toBe('OTP_EXPIRED')
    expect((await list({ ids: [id] })).body.data[0]?.status).toBe('pending-otp-verification')
  })

  it('verifies its own recipient alone', async () => {
    const [one, two] = [await pending(), await pending()]
    if (one.code !== two.code) expect((await verify(two.id, one.code)).refusal?.code).toBe('OTP_INVALID')
    // A row that somebody copies to another recipient is worth nothing either.
    await sql`UPDATE recipient_codes SET code_hash = (SELECT code_hash FROM recipient_codes WHERE recipient_id = ${one.id})
      WHERE recipient_id = ${two.id}`.execute(app.ctx.db)
    expect((await verify(two.id, one.code)).refusal?.code).toBe('OTP_INVALID')
    expect((await verify(one.id, one.code)).status).toBe(200)
  })

  it('dies when another one is asked for, and three are sent in ten minutes: RATE_LIMITED', async () => {
    const { id, code } = await pending()
    const { body } = await send(id)
    expect(body).toEqual({ otpSent: true, expiresAt: new Date(app.clock.now.getTime() + 10 * MINUTE) })
    const next = await mailed()
    if (next.code !== code) expect((await verify(id, code)).refusal?.code).toBe('OTP_INVALID')
    expect((await send(id)).status).toBe(200)
    const { status, refusal, headers } = await send(id)
    expect([status, refusal?.code, headers['retry-after']]).toEqual([429, 'RATE_LIMITED', '600'])
    expect((await verify(id, next.code)).refusal?.code).toBe('OTP_INVALID')
    expect((await verify(id, (await mailed()).code)).status).toBe(200)
  })

  it('is sent to one person twenty times an hour', async () => {
    for (let sent = 0; sent < 20; sent += 1) expect((await create()).status).toBe(201)
    expect((await create()).refusal?.code).toBe('RATE_LIMITED')
  })

  it('is tried again with another code when the mail does not go', async () => {
    const { body } = await create()
    mailbox.refuseWith('Not now')
    await expect(mailed()).rejects.toThrow()
    mailbox.refuseWith(null)
    expect((await verify(body.recipient.id, (await mailed()).code)).status).toBe(200)
  })

  it('lets one of a hundred through at once', async () => {
    const { id, code } = await pending()
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(id, code)))
    const codes = answers.map(({ status, refusal }) => refusal?.code ?? status)
    expect(codes.filter((one) => one === 200)).toHaveLength(1)
    expect(codes.filter((one) => one !== 200 && one !== 'OTP_INVALID' && one !== 'RATE_LIMITED')).toEqual([])
    const { rows } = await sql`SELECT FROM events WHERE type = 'recipient.changed'
      AND payload->>'recipient_id' = ${String(id)} AND payload->>'status' = 'active'`.execute(app.ctx.db)
    expect(rows).toHaveLength(1)
  })

  it('counts a hundred guesses at once as five', async () => {
    const { id, code } = await pending()
    const guesses = Array.from({ length: 100 }, (_, index) => String((Number(code) + 1 + index) % 1_000_000))
    const answers = await Promise.all(guesses.map((guess) => verify(id, guess.padStart(6, '0'))))
    expect(answers.filter(({ refusal }) => refusal?.code === 'OTP_INVALID')).toHaveLength(5)
    expect((await verify(id, code)).refusal?.code).toBe('OTP_EXPIRED')
  })
})

describe('an API key', () => {
  async function keyOf(projectId: number, by = world.root()) {
    const body = { name: 'Payouts', preset: 'payouts' }
    return (
      (await app.call(apiKeysRoutes.createApiKey, { params: { p: String(projectId) }, body }, { key: by })).body.key ??
      ''
    )
  }

  it('has its codes mailed to whoever made it, and types them', async () => {
    const lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
    const key = await keyOf(shop, lead.key)
    const { body } = await create({}, key)
    expect(body.otpSent).toBe(true)
    const { code, to } = await mailed()
    expect(to).toBe(lead.signedIn.member.email)
    expect((await verify(body.recipient.id, code, key)).body.recipient.status).toBe('active')
    expect((await list({}, key)).body.data.map(({ id }) => id)).toContain(body.recipient.id)
  })

  it('waits for a member when whoever made it is gone: MEMBER_NOT_FOUND', async () => {
    const lead = await addOperator(app, { projectId: shop, role: 'project_lead' })
    const key = await keyOf(shop, lead.key)
    await sql`UPDATE operators SET state = 'inactive' WHERE id = ${lead.operatorId}`.execute(app.ctx.db)
    const { body } = await create({}, key)
    expect(body).toMatchObject({ otpSent: false, recipient: { status: 'pending-otp-verification' } })
    expect((await send(body.recipient.id, key)).refusal?.code).toBe('MEMBER_NOT_FOUND')
    expect((await send(body.recipient.id)).status).toBe(200)
  })

  it('reaches the recipients of its own project alone', async () => {
    const key = await keyOf(shop)
    expect((await create({ projectIDs: [other] }, key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    const { body } = await create({ projectIDs: [other] })
    const { id } = body.recipient
    expect((await verify(id, '000000', key)).refusal?.code).toBe('RECIPIENT_NOT_FOUND')
    expect((await send(id, key)).refusal?.code).toBe('RECIPIENT_NOT_FOUND')
    expect((await list({ ids: [id] }, key)).body.data).toEqual([])
    expect((await change(id, { name: 'Eve' }, key)).status).toBe(403)
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

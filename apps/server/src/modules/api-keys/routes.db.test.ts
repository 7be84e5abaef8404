import { setTimeout } from 'node:timers/promises'

import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { PRESETS } from '@kassa/contract/permissions.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../context.ts'
import { hashCredential } from '../../credentials.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { addOperator, operatorWith } from '../../testing/operators.ts'
import { mailApiKeyJob } from './emails.ts'
import { createApiKey, findApiKey, noteApiKeyUse } from './service.ts'

const START = new Date('2026-01-31T09:00:00.000Z')

let app: TestApp
let key: string
let shop: string
let market: string

const create = (body: object = {}, { p = shop, as = key, headers = {} } = {}) =>
  app.call(apiKeysRoutes.createApiKey, { params: { p }, body }, { key: as, headers })
const list = (p = shop, as = key) => app.call(apiKeysRoutes.listApiKeys, { params: { p } }, { key: as })
const revoke = (id: number, { p = shop, as = key } = {}) =>
  app.call(apiKeysRoutes.revokeApiKey, { params: { p, id } }, { key: as })
const find = (text: string) => findApiKey(app.ctx, hashCredential(text))
const createProject = async (name: string) =>
  String((await app.call(projectsRoutes.createProject, { body: { name } }, { key })).body.id)

beforeAll(async () => {
  app = await testApp({ now: START })
  key = await app.signUp()
  shop = await createProject('Shop')
  market = await createProject('Market')
})
afterAll(async () => {
  await app.stop()
})

describe('apiKeys.create', () => {
  it('shows the key once, with what existing shops need', async () => {
    const { status, body, text } = await create({ name: 'Shop plugin' })
    expect(status).toBe(201)
    expect(body.key).toMatch(/^kp_test_[\w-]{43}[0-9A-Za-z]{6}$/)
    expect(text).toContain('"key":"kp_test_')
    expect(body).toMatchObject({ name: 'Shop plugin', roleID: 3, status: 'active', scopes: PRESETS.merchant })
    const { text: listed } = await list()
    expect(listed).not.toContain(body.key)
    expect(listed).not.toMatch(/"key":/)
    const dump = JSON.stringify(
      (await sql`SELECT encode(key_hash, 'escape') AS h, k.* FROM api_keys k`.execute(app.ctx.db)).rows,
    )
    expect(dump).not.toContain(body.key)
    await expect(find(body.key ?? '')).resolves.toMatchObject({ projectId: Number(shop), allowedIps: [] })
  })

  it('is mailed to the leads of the project only', async () => {
    const project = await createProject('Led')
    const lead = await addOperator(app, { projectId: Number(project), role: 'project_lead' })
    await addOperator(app, { projectId: Number(project), role: 'project_ops' })
    const { body } = await create({ name: 'Plugin', preset: 'payments' }, { p: project })
    const { rows } = await sql<{ data: { to: string; last4: string } }>`
      SELECT data FROM pgboss.job WHERE name = 'api-keys.mail-created'`.execute(app.ctx.db)
    expect(rows.map(({ data }) => data)).toMatchObject([{ to: lead.signedIn.member.email, last4: body.last4 }])
    const [mail] = rows
    if (mail) await mailApiKeyJob.run(asSystem(app.ctx), mail.data as never)
    const letters = await sql`SELECT recipient, message FROM sandbox_emails`.execute(app.ctx.db)
    expect(letters.rows).toMatchObject([
      {
        recipient: lead.signedIn.member.email,
        message: {
          subject: 'An API key of Led was created',
          paragraphs: [
            expect.stringContaining(`Plugin, which ends in ${body.last4}`),
            expect.stringContaining('payment:create'),
          ],
        },
      },
    ])
  })

  it('takes the name from the description, and the older names of scopes', async () => {
    const { body } = await create({ description: 'Payout desk', scopes: ['write_merchant_withdrawal', 'payment:read'] })
    expect(body).toMatchObject({ name: 'Payout desk', description: 'Payout desk' })
    expect(body.scopes).toEqual(['payment:read', 'payout:create'])
  })

  it('stores networks as ranges', async () => {
    const { body } = await create({ allowedIPs: ['203.0.113.7', '10.0.0.0/8'] })
    expect(body.allowedIPs).toEqual(['203.0.113.7/32', '10.0.0.0/8'])
    const refused = await create({ allowedIPs: ['everywhere'] })
    expect([refused.status, refused.refusal?.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('refuses a name that means nothing: SCOPE_UNKNOWN', async () => {
    const { status, refusal } = await create({ scopes: ['wallet:write'] })
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'SCOPE_UNKNOWN', 'Unknown scope wallet:write.'])
  })

  it('refuses a scope the creator does not hold: SCOPE_ABOVE_YOURS', async () => {
    const lead = await addOperator(app, { projectId: Number(shop), role: 'project_lead' })
    expect((await create({}, { as: lead.key })).status).toBe(201)
    await sql`UPDATE operator_roles SET role_id = 5 WHERE operator_id = ${lead.operatorId}`.execute(app.ctx.db)
    expect((await create({}, { as: lead.key })).refusal?.code).toBe('FORBIDDEN')
    // Every built-in role that creates keys holds every scope; a custom role need not.
    const caller = operatorWith(Number(shop), ['api_key:write', 'payment:read'], lead.operatorId)
    await expect(
      createApiKey({ ...app.ctx, caller }, { projectId: Number(shop), scopes: ['payment:read', 'payout:create'] }),
    ).rejects.toMatchObject({
      code: 'SCOPE_ABOVE_YOURS',
      status: 403,
      message: 'You cannot grant payout:create because you do not have it.',
    })
  })

  it('refuses an end in the past: VALIDATION_FAILED', async () => {
    const { status, refusal } = await create({ expiresAt: new Date(START.getTime() - 1) })
    expect([status, refusal?.code, refusal?.fields]).toEqual([
      400,
      'VALIDATION_FAILED',
      { expiresAt: 'Expiry must not be in the past' },
    ])
  })

  it('gives a project 20 active keys: API_KEY_LIMIT', async () => {
    const p = await createProject('Crowded')
    for (let made = 1; made <= 20; made += 1) expect((await create({}, { p })).status).toBe(201)
    const { status, refusal } = await create({}, { p })
    expect([status, refusal?.code]).toEqual([409, 'API_KEY_LIMIT'])
    const [first] = (await list(p)).body
    await revoke(first?.id ?? 0, { p })
    expect((await create({}, { p })).status).toBe(201)
  })

  it('gives the last place once, though two ask at once', async () => {
    const p = await createProject('Nearly full')
    for (let made = 1; made <= 19; made += 1) await create({}, { p })
    const caller = operatorWith(Number(p), ['api_key:write', 'payment:read'])
    const ctx = { ...app.ctx, caller }
    const input = { projectId: Number(p), scopes: ['payment:read'] }
    const { second } = await inTransaction(ctx, async (inner) => {
      await createApiKey(inner, input)
      // Asked while the first is not committed yet: it must wait for that, and then find no place.
      const asked = createApiKey(ctx, input).catch((refusal: unknown) => refusal)
      await setTimeout(100)
      return { second: asked }
    })
    expect(await second).toMatchObject({ code: 'API_KEY_LIMIT' })
    expect((await list(p)).body).toHaveLength(20)
  })

  it('withholds the key when the call is repeated', async () => {
    const headers = { 'idempotency-key': 'make-one-key' }
    const first = await create({ name: 'Once' }, { headers })
    const again = await create({ name: 'Once' }, { headers })
    expect(again.headers['idempotency-replayed']).toBe('key')
    expect([first.body.id, again.body.key]).toEqual([again.body.id, null])
    expect(again.text).not.toContain(first.body.key)
  })

  it('needs one project: PROJECT_REQUIRED', async () => {
    expect((await create({}, { p: 'all' })).refusal?.code).toBe('PROJECT_REQUIRED')
  })
})

describe('apiKeys.list', () => {
  it('shows the keys of the project alone', async () => {
    const { body } = await create({ name: 'Of the market' }, { p: market })
    const listed = await list(market)
    expect(listed.body.map((row) => row.id)).toEqual([body.id])
    expect(listed.headers['x-total-count']).toBe('1')
    expect((await list()).body.map((row) => row.id)).not.toContain(body.id)
    expect((await list('all')).body.map((row) => row.id)).toContain(body.id)
  })

  it('hides the projects an operator has no part in', async () => {
    const lead = await addOperator(app, { projectId: Number(market), role: 'project_lead' })
    expect((await list(shop, lead.key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await list('all', lead.key)).body.every((row) => row.externalPlatformID === Number(market))).toBe(true)
    const ops = await addOperator(app, { projectId: Number(market), role: 'project_ops' })
    expect((await list(market, ops.key)).refusal?.code).toBe('FORBIDDEN')
  })
})

describe('apiKeys.createKeyOfProject', () => {
  const createOf = (body: object, as = key) =>
    app.call(apiKeysRoutes.createKeyOfProject, {}, { key: as, raw: JSON.stringify(body) })

  it('creates the usual key of the project in the body', async () => {
    const { status, body } = await createOf({ externalPlatformID: Number(market), roleName: 'platform_admin' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ externalPlatformID: Number(market), scopes: PRESETS.merchant })
    expect(body.key).toMatch(/^kp_test_/)
    expect((await list(market)).body.map(({ id }) => id)).toContain(body.id)
  })

  it('reaches the projects of the caller only, and none that is archived', async () => {
    const lead = await addOperator(app, { projectId: Number(shop), role: 'project_lead' })
    expect((await createOf({ externalPlatformID: Number(shop) }, lead.key)).status).toBe(201)
    expect((await createOf({ externalPlatformID: Number(market) }, lead.key)).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await createOf({ externalPlatformID: 999_999 })).refusal?.code).toBe('PROJECT_NOT_FOUND')
    expect((await createOf({})).refusal?.message).toBe('Project is required')
    const closed = await createProject('Closed')
    await app.call(projectsRoutes.archiveProject, { params: { p: closed } }, { key })
    expect((await createOf({ externalPlatformID: Number(closed) })).refusal?.code).toBe('PROJECT_ARCHIVED')
  })

  it('refuses what the route of the project refuses', async () => {
    const { refusal } = await createOf({ externalPlatformID: Number(market), roleName: 'nobody' })
    expect(refusal?.code).toBe('SCOPE_UNKNOWN')
  })
})

describe('apiKeys.revoke', () => {
  it('ends the key at once and for good', async () => {
    const { body } = await create()
    const text = body.key ?? ''
    // A key has no part in operators' routes: 403 says that it is known, 401 that it is not.
    expect((await list(shop, text)).status).toBe(403)
    expect((await revoke(body.id)).body).toEqual({ message: 'API key revoked.' })
    expect((await list(shop, text)).refusal?.code).toBe('UNAUTHORIZED')
    expect((await list()).body.map((row) => row.id)).not.toContain(body.id)
  })

  it('finds no key that was revoked, is of another project or never was: API_KEY_NOT_FOUND', async () => {
    const { body } = await create()
    expect((await revoke(body.id, { p: market })).refusal?.code).toBe('API_KEY_NOT_FOUND')
    expect((await revoke(body.id)).status).toBe(200)
    const again = await revoke(body.id)
    expect([again.status, again.refusal?.code]).toEqual([404, 'API_KEY_NOT_FOUND'])
    expect((await revoke(999_999)).refusal?.code).toBe('API_KEY_NOT_FOUND')
  })
})

describe('apiKeys.findApiKey', () => {
  it('finds no key after its end', async () => {
    const { body } = await create({ expiresAt: new Date(START.getTime() + 60_000) })
    expect(await find(body.key ?? '')).not.toBeNull()
    const later = { ...app.ctx, now: () => new Date(START.getTime() + 60_000) }
    expect(await findApiKey(later, hashCredential(body.key ?? ''))).toBeNull()
    expect(await find('kp_test_unknown')).toBeNull()
  })

  it('writes the last use of a key that was let in, at most once a minute', async () => {
    const { body } = await create()
    const lastUse = async () => (await list()).body.find((row) => row.id === body.id)
    const use = async (ip: string) => {
      const found = await find(body.key ?? '')
      if (found) await noteApiKeyUse(app.ctx, found, ip)
    }
    await find(body.key ?? '')
    expect(await lastUse()).toMatchObject({ lastUsedAt: null, lastUsedIP: null })
    await use('203.0.113.7')
    expect(await lastUse()).toMatchObject({ lastUsedAt: START, lastUsedIP: '203.0.113.7' })
    await use('203.0.113.8')
    expect(await lastUse()).toMatchObject({ lastUsedIP: '203.0.113.7' })
  })

  it('takes a call from a foreign address for no use', async () => {
    const { body } = await create({ scopes: ['payment:read'], allowedIPs: ['203.0.113.0/24'] })
    const answer = await app.call(paymentsRoutes.searchPayments, { params: { p: shop } }, { key: body.key ?? '' })
    expect(answer.status).toBe(401)
    expect((await list()).body.find((row) => row.id === body.id)).toMatchObject({ lastUsedAt: null, lastUsedIP: null })
  })
})

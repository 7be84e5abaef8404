import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { asSystem } from '../../../context.ts'
import { open } from '../../vaults/service.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { addOperator } from '../../../testing/operators.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'

let app: TestApp
let key: string
let shop: Shop
let count = 0

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
})
afterAll(() => app.stop())

const address = () => `http://127.0.0.1:9/${(count += 1)}`
const create = (body: object = {}, options: object = {}, p = shop.p) =>
  app.call(webhooksRoutes.createWebhook, { params: { p }, body: { url: address(), ...body } }, { key, ...options })
const list = async () => (await app.call(webhooksRoutes.listWebhooks, { params: { p: shop.p } }, { key })).body

describe('webhooks.createWebhook', () => {
  it('shows secret and access key once, and masks them from then on', async () => {
    const { status, body } = await create({ name: ' Till ', description: 'd' })
    expect([status, body.name, body.status, body.health, body.legacyHeaders]).toEqual([
      201,
      'Till',
      'active',
      'idle',
      true,
    ])
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(body.access_key).toMatch(/^kw_[\w-]{43}$/)
    const again = (await list()).find(({ id }) => id === body.id)
    expect([again?.secret, again?.access_key]).toEqual([
      `whsec_••••${body.secret?.slice(-4)}`,
      `kw_••••${body.access_key?.slice(-4)}`,
    ])
  })

  it('keeps both out of the logs, out of the stored answer and out of every table in clear', async () => {
    const options = { headers: { 'idempotency-key': 'webhook-once' } }
    const url = address()
    const first = (await create({ url }, options)).body
    const second = await create({ url }, options)
    expect(second.headers['idempotency-replayed']).toBe('key')
    expect([second.body.id, second.body.secret, second.body.access_key]).toEqual([first.id, null, null])
    const { rows } = await sql<{ text: string }>`
      SELECT coalesce(string_agg(row_to_json(t)::text, ' '), '') AS text FROM (
        SELECT row_to_json(k) FROM idempotency_keys k UNION ALL SELECT row_to_json(s) FROM secrets s
        UNION ALL SELECT row_to_json(w) FROM webhooks w UNION ALL SELECT row_to_json(e) FROM events e) t`.execute(
      app.ctx.db,
    )
    for (const secret of [first.secret ?? '', first.access_key ?? '']) {
      expect(secret.length).toBeGreaterThan(40)
      expect(rows[0]?.text).not.toContain(secret)
      expect(app.logLines.join('')).not.toContain(secret)
    }
  })

  it('refuses addresses it must not call: WEBHOOK_URL_NOT_ALLOWED', async () => {
    for (const url of ['http://10.0.0.1/x', 'http://169.254.169.254/latest', 'http://printer.local/x']) {
      const { status, refusal } = await create({ url })
      expect([status, refusal?.code, refusal?.fields?.url]).toEqual([400, 'WEBHOOK_URL_NOT_ALLOWED', refusal?.details])
      expect(refusal?.details).toMatch(/private|local/)
    }
  })

  it('refuses an address that is registered: WEBHOOK_EXISTS', async () => {
    const url = address()
    await create({ url })
    const { status, refusal } = await create({ url })
    expect([status, refusal?.code]).toEqual([409, 'WEBHOOK_EXISTS'])
  })

  it('refuses events that do not exist or are never delivered: EVENT_UNKNOWN', async () => {
    for (const name of ['payment.paid', 'project.changed', 'toString']) {
      const { status, refusal } = await create({ events: ['payment.filled', name] })
      expect([status, refusal?.code, refusal?.message]).toEqual([400, 'EVENT_UNKNOWN', `Unknown event ${name}.`])
    }
  })

  it('refuses malformed input by field', async () => {
    const { refusal } = await create({ url: 'ftp://x', access_key: 'short', status: 'deleted', name: 'x'.repeat(101) })
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: {
        url: 'URL must be an http or https address',
        access_key: 'Access key must be at least 16 characters long',
        status: 'Status must be one of: active, inactive',
        name: 'Name must be at most 100 characters long',
      },
    })
  })

  it.each([
    ['a line break', 'a key with\r\nx-evil: 1'],
    ['letters that no header carries', 'ключключключключ'],
  ])('refuses an access key with %s, with which nothing could ever be delivered', async (_what, access_key) => {
    expect((await create({ access_key })).refusal?.fields).toEqual({
      access_key: 'Access key must be letters, digits and signs without spaces',
    })
  })

  it('takes an API key that cannot move money as access key, and no other: ACCESS_KEY_TOO_POWERFUL', async () => {
    const keyWith = async (scope: string, p = shop.p, more: object = {}) => {
      const body = { name: scope, scopes: [scope], ...more }
      return (await app.call(apiKeysRoutes.createApiKey, { params: { p }, body }, { key })).body.key ?? ''
    }
    expect((await create({ access_key: await keyWith('payment:create') })).status).toBe(201)
    const other = await openShop(app, key, 'Other')
    const powerful = [
      await keyWith('payout:create'),
      await keyWith('payout:create', shop.p, { allowedIPs: ['203.0.113.0/24'] }),
      await keyWith('payment:create', other.p),
    ]
    for (const access_key of powerful) {
      const { status, refusal } = await create({ access_key })
      expect([status, refusal?.code]).toEqual([409, 'ACCESS_KEY_TOO_POWERFUL'])
    }
    const { body: keys } = await app.call(apiKeysRoutes.listApiKeys, { params: { p: shop.p } }, { key })
    expect(keys.filter(({ lastUsedAt }) => lastUsedAt !== null)).toEqual([])
  })

  it('takes twenty endpoints a project, also from parallel calls: WEBHOOK_LIMIT', async () => {
    const { p } = await openShop(app, key, 'Many')
    const answers = await Promise.all(Array.from({ length: 22 }, () => create({}, {}, p)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(({ refusal }) => refusal?.code)).toEqual(['WEBHOOK_LIMIT', 'WEBHOOK_LIMIT'])
  })

  it('asks for one project, the permission and the password', async () => {
    expect((await create({}, {}, 'all')).refusal?.code).toBe('PROJECT_REQUIRED')
    const ops = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    const forbidden = await create({}, { key: ops.key })
    expect(forbidden.refusal).toMatchObject({ code: 'FORBIDDEN', data: { permission: 'webhook:write' } })
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    await sql`UPDATE sessions SET step_up_until = NULL WHERE operator_id = ${lead.operatorId}`.execute(app.ctx.db)
    expect((await create({}, { key: lead.key })).refusal?.code).toBe('STEP_UP_REQUIRED')
  })
})

describe('webhooks: the access key that new endpoints share', () => {
  const SHARED = 'shared-by-all-endpoints'
  beforeAll(async () => {
    const body = { key: 'merchant.webhook.apikey', value: SHARED }
    await app.call(settingsRoutes.saveSetting, { body }, { key })
  })
  afterAll(() => sql`DELETE FROM configuration WHERE key = 'merchant.webhook.apikey'`.execute(app.ctx.db))

  /** The access key that receivers of this endpoint are sent. */
  const held = async (id: number) => {
    const { rows } = await sql<{ ref: number }>`SELECT access_key_ref AS ref FROM webhooks WHERE id = ${id}`.execute(
      app.ctx.db,
    )
    return (await open(asSystem(app.ctx), rows[0]?.ref ?? 0)).toString('utf8')
  }

  it('is given to endpoints of who may read the settings, and to no other', async () => {
    const { p, projectId } = await openShop(app, key, 'Sharing')
    expect((await create({}, {}, p)).body.access_key).toBe(SHARED)
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    expect((await create({}, { key: lead.key }, p)).body.access_key).toMatch(/^kw_[\w-]{43}$/)
  })

  it('does not move with an endpoint whose URL another member changes', async () => {
    const { p, projectId } = await openShop(app, key, 'Moving')
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    const endpoint = (await create({}, {}, p)).body
    const change = (body: object, as: string) =>
      app.call(webhooksRoutes.updateWebhook, { params: { p, id: endpoint.id }, body }, { key: as })
    await change({ url: address() }, key)
    await change({ name: 'Till' }, lead.key)
    expect(await held(endpoint.id)).toBe(SHARED)
    expect((await change({ url: address() }, lead.key)).status).toBe(200)
    expect(await held(endpoint.id)).toMatch(/^kw_[\w-]{43}$/)

    const save = (webhookEndpoint: string, as: string) =>
      app.call(projectsRoutes.changeProject, { params: { p }, body: { webhookEndpoint } }, { key: as })
    await save(address(), key)
    // Endpoints that have the key keep it when the setting changes: it stays shared.
    const replaced = { key: 'merchant.webhook.apikey', value: 'shared-from-now-on' }
    await app.call(settingsRoutes.saveSetting, { body: replaced }, { key })
    const { body } = await app.call(webhooksRoutes.listWebhooks, { params: { p } }, { key })
    const standard = body.find(({ name }) => name === 'Default')?.id ?? 0
    expect(await held(standard)).toBe(SHARED)
    expect((await save(address(), lead.key)).status).toBe(200)
    expect(await held(standard)).toMatch(/^kw_[\w-]{43}$/)
  })
})

describe('webhooks.listWebhooks', () => {
  it('lists the endpoints of the project, of all visible ones, and of none that is foreign', async () => {
    const other = await openShop(app, key, 'Foreign')
    const mine = await create()
    const theirs = await create({}, {}, other.p)
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    const ids = async (p: string) => {
      const answer = await app.call(webhooksRoutes.listWebhooks, { params: { p } }, { key: lead.key })
      expect(answer.headers['x-total-count']).toBe(answer.refusal ? undefined : String(answer.body.length))
      return answer.refusal ? answer.refusal.code : answer.body.map(({ id }) => id)
    }
    expect(await ids(shop.p)).toContain(mine.body.id)
    expect(await ids('all')).not.toContain(theirs.body.id)
    expect(await ids(other.p)).toBe('PROJECT_NOT_FOUND')
  })
})

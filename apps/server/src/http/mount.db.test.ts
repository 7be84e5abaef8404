import { createHash } from 'node:crypto'

import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { systemRoutes } from '@kassa/contract/system/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../testing/app.ts'
import type { ErrorBody } from './api-errors.ts'
import { addOperator } from '../testing/operators.ts'

let app: TestApp
let key: string
let projectId: number
let apiKey: string

beforeAll(async () => {
  app = await testApp({ config: { trustedProxies: ['192.0.2.0/24'] } })
  key = await app.signUp()
  projectId = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
  const made = await app.call(
    apiKeysRoutes.createApiKey,
    { params: { p: String(projectId) }, body: { name: 'k' } },
    { key },
  )
  apiKey = made.body.key ?? ''
})
afterAll(() => app.stop())

const bodyOf = (response: { payload: string }) => JSON.parse(response.payload) as ErrorBody

const countProjects = async () => (await app.call(projectsRoutes.listProjects, {}, { key })).body.length

describe('http: what is open to everybody', () => {
  it('answers health, version, readiness, the catalogue and the contract without a credential', async () => {
    expect((await app.call(systemRoutes.health)).body).toMatchObject({ status: 'degraded', db: 'ok' })
    expect((await app.call(systemRoutes.health)).body.workers).toMatchObject({
      'eth-listener': 'STOPPED',
      'base-listener': 'STOPPED',
      'webhook-processor': 'STOPPED',
    })
    expect((await app.call(systemRoutes.ready)).body.status).toBe('ok')
    expect((await app.call(systemRoutes.version)).body).toMatchObject({ version: '0.0.0-test', builtAt: null })
    const codes = (await app.call(systemRoutes.errorCatalogue)).body.map((entry) => entry.code)
    expect(codes).toContain('PAYMENT_NOT_OPEN')
    const printed = (await app.call(systemRoutes.openApi, { query: { subset: 'merchant' } })).body as { paths: object }
    expect(Object.keys(printed.paths)).toContain('/api/v1/payment')
    expect(Object.keys(printed.paths)).not.toContain('/api/v1/signin')
  })

  it('gives every answer an id, the version and the safety headers, in compact JSON', async () => {
    const { headers, text } = await app.call(systemRoutes.health)
    expect(headers).toMatchObject({
      'kassa-version': '0.0.0-test',
      'payram-version': '0.0.0-test',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['x-request-id']).toMatch(/^[\w-]{10,}$/)
    expect(text).not.toContain('": ')
  })

  it('serves metrics to loopback', async () => {
    const { statusCode, payload } = await app.http.inject({ url: '/metrics' })
    expect(statusCode).toBe(200)
    expect(payload).toContain('kassa_http_seconds')
  })
})

describe('http: bad input', () => {
  const post = (payload: string, headers: Record<string, string> = {}) =>
    app.http.inject({
      method: 'POST',
      url: '/api/v1/external-platform',
      headers: { 'api-key': key, 'content-type': 'application/json', host: 'localhost', ...headers },
      payload,
    })

  it('refuses what the database cannot hold as invalid, not as a fault of its own', async () => {
    const search = await app.call(paymentsRoutes.searchPayments, { body: { query: 'a\u0000' } }, { key: apiKey })
    expect([search.status, search.refusal?.code]).toEqual([400, 'VALIDATION_FAILED'])
    const target = { p: String(projectId), id: 99_999_999_999 }
    const revoked = await app.call(apiKeysRoutes.revokeApiKey, { params: target }, { key })
    expect([revoked.status, revoked.refusal?.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('refuses a filter with more alternatives than a statement takes', async () => {
    const raw = JSON.stringify({ externalPlatformIds: Array.from({ length: 70_000 }, () => 1) })
    const refused = await app.call(paymentsRoutes.searchPayments, {}, { key: apiKey, raw })
    expect(refused.refusal).toMatchObject({ code: 'VALIDATION_FAILED', message: 'At most 500 can be listed' })
  })

  it('answers HEAD as it answers GET, also where a write would need one project', async () => {
    const head = (url: string) =>
      app.http.inject({ method: 'HEAD', url, headers: { 'api-key': key, host: 'localhost' } })
    expect((await head('/api/v1/project/all/wallets')).statusCode).toBe(200)
    expect((await head('/api/v1/external-platform/all/api-key')).statusCode).toBe(200)
  })

  it('refuses a time that cannot be written, and finds no upload of an impossible name', async () => {
    const input = { params: { p: String(projectId) } }
    const raw = '{"name":"k","expiresAt":"9999-12-31T23:59:59-14:00"}'
    expect((await app.call(apiKeysRoutes.createApiKey, input, { key, raw })).status).toBe(400)
    expect((await app.http.inject({ url: '/uploads/%00' })).statusCode).toBe(404)
  })

  it('answers an address that is none in the usual form', async () => {
    const refused = await app.http.inject({ url: '/api/v1/%zz' })
    expect([refused.statusCode, bodyOf(refused).error.code]).toEqual([400, 'VALIDATION_FAILED'])
  })

  it('refuses malformed JSON with VALIDATION_FAILED, and with INVALID_JSON_DATA on sign-in', async () => {
    const before = await countProjects()
    const refused = await post('{"name":')
    expect(refused.statusCode).toBe(400)
    expect(bodyOf(refused).error).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: 'The body is not well-formed JSON.',
    })
    const signIn = await app.call(authRoutes.signIn, {}, { raw: '{"email":' })
    expect(signIn.refusal).toMatchObject({ code: 'INVALID_JSON_DATA', message: 'Bad Request: Invalid input.' })
    expect(await countProjects()).toBe(before)
  })

  it('names every field that is wrong, and the first one in the message', async () => {
    const { refusal, status } = await app.call(
      projectsRoutes.createProject,
      {},
      { key, raw: '{"name":5,"website":"ftp://x"}' },
    )
    expect(status).toBe(400)
    expect(refusal).toMatchObject({
      code: 'VALIDATION_FAILED',
      fields: { name: 'Project name must be text', website: 'Website must be an http or https address' },
    })
  })

  it('refuses unknown fields on operator routes and ignores them on merchant routes', async () => {
    const operator = await app.call(projectsRoutes.createProject, {}, { key, raw: '{"name":"A","nmae":"B"}' })
    expect(operator.refusal).toMatchObject({ code: 'VALIDATION_FAILED', fields: { nmae: 'Unknown field' } })
    const merchant = await app.call(paymentsRoutes.createPayment, {}, { key: apiKey, raw: '{"nonsense":1}' })
    expect(merchant.refusal?.fields).not.toHaveProperty('nonsense')
  })

  it('matches keys in any case, and refuses a field sent twice with DUPLICATE_FIELD', async () => {
    const twice = await app.call(projectsRoutes.createProject, {}, { key, raw: '{"name":"A","NAME":"B"}' })
    expect(twice.refusal?.code).toBe('DUPLICATE_FIELD')
    const folded = await app.call(projectsRoutes.createProject, {}, { key, raw: '{"NAME":"Folded"}' })
    expect(folded.body.name).toBe('Folded')
  })

  it('refuses another media type and an oversized body', async () => {
    const media = await post('name=x', { 'content-type': 'text/csv' })
    expect([media.statusCode, bodyOf(media).error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    const large = await post(JSON.stringify({ name: 'x'.repeat(300_000) }))
    expect([large.statusCode, bodyOf(large).error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('tells an unknown address from an unknown method', async () => {
    const absent = await app.http.inject({ url: '/api/v1/nothing/here' })
    expect([absent.statusCode, bodyOf(absent).error.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
    const method = await app.http.inject({ method: 'DELETE', url: '/api/v1/signin' })
    expect([method.statusCode, bodyOf(method).error.code]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(bodyOf(method).message).toBe('DELETE is not possible here.')
  })
})

describe('http: who may call', () => {
  it('refuses a missing, unknown and revoked key with UNAUTHORIZED', async () => {
    for (const wrong of [undefined, 'ks_unknown', 'kp_live_unknown', 'x y']) {
      const { status, refusal } = await app.call(projectsRoutes.listProjects, {}, { key: wrong })
      expect([status, refusal?.code]).toEqual([401, 'UNAUTHORIZED'])
    }
    const other = await addOperator(app, { projectId, role: 'project_lead' })
    await app.call(authRoutes.logOut, {}, { key: other.key })
    expect((await app.call(projectsRoutes.listProjects, {}, { key: other.key })).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('refuses an expired session', async () => {
    const other = await addOperator(app, { projectId, role: 'project_lead' })
    await sql`UPDATE sessions SET idle_expires_at = now() - interval '1 minute' WHERE operator_id = ${other.operatorId}`.execute(
      app.ctx.db,
    )
    expect((await app.call(projectsRoutes.listProjects, {}, { key: other.key })).refusal?.code).toBe('UNAUTHORIZED')
  })

  it('takes the same key as a bearer token, which wins over the header API-Key', async () => {
    const headers = { authorization: `Bearer ${key}` }
    expect((await app.call(projectsRoutes.listProjects, {}, { headers })).status).toBe(200)
    expect((await app.call(projectsRoutes.listProjects, {}, { headers, key: 'ks_wrong' })).status).toBe(200)
  })

  it('names the permission that is missing', async () => {
    const manager = await addOperator(app, { projectId, role: 'project_manager' })
    const { status, refusal } = await app.call(
      projectsRoutes.changeProject,
      { params: { p: String(projectId) }, body: { name: 'Mine' } },
      { key: manager.key },
    )
    expect([status, refusal?.code]).toEqual([403, 'FORBIDDEN'])
    expect(refusal?.message).toBe('You need the permission project:update in Shop.')
    expect(refusal?.data).toEqual({ permission: 'project:update', project: 'Shop' })
  })

  it('hides a foreign project behind the answer for an absent one', async () => {
    const other = await app.call(projectsRoutes.createProject, { body: { name: 'Other' } }, { key })
    const manager = await addOperator(app, { projectId, role: 'project_lead' })
    for (const p of [String(other.body.id), '999999', 'nonsense', '-1']) {
      const { status, refusal } = await app.call(projectsRoutes.getProject, { params: { p } }, { key: manager.key })
      expect([status, refusal?.code]).toEqual([404, 'PROJECT_NOT_FOUND'])
    }
    expect((await app.call(projectsRoutes.listProjects, {}, { key: manager.key })).body.map(({ id }) => id)).toEqual([
      projectId,
    ])
  })

  it('lets an API key do what its scopes say and nothing else', async () => {
    const { status, refusal } = await app.call(projectsRoutes.listProjects, {}, { key: apiKey })
    expect([status, refusal?.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('asks for one project before it writes', async () => {
    const { refusal } = await app.call(
      projectsRoutes.changeProject,
      { params: { p: 'all' }, body: { name: 'x' } },
      { key },
    )
    expect(refusal?.code).toBe('PROJECT_REQUIRED')
  })

  it('lets an archived project be read and not be written', async () => {
    const { body } = await app.call(projectsRoutes.createProject, { body: { name: 'Old' } }, { key })
    await sql`UPDATE projects SET status = 'archived' WHERE id = ${body.id}`.execute(app.ctx.db)
    const params = { p: String(body.id) }
    expect((await app.call(projectsRoutes.getProject, { params }, { key })).status).toBe(200)
    const { refusal } = await app.call(projectsRoutes.changeProject, { params, body: { name: 'x' } }, { key })
    expect(refusal?.code).toBe('PROJECT_ARCHIVED')
  })

  it('asks who it is again when the window of presence has closed', async () => {
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    await sql`UPDATE sessions SET step_up_until = now() - interval '1 minute' WHERE operator_id = ${lead.operatorId}`.execute(
      app.ctx.db,
    )
    const call = () =>
      app.call(apiKeysRoutes.createApiKey, { params: { p: String(projectId) }, body: { name: 'k' } }, { key: lead.key })
    const { refusal } = await call()
    expect(refusal).toMatchObject({ code: 'STEP_UP_REQUIRED', data: { class: 'S', methods: ['password'] } })
  })

  it('sends a member who must choose a password away with RESET_PASSWORD_REQUIRED', async () => {
    const lead = await addOperator(app, { projectId, role: 'project_lead' })
    await sql`UPDATE operators SET reset_password_required = true WHERE id = ${lead.operatorId}`.execute(app.ctx.db)
    const { status, refusal } = await app.call(projectsRoutes.listProjects, {}, { key: lead.key })
    expect([status, refusal?.code]).toEqual([401, 'RESET_PASSWORD_REQUIRED'])
  })

  it.each([
    ['of no proxy on this machine that was not named', '127.0.0.1', '203.0.113.9', '127.0.0.1'],
    ['of a proxy that was named', '192.0.2.7', '203.0.113.9', '203.0.113.9'],
    ['of a proxy that adds the port', '192.0.2.7', '203.0.113.9:4711', '203.0.113.9'],
    ['of a proxy that adds the port of IPv6', '192.0.2.7', '[2001:db8::7]:4711', '2001:db8::7'],
    ['of nobody else', '198.51.100.7', '203.0.113.9', '198.51.100.7'],
  ])('believes the forwarded address %s', async (_who, remoteAddress, forwarded, seen) => {
    await app.http.inject({
      method: 'POST',
      url: '/api/v1/signin',
      remoteAddress,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.8.7, ${forwarded}` },
      payload: JSON.stringify({ email: TEST_EMAIL, password: TEST_PASSWORD }),
    })
    const { rows } = await sql<{ ip: string }>`
      SELECT ip_address AS ip FROM sessions ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows[0]?.ip).toBe(seen)
  })

  it('does not answer operators under a foreign host name', async () => {
    const headers = { host: 'evil.example.com' }
    const { status, refusal } = await app.call(projectsRoutes.listProjects, {}, { key, headers })
    expect([status, refusal?.code]).toEqual([421, 'HOST_NOT_ALLOWED'])
  })

  it('lets only known origins read operator answers, and any origin the public ones', async () => {
    const from = (origin: string, url: string) => app.http.inject({ url, headers: { origin, 'api-key': key } })
    const foreign = await from('https://evil.example', '/api/v1/external-platform/all')
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined()
    const own = await from('http://localhost:8080', '/api/v1/external-platform/all')
    expect(own.headers['access-control-allow-origin']).toBe('http://localhost:8080')
    const open = await from('https://any.example', '/api/v1/ticker')
    expect(open.headers['access-control-allow-origin']).toBe('*')
  })

  it('reads from the access of a route which origins it answers', async () => {
    const allowed = async (method: 'GET' | 'POST' | 'OPTIONS', url: string) =>
      (await app.http.inject({ method, url: `/api/v1${url}`, headers: { origin: 'https://any.example' } })).headers[
        'access-control-allow-origin'
      ]
    for (const url of ['/payment/reference/x', '/payment/reference/x/', '/wallets/reference/x?a=b', '/openapi.json'])
      expect(await allowed('GET', url)).toBe('*')
    for (const url of ['/payment/reference/x/diagnose', '/deposit-address/reference/x'])
      for (const method of ['OPTIONS', 'POST'] as const) expect(await allowed(method, url)).toBe('*')
    // Cancelling needs an API key, which no page of a browser holds; signing in belongs to our own pages.
    for (const url of ['/payment/reference/x/cancel', '/signin', '/member/reset-password', '/no-such-route'])
      for (const method of ['OPTIONS', 'POST'] as const) expect(await allowed(method, url)).toBeUndefined()
  })
})

describe('http: idempotency', () => {
  const create = (name: string, idempotencyKey: string, as = key) =>
    app.call(
      projectsRoutes.createProject,
      { body: { name } },
      { key: as, headers: { 'idempotency-key': idempotencyKey } },
    )

  it('performs once and replays the stored answer', async () => {
    const before = await countProjects()
    const first = await create('Once', 'one')
    const second = await create('Once', 'one')
    expect(first.status).toBe(201)
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('key')
    expect(await countProjects()).toBe(before + 1)
  })

  it('performs parallel repeats once', async () => {
    const before = await countProjects()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('Parallel', 'parallel')))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect(await countProjects()).toBe(before + 1)
  })

  it('refuses another body under the same key, and a key that is none', async () => {
    await create('One', 'two')
    expect((await create('Another', 'two')).refusal?.code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await create('x', 'has space')).refusal?.code).toBe('IDEMPOTENCY_KEY_INVALID')
  })

  it('repeats an error exactly and leaves nothing behind', async () => {
    const first = await create('', 'refused')
    expect(first.refusal?.code).toBe('VALIDATION_FAILED')
    const options = { key, headers: { 'idempotency-key': 'missing-asset' } }
    const change = () =>
      app.call(projectsRoutes.createProject, { body: { name: 'A', defaultPaymentBlockchainID: 999 } }, options)
    const one = await change()
    const two = await change()
    expect(one.refusal?.code).toBe('ASSET_NOT_ACCEPTED')
    expect(two.refusal).toEqual({ ...one.refusal })
    expect(two.headers['idempotency-replayed']).toBe('key')
  })

  it('says that the first request still runs', async () => {
    const held = await app.ctx.db.startTransaction().execute()
    await sql`INSERT INTO idempotency_keys (caller, key, kind, request_hash) VALUES ('operator:1', 'held', 'key', '\\x00')`.execute(
      held,
    )
    const { status, refusal, headers } = await create('Held', 'held')
    await held.rollback().execute()
    expect([status, refusal?.code, headers['retry-after']]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', '1'])
  }, 20_000)

  it('keeps of a body nothing that a guess could be compared with', async () => {
    await create('Guess me', 'guess')
    const { rows } = await sql<{ hash: Buffer }>`
      SELECT request_hash AS hash FROM idempotency_keys WHERE key = 'guess'`.execute(app.ctx.db)
    const plain = JSON.stringify(['POST', 'P3', {}, { name: 'Guess me' }])
    expect(rows[0]?.hash).toHaveLength(32)
    expect(rows[0]?.hash.equals(createHash('sha256').update(plain).digest())).toBe(false)
  })

  it('does not repeat a secret', async () => {
    const options = { key, headers: { 'idempotency-key': 'secret' } }
    const make = () =>
      app.call(apiKeysRoutes.createApiKey, { params: { p: String(projectId) }, body: { name: 's' } }, options)
    expect((await make()).body.key).toMatch(/^kp_test_/)
    const replay = await make()
    expect(JSON.parse(replay.text)).toMatchObject({ key: null, secretWithheld: true })
  })
})

describe('http: rate limits', () => {
  it('refuses with RATE_LIMITED and says when to come back', async () => {
    const { createRateLimiter } = await import('./rate-limit/rate-limit.ts')
    const limit = createRateLimiter({ factor: 0.1 })
    const now = new Date()
    const ctx = { ...app.ctx, now: () => now }
    for (let i = 0; i < 6; i++) await limit(ctx, 'checkout-read', 'ip:1')
    await expect(limit(ctx, 'checkout-read', 'ip:1')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfter: 1 })
    await expect(limit(ctx, 'checkout-read', 'ip:2')).resolves.toMatchObject({ remaining: 5 })
  })

  it('counts the classes that guard passwords in the database, for all processes', async () => {
    const { createRateLimiter } = await import('./rate-limit/rate-limit.ts')
    const [one, two] = [createRateLimiter({ factor: 0.1 }), createRateLimiter({ factor: 0.1 })]
    for (let i = 0; i < 3; i++) await one(app.ctx, 'auth', 'ip:9')
    await expect(two(app.ctx, 'auth', 'ip:9')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  })
})

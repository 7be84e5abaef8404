import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../../testing/app.ts'
import { prepareSetupCode } from './service.ts'

let app: TestApp

const me = (key: string) => app.call(authRoutes.getMe, {}, { key })
const rows = async (query: ReturnType<typeof sql>) => (await query.execute(app.ctx.db)).rows
const signUp = (body: object, options = {}) =>
  app.call(authRoutes.signUp, { body: { email: TEST_EMAIL, password: TEST_PASSWORD, ...body } }, options)

describe('auth.signUp', () => {
  beforeEach(async () => {
    app = await testApp()
  })
  afterEach(async () => {
    await app.stop()
  })

  it('creates the first account and signs it in', async () => {
    expect((await app.call(authRoutes.rootExists)).body).toEqual({ exist: false, mail: false })
    const answer = await signUp({ email: 'Owner@Shop.Example' })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      memberID: 1,
      roleID: 1,
      expiresIn: 900,
      resetPasswordRequired: false,
      projects: [],
    })
    expect(answer.body.member).toMatchObject({ email: TEST_EMAIL, customer_id: 'root', state: 'active' })
    expect(answer.body.role?.permissions).toContain('security:write')
    expect((await app.call(authRoutes.rootExists)).body).toEqual({ exist: true, mail: false })
    expect((await me(answer.body.key)).status).toBe(200)
    expect(await rows(sql`SELECT type, payload FROM events`)).toEqual([
      { type: 'operator.created', payload: { memberID: 1, email: TEST_EMAIL, role: 'root' } },
    ])
  })

  it('answers its own page, also when another port serves it', async () => {
    expect((await signUp({}, { headers: { origin: 'http://localhost:5173' } })).status).toBe(201)
  })

  it('does not take the form of a foreign page, which a browser sends without asking', async () => {
    const field = (name: string, value: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/v1/signup',
      headers: {
        host: 'localhost:8080',
        origin: 'https://attacker.example',
        'content-type': 'multipart/form-data; boundary=x',
      },
      payload: `${field('email', TEST_EMAIL)}${field('password', TEST_PASSWORD)}--x--\r\n`,
    })
    expect(answer.statusCode).toBe(403)
    expect(await rows(sql`SELECT 1 FROM operators`)).toEqual([])
  })

  it('answers in text that scripts can search', async () => {
    const { text } = await signUp({})
    expect(text).toMatch(/^\{"id":1,"createdAt":"[^"]+","updatedAt":"[^"]+","key":"ks_[\w-]{43}","status":"active",/)
    expect(text.match(/"email":/g)).toHaveLength(1)
    expect(text.match(/"customer_id":"root"/g)).toHaveLength(1)
    expect(text).toMatch(
      /"accessToken":"ka_[\w-]{43}","refreshToken":"kr_[\w-]{43}","expiresIn":900,"tokenType":"Bearer"/,
    )
  })

  it('stores neither password nor keys as they are', async () => {
    const { body } = await signUp({})
    const [operator] = await rows(sql`SELECT password_hash FROM operators`)
    expect(operator).toEqual({ password_hash: expect.stringMatching(/^\$argon2id\$/) })
    const dump = JSON.stringify(await rows(sql`SELECT encode(key_hash, 'escape') k, s.* FROM sessions s`))
    for (const secret of [body.key, body.accessToken, body.refreshToken]) expect(dump).not.toContain(secret.slice(3))
    expect(app.logLines.join('')).not.toContain(body.key)
  })

  it('lets one of two sign-ups at once win', async () => {
    const answers = await Promise.all([signUp({}), signUp({ email: 'other@shop.example' })])
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201, 409]))
    expect(answers.find((answer) => answer.refusal)?.refusal?.code).toBe('SIGN_UP_CLOSED')
    expect(await rows(sql`SELECT count(*)::int AS n FROM operators`)).toEqual([{ n: 1 }])
    expect(await rows(sql`SELECT count(*)::int AS n FROM sessions`)).toEqual([{ n: 1 }])
  })

  it('refuses a second account: SIGN_UP_CLOSED', async () => {
    await signUp({})
    const { status, refusal } = await signUp({ email: 'other@shop.example' })
    expect([status, refusal?.code]).toEqual([409, 'SIGN_UP_CLOSED'])
  })

  it('asks every caller off the sandbox for the set-up code, since a proxy may add no header', async () => {
    const testnet = await testApp({ config: { network: 'testnet' } })
    const body = { email: TEST_EMAIL, password: TEST_PASSWORD }
    const { status, refusal } = await testnet.call(authRoutes.signUp, { body })
    expect([status, refusal?.code]).toEqual([403, 'SETUP_CODE_REQUIRED'])
    expect(await testnet.signUp()).toMatch(/^ks_/)
    await testnet.stop()
  })

  it('prints another set-up code at the next start, so that a lost one locks no one out', async () => {
    const testnet = await testApp({ config: { network: 'testnet' } })
    const printed = () => testnet.logLines.flatMap((line) => /([A-Z2-9]{4}-){3}[A-Z2-9]{4}/.exec(line)?.[0] ?? [])
    await prepareSetupCode(testnet.ctx)
    const [former = '', newest = ''] = printed()
    const signUpWith = (setupCode: string) =>
      testnet.call(authRoutes.signUp, { body: { email: TEST_EMAIL, password: TEST_PASSWORD, setupCode } })
    expect((await signUpWith(former)).refusal?.code).toBe('SETUP_CODE_REQUIRED')
    expect((await signUpWith(newest)).status).toBe(201)
    await prepareSetupCode(testnet.ctx)
    expect(printed()).toHaveLength(2)
    await testnet.stop()
  })

  it('lets a caller from afar in with the set-up code, printed once and stored as a hash', async () => {
    const codes = app.logLines.flatMap((line) => /([A-Z2-9]{4}-){3}[A-Z2-9]{4}/.exec(line)?.[0] ?? [])
    expect(codes).toHaveLength(1)
    const [code = ''] = codes
    expect(JSON.stringify(await rows(sql`SELECT encode(code_hash, 'escape') FROM setup_codes`))).not.toContain(code)
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expect((await signUp({ setupCode: code.toLowerCase() }, { headers })).status).toBe(201)
    expect(await rows(sql`SELECT 1 FROM setup_codes`)).toEqual([])
  })
})

describe('auth.signUp refusals', () => {
  beforeAll(async () => {
    app = await testApp()
  })
  afterAll(async () => {
    await app.stop()
  })

  it.each([
    [{ email: 'nobody' }, { email: 'Enter a valid e-mail address' }],
    [{ email: '' }, { email: 'Email is required' }],
    [{ password: 'short' }, { password: 'Password does not meet all requirements' }],
    [{ password: 'Ab1!' }, { password: 'Password must be at least 8 characters long' }],
    [{ password: null }, { password: 'Password is required' }],
  ])('refuses %j: INVALID_JSON_DATA', async (body, fields) => {
    const { status, refusal } = await signUp(
      {},
      { raw: JSON.stringify({ email: TEST_EMAIL, password: TEST_PASSWORD, ...body }) },
    )
    expect([status, refusal?.code, refusal?.message]).toEqual([400, 'INVALID_JSON_DATA', Object.values(fields)[0]])
    expect(refusal?.fields).toEqual(fields)
    expect(await rows(sql`SELECT 1 FROM operators`)).toEqual([])
  })

  it.each([
    ['a proxy forwards the call', { 'x-forwarded-for': '203.0.113.9' }],
    ['a proxy says so by the standard', { forwarded: 'for=203.0.113.9' }],
    ['a proxy names only the host', { 'x-forwarded-host': 'pay.example' }],
    ['a proxy names itself', { via: '1.1 proxy' }],
    ['nginx names the caller', { 'x-real-ip': '203.0.113.9' }],
    ['a content network names the caller', { 'cf-connecting-ip': '203.0.113.9' }],
    ['another content network names the caller', { 'true-client-ip': '203.0.113.9' }],
    ['the host name is a foreign one', { host: 'kassa.attacker.example' }],
    ['a foreign page sends it from a browser that is near', { origin: 'https://attacker.example' }],
    ['a page without an address sends it', { origin: 'null' }],
  ])('asks for the set-up code when %s: SETUP_CODE_REQUIRED', async (_case, headers) => {
    const { status, refusal } = await signUp({}, { headers })
    expect([status, refusal?.code]).toEqual([403, 'SETUP_CODE_REQUIRED'])
    expect((await signUp({ setupCode: 'AAAA-BBBB-CCCC-DDDD' }, { headers })).refusal?.code).toBe('SETUP_CODE_REQUIRED')
  })

  it('asks a neighbour in a private network for the set-up code: SETUP_CODE_REQUIRED', async () => {
    const answer = await app.http.inject({
      method: 'POST',
      url: '/api/v1/signup',
      headers: { host: 'localhost:8080', 'content-type': 'application/json' },
      payload: JSON.stringify({ email: TEST_EMAIL, password: TEST_PASSWORD }),
      remoteAddress: '172.17.0.1',
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: { code: 'SETUP_CODE_REQUIRED' } }])
  })
})

import { type AddressInfo, connect as openSocket } from 'node:net'

import { AnalyticsChanged } from '@kassa/contract/analytics/schemas.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import * as z from 'zod/mini'

import { asSystem, inTransaction } from '../../context.ts'
import { TEST_EMAIL, TEST_PASSWORD, type TestApp, testApp } from '../../testing/app.ts'
import { addOperator } from '../../testing/operators.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const ORIGIN = 'http://localhost:8080'

let app: TestApp
let key: string
let shop: Shop
let port: number
const sockets: WebSocket[] = []

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  port = (app.http.server.address() as AddressInfo).port
})
afterAll(() => app.stop())
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate()
})

type Message = { readonly type: string } & Record<string, unknown>
type Tab = {
  readonly say: (message: unknown) => void
  /** The next message of this type; those before it are passed over. */
  readonly hears: (type: string) => Promise<Message>
  /** Messages that came and nobody asked for. */
  readonly unheard: Message[]
  readonly closed: Promise<number>
}

async function connect(origin: string | undefined = ORIGIN): Promise<Tab> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/ws`, 'kassa.v1', origin === undefined ? {} : { origin })
  sockets.push(socket)
  const unheard: Message[] = []
  let wake = () => undefined as void
  socket.on('message', (raw: Buffer) => {
    unheard.push(JSON.parse(raw.toString()) as Message)
    wake()
  })
  const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const hears = async (type: string): Promise<Message> => {
    for (;;) {
      const message = unheard.shift()
      if (message?.type === type) return message
      if (!message) await new Promise<void>((resolve) => void (wake = resolve))
    }
  }
  return {
    say: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    hears,
    unheard,
    closed,
  }
}

const token = async (clientID: string, options: object = {}) =>
  (
    await app.call(
      realtimeRoutes.createWebsocketToken,
      { query: { clientID } },
      { key, headers: { origin: ORIGIN }, ...options },
    )
  ).body.token

/** A tab that is signed in and subscribed. */
async function tab(clientID: string, topics: string[] = [], options: object = {}): Promise<Tab> {
  const made = await connect()
  made.say({ type: 'auth', token: await token(clientID, options), clientID })
  made.say({ type: 'subscribe', id: 1, topics })
  await made.hears('hello')
  return made
}
const happen = (sequence = 1, projectId = shop.projectId) =>
  inTransaction(asSystem(app.ctx), (ctx) =>
    ctx.events.emit(ctx, { type: 'payment.filled', projectId, sequence, payload: { secret: 'never told' } }),
  )
const signIn = async () =>
  (await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: TEST_PASSWORD } })).body

describe('realtime.createWebsocketToken', () => {
  it('gives a token for a minute, and the address to show it at', async () => {
    const before = Date.now()
    const query = { clientID: 'tab-1' }
    const { status, body } = await app.call(realtimeRoutes.createWebsocketToken, { query }, { key })
    expect(status).toBe(200)
    expect(body).toMatchObject({ serverUrl: 'ws://localhost:8080/api/v1/ws', clientId: 'tab-1', Member: null })
    expect(body.token).toMatch(/^[0-9a-f]{32}$/)
    expect(body.expiry.getTime() - before).toBeGreaterThanOrEqual(59_000)
    expect(body.expiry.getTime() - before).toBeLessThanOrEqual(65_000)
    expect(app.logLines.join('')).not.toContain(body.token)
  })

  it('is for operators, and wants to know the tab', async () => {
    const make = (query: object, options: object) =>
      app.call(realtimeRoutes.createWebsocketToken, { query: query as { clientID: string } }, options)
    expect((await make({ clientID: 'a' }, {})).refusal?.code).toBe('UNAUTHORIZED')
    expect((await make({ clientID: 'a' }, { key: shop.apiKey })).refusal?.code).toBe('FORBIDDEN')
    expect((await make({}, { key })).refusal?.fields).toEqual({ clientID: 'Client ID is required' })
    expect((await make({ clientID: 'x'.repeat(101) }, { key })).refusal?.code).toBe('VALIDATION_FAILED')
  })
})

describe('realtime: opening a socket', () => {
  const closeOf = async (auth: object, origin?: string) => {
    const made = await connect(origin)
    made.say({ type: 'auth', ...auth })
    return made.closed
  }

  it('says hello to a token', async () => {
    const made = await connect()
    made.say({ type: 'auth', token: await token('hello'), clientID: 'hello' })
    expect(await made.hears('hello')).toMatchObject({ heartbeatSeconds: 25, version: '0.0.0-test' })
  })

  it('takes a token once', async () => {
    const used = await token('once')
    const first = await connect()
    first.say({ type: 'auth', token: used, clientID: 'once' })
    await first.hears('hello')
    expect(await closeOf({ token: used, clientID: 'once' })).toBe(4401)
  })

  it('refuses a token of another tab, an expired one, and an unknown one', async () => {
    expect(await closeOf({ token: await token('mine'), clientID: 'yours' })).toBe(4401)
    const old = await token('old')
    await sql`UPDATE websocket_tokens SET expires_at = now() - interval '1 second' WHERE client_id = 'old'`.execute(
      app.ctx.db,
    )
    expect(await closeOf({ token: old, clientID: 'old' })).toBe(4401)
    expect(await closeOf({ token: '0'.repeat(32), clientID: 'mine' })).toBe(4401)
  })

  it('refuses a token that a page of another origin shows, or no page', async () => {
    expect(await closeOf({ token: await token('a'), clientID: 'a' }, 'https://evil.example')).toBe(4403)
    const bare = await connect('')
    bare.say({ type: 'auth', token: await token('b'), clientID: 'b' })
    expect(await bare.closed).toBe(4403)
    const programs = await token('c', { headers: {} })
    expect(await closeOf({ token: programs, clientID: 'c' }, 'https://evil.example')).toBe(4403)
  })

  it('lets a program open a socket with a token it asked for itself', async () => {
    const made = await connect('')
    made.say({ type: 'auth', token: await token('program', { headers: {} }), clientID: 'program' })
    expect(await made.hears('hello')).toBeTruthy()
  })

  it('refuses a session that must choose a password first', async () => {
    const { key: restricted, id } = await signIn()
    const made = await token('restricted', { key: restricted })
    await sql`UPDATE sessions SET restricted = true WHERE id = ${id}`.execute(app.ctx.db)
    expect(await closeOf({ token: made, clientID: 'restricted' })).toBe(4401)
  })

  it('cuts off who neither authenticates nor closes its side', async () => {
    const raw = openSocket(port, '127.0.0.1')
    const closed = new Promise((resolve) => raw.once('close', () => resolve('closed')))
    const upgrade = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13'
    const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: kassa.v1'
    raw.resume().write(`GET /api/v1/ws HTTP/1.1\r\nhost: localhost\r\n${upgrade}\r\n${key}\r\n\r\n`)
    const started = Date.now()
    expect(await closed).toBe('closed')
    expect(Date.now() - started).toBeLessThan(9_000)
  })

  it('closes one that says nothing in five seconds', async () => {
    const made = await connect()
    expect(await made.closed).toBe(4408)
  }, 10_000)
})

describe('realtime: what it will not listen to', () => {
  it('closes on what is no message, and on other messages before auth', async () => {
    for (const [message, code] of [
      ['hello', 4400],
      [{ type: 'event' }, 4400],
      [{ type: 'subscribe', id: 1, topics: ['me'] }, 4401],
    ] as const) {
      const made = await connect()
      made.say(message)
      expect(await made.closed).toBe(code)
    }
  })

  it('closes on more than 20 messages a second, on 200 topics and on 16 KiB', async () => {
    const fast = await tab('fast')
    for (let n = 0; n < 45; n += 1) fast.say({ type: 'ping', t: n })
    expect(await fast.closed).toBe(4429)
    const curious = await tab('curious')
    curious.say({
      type: 'subscribe',
      id: 2,
      topics: Array.from({ length: 201 }, (_, n) => `project:${n + 1}:payments`),
    })
    expect(await curious.closed).toBe(4429)
    const loud = await tab('loud')
    loud.say(JSON.stringify({ type: 'ping', t: 'x'.repeat(17_000) }))
    expect(await loud.closed).toBe(4413)
  })

  it('answers nothing at another path', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/other`)
    sockets.push(socket)
    await expect(new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))).rejects.toThrow(
      /hang up|ECONNRESET/,
    )
  })
})

describe('realtime: topics', () => {
  it('lets in by permission, topic by topic', async () => {
    const { key: ops } = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    const other = await openShop(app, key, 'Other')
    const mine = `project:${shop.projectId}:payments`
    const made = await tab('ops', [mine, `project:${other.projectId}:payments`, 'system:workers', 'nothing'], {
      key: ops,
    })
    expect(await made.hears('subscribed')).toMatchObject({ id: 1, topics: [mine] })
    expect(await made.hears('refused')).toMatchObject({
      topics: [
        { topic: `project:${other.projectId}:payments`, code: 'FORBIDDEN' },
        { topic: 'system:workers', code: 'FORBIDDEN' },
        { topic: 'nothing', code: 'ROUTE_NOT_FOUND' },
      ],
    })
  })

  it('publishes what was committed, with ids and nothing of the payload', async () => {
    const made = await tab('told', [`project:${shop.projectId}:payments`])
    await made.hears('subscribed')
    const event = await happen()
    expect(await made.hears('event')).toMatchObject({
      id: String(event.id),
      topic: `project:${shop.projectId}:payments`,
      name: 'payment.filled',
      data: { projectId: shop.projectId },
    })
    expect(JSON.stringify(made.unheard)).not.toContain('never told')
  })

  it('names changed graphs at once, then together a second later', async () => {
    const made = await tab('figures', [`project:${shop.projectId}:analytics`])
    await made.hears('subscribed')
    await happen()
    const first = await made.hears('event')
    expect(first).toMatchObject({
      topic: `project:${shop.projectId}:analytics`,
      name: 'analytics.changed',
      data: { projectId: shop.projectId },
    })
    expect(z.decode(AnalyticsChanged, first.data as never).graphIDs).toContain(1)
    const begun = Date.now()
    for (let time = 0; time < 20; time += 1) await happen()
    await made.hears('event')
    expect(Date.now() - begun).toBeGreaterThan(300)
    expect(made.unheard.filter(({ type }) => type === 'event')).toEqual([])
  })

  it('says nothing of what was rolled back', async () => {
    const made = await tab('untold', [`project:${shop.projectId}:payments`])
    await made.hears('subscribed')
    const refused = inTransaction(asSystem(app.ctx), async (ctx) => {
      await ctx.events.emit(ctx, { type: 'payment.cancelled', projectId: shop.projectId, payload: {} })
      throw new Error('rolled back')
    })
    await expect(refused).rejects.toThrow('rolled back')
    await happen()
    expect((await made.hears('event')).name).toBe('payment.filled')
  })

  it('publishes nothing of a foreign project, also not under all projects', async () => {
    const { key: ops } = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    const other = await openShop(app, key, 'Foreign')
    const made = await tab('scoped', ['project:all:payments', 'me'], { key: ops })
    await made.hears('subscribed')
    await happen(1, other.projectId)
    await happen()
    expect(await made.hears('event')).toMatchObject({ data: { projectId: shop.projectId } })
  })

  it('publishes what happens to an operator to that operator alone', async () => {
    const lead = await addOperator(app, { projectId: shop.projectId, role: 'project_lead' })
    const [mine, theirs] = [await tab('mine', ['me']), await tab('theirs', ['me'], { key: lead.key })]
    await Promise.all([mine.hears('subscribed'), theirs.hears('subscribed')])
    await signIn()
    expect(await mine.hears('event')).toMatchObject({ topic: 'me', name: 'operator.signed_in' })
    theirs.say({ type: 'ping', t: 1 })
    await theirs.hears('pong')
    expect(theirs.unheard.map(({ type }) => type)).not.toContain('event')
  })

  it('stops when it is unsubscribed, and says resync to a tab that was away', async () => {
    const topic = `project:${shop.projectId}:payments`
    const made = await tab('away')
    made.say({ type: 'subscribe', id: 2, topics: [topic], since: '1' })
    expect(await made.hears('resync')).toEqual({ type: 'resync', topics: [topic] })
    made.say({ type: 'unsubscribe', id: 3, topics: [topic] })
    made.say({ type: 'ping', t: 7 })
    expect(await made.hears('pong')).toEqual({ type: 'pong', t: 7 })
    await happen()
    made.say({ type: 'ping', t: 8 })
    await made.hears('pong')
    expect(made.unheard.map(({ type }) => type)).not.toContain('event')
  })
})

describe('realtime: the end of a socket', () => {
  const topics = () => [`project:${shop.projectId}:payments`]
  const pause = () => new Promise((resolve) => setTimeout(resolve, 1100))

  it('closes with the session, before another event is sent', async () => {
    const { key: second, id } = await signIn()
    const made = await tab('revoked', topics(), { key: second })
    await made.hears('subscribed')
    await sql`UPDATE sessions SET ended_at = now() WHERE id = ${id}`.execute(app.ctx.db)
    await pause()
    await happen()
    expect(await made.hears('session')).toEqual({ type: 'session', state: 'revoked' })
    expect(await made.closed).toBe(4401)
    expect(made.unheard).toEqual([])
  })

  it('closes when the session is restricted', async () => {
    const { key: second, id } = await signIn()
    const made = await tab('narrow', topics(), { key: second })
    await made.hears('subscribed')
    await sql`UPDATE sessions SET restricted = true WHERE id = ${id}`.execute(app.ctx.db)
    await pause()
    await happen()
    expect(await made.hears('session')).toEqual({ type: 'session', state: 'restricted' })
    expect(await made.closed).toBe(4401)
  })

  it('stops sending to a member who lost the role', async () => {
    const { key: ops, operatorId } = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    const made = await tab('roleless', topics(), { key: ops })
    await made.hears('subscribed')
    await sql`DELETE FROM operator_roles WHERE operator_id = ${operatorId}`.execute(app.ctx.db)
    await pause()
    await happen()
    made.say({ type: 'ping', t: 1 })
    await made.hears('pong')
    await pause()
    expect(made.unheard.map(({ type }) => type)).not.toContain('event')
  })

  it('is replaced by the same tab, but not by another member’s tab of the same name', async () => {
    const first = await tab('same')
    const { key: ops } = await addOperator(app, { projectId: shop.projectId, role: 'project_ops' })
    const stranger = await tab('same', [], { key: ops })
    first.say({ type: 'ping', t: 1 })
    expect(await first.hears('pong')).toBeTruthy()
    await tab('same')
    expect(await first.closed).toBe(4409)
    stranger.say({ type: 'ping', t: 2 })
    expect(await stranger.hears('pong')).toBeTruthy()
  })

  it('asks every tab to come back when the server stops, also one that has not said who it is', async () => {
    const other = await testApp()
    await other.http.listen({ port: 0, host: '127.0.0.1' })
    const { port: there } = other.http.server.address() as AddressInfo
    const socket = new WebSocket(`ws://127.0.0.1:${there}/api/v1/ws`, 'kassa.v1')
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise<number>((resolve) => socket.once('close', (code) => resolve(code)))
    const started = Date.now()
    await other.stop()
    expect(await closed).toBe(1012)
    expect(Date.now() - started).toBeLessThan(4000)
    const mine = await tab('elsewhere')
    mine.say({ type: 'ping', t: 1 })
    expect(await mine.hears('pong')).toBeTruthy()
  })
})

import { createPublicKey, verify } from 'node:crypto'

import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, type Context, inTransaction, type NewEvent } from '../../../context.ts'
import { type TestApp, testApp } from '../../../testing/app.ts'
import { startReceiver } from '../../../testing/receiver.ts'
import { openShop, type Shop } from '../../../testing/shop.ts'
import { createDispatcher } from '../sending/dispatcher.ts'
import { readFeed } from './feed.ts'
import { publicKeys } from '../signing/signing-keys.ts'

const REFERENCE = '01920000-0000-7000-8000-000000000001'

let app: TestApp
let key: string
let shop: Shop
let other: Shop

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  other = await openShop(app, key, 'Other')
})
afterAll(() => app.stop())
beforeEach(() => sql`DELETE FROM events`.execute(app.ctx.db))

const event = (n: number, more: Partial<NewEvent> = {}): NewEvent => ({
  type: 'payment.filled',
  projectId: shop.projectId,
  sequence: n,
  payload: { n },
  ...more,
})
const emit = (one: NewEvent, ctx: Context = asSystem(app.ctx)) => inTransaction(ctx, (tx) => tx.events.emit(tx, one))
const read = (query: object = {}, options: object = { key }, p = shop.p) =>
  app.call(webhooksRoutes.listEvents, { params: { p }, query }, options)
const numbers = (events: readonly { payload: Record<string, unknown> }[]) => events.map(({ payload }) => payload.n)

/** A transaction that emits and stays open until it is told to end. */
function openEmitter(one: NewEvent) {
  const [emitted, ending] = [Promise.withResolvers<void>(), Promise.withResolvers<'commit' | 'rollback'>()]
  const ended = inTransaction(asSystem(app.ctx), async (ctx) => {
    await ctx.events.emit(ctx, one)
    emitted.resolve()
    if ((await ending.promise) === 'rollback') throw new Error('rolled back')
  }).catch(() => undefined)
  const end = async (how: 'commit' | 'rollback') => {
    ending.resolve(how)
    await ended
  }
  return { emitted: emitted.promise, end }
}

describe('webhooks.listEvents', () => {
  it('returns the events of endpoints, oldest first, and continues at the reader’s cursor', async () => {
    const first = await emit(event(1, { referenceId: REFERENCE, payload: { n: 1, status: 'FILLED' } }))
    await emit(event(2))
    const { body } = await read({ limit: 1 })
    expect(body.data).toEqual([
      {
        id: first.eventId,
        sequence: 1,
        type: 'payment.filled',
        createdAt: first.createdAt,
        payload: { n: 1, status: 'FILLED', event_type: 'payment.filled', event_id: first.eventId, sequence: 1 },
      },
    ])
    const next = await read({ cursor: body.nextCursor })
    expect(numbers(next.body.data)).toEqual([2])
    const end = await read({ cursor: next.body.nextCursor })
    expect(end.body.data).toEqual([])
    await emit(event(3))
    expect(numbers((await read({ cursor: end.body.nextCursor })).body.data)).toEqual([3])
  })

  it('reads back from the newest, page by page, to the first', async () => {
    for (const n of [1, 2, 3]) await emit(event(n))
    const newest = await read({ order: 'newest', limit: 2 })
    expect(numbers(newest.body.data)).toEqual([3, 2])
    await emit(event(4))
    const older = await read({ order: 'newest', limit: 2, cursor: newest.body.nextCursor })
    expect(numbers(older.body.data)).toEqual([1])
    expect(older.body.nextCursor).toBeNull()
    expect((await read({ cursor: newest.body.nextCursor })).refusal?.code).toBe('CURSOR_INVALID')
    expect((await read({ order: 'sideways' })).refusal?.fields).toHaveProperty('order')
  })

  it('waits newest first too for an event that commits late', async () => {
    await emit(event(1))
    const late = openEmitter(event(2))
    await late.emitted
    await emit(event(3))
    expect(numbers((await read({ order: 'newest' })).body.data)).toEqual([1])
    await late.end('commit')
    expect(numbers((await read({ order: 'newest' })).body.data)).toEqual([3, 2, 1])
  })

  it('has nothing to go on from before anything happened', async () => {
    expect((await read()).body).toEqual({ data: [], nextCursor: null })
  })

  it('chooses by type and payment, and leaves administration out', async () => {
    await emit(event(1, { referenceId: REFERENCE }))
    await emit(event(2, { type: 'payment.cancelled' }))
    await emit(event(3, { type: 'webhook.changed' }))
    expect(numbers((await read()).body.data)).toEqual([1, 2])
    expect(numbers((await read({ types: ['payment.cancelled'] })).body.data)).toEqual([2])
    expect(numbers((await read({ referenceID: REFERENCE })).body.data)).toEqual([1])
  })

  it('shows a key its own project, and an operator those that are visible', async () => {
    await emit(event(1))
    await emit(event(2, { projectId: other.projectId }))
    expect(numbers((await read({}, { key: shop.apiKey }, 'all')).body.data)).toEqual([1])
    expect(numbers((await read({}, { key }, 'all')).body.data)).toEqual([1, 2])
    expect((await read({}, { key: other.apiKey })).refusal?.code).toBe('PROJECT_NOT_FOUND')
  })

  it('refuses a cursor of another filter, unknown types and references', async () => {
    await emit(event(1))
    const { nextCursor } = (await read()).body
    expect((await read({ cursor: nextCursor, types: ['payment.filled'] })).refusal?.code).toBe('CURSOR_INVALID')
    expect((await read({ cursor: 'AAAA' })).refusal?.code).toBe('CURSOR_INVALID')
    expect((await read({ types: ['project.changed'] })).refusal?.code).toBe('EVENT_UNKNOWN')
    expect((await read({ referenceID: 'INV-1' })).refusal?.fields).toHaveProperty('referenceID')
  })

  it('waits for an event that commits late, and shows it in its place', async () => {
    await emit(event(1))
    const late = openEmitter(event(2))
    await late.emitted
    await emit(event(3))
    const before = await read()
    expect(numbers(before.body.data)).toEqual([1])
    await late.end('commit')
    expect(numbers((await read({ cursor: before.body.nextCursor })).body.data)).toEqual([2, 3])
  })

  it('continues after a transaction that never commits', async () => {
    const lost = openEmitter(event(1))
    await lost.emitted
    await emit(event(2))
    expect((await read()).body.data).toEqual([])
    await lost.end('rollback')
    expect(numbers((await read()).body.data)).toEqual([2])
  })

  it('takes one lock however many events a transaction emits', async () => {
    await inTransaction(asSystem(app.ctx), async (ctx) => {
      for (let n = 1; n <= 50; n += 1) await ctx.events.emit(ctx, event(n))
      const { rows } = await sql<{ n: number }>`
        SELECT count(*)::int AS n FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()`.execute(ctx.db)
      expect(rows).toEqual([{ n: 1 }])
    })
  })

  it('skips nothing and repeats nothing, for every order of commits', { timeout: 60_000 }, async () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('emit' as const) }),
      fc.record({ do: fc.constant('open' as const) }),
      fc.record({ do: fc.constantFrom('commit' as const, 'rollback' as const), which: fc.nat(3) }),
      fc.record({ do: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 3 }) }),
    )
    const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      await sql`DELETE FROM events`.execute(app.ctx.db)
      const ctx = asSystem(app.ctx)
      const open: { n: number; emitter: ReturnType<typeof openEmitter> }[] = []
      const committed: number[] = []
      const seen: unknown[] = []
      let n = 0
      let cursor: string | undefined
      const readOn = async (limit: number) => {
        const page = await readFeed(ctx, { projectIds: [shop.projectId], cursor, limit })
        seen.push(...numbers(page.data))
        cursor = page.nextCursor ?? undefined
        return page.data.length
      }
      const end = async (how: 'commit' | 'rollback', which: number) => {
        const [one] = open.splice(which % Math.max(1, open.length), 1)
        await one?.emitter.end(how)
        if (one && how === 'commit') committed.push(one.n)
      }
      for (const one of steps) {
        if (one.do === 'read') await readOn(one.limit)
        else if (one.do === 'emit') await emit(event((n += 1))).then(() => committed.push(n))
        else if (one.do !== 'open') await end(one.do, one.which)
        else if (open.length < 4) {
          const emitter = openEmitter(event((n += 1)))
          await emitter.emitted
          open.push({ n, emitter })
        }
      }
      while (open.length > 0) await end('commit', 0)
      while ((await readOn(3)) > 0);
      expect(seen).toEqual(committed.toSorted((a, b) => a - b))
    })
    await fc.assert(property, { numRuns: 40 })
  })
})

describe('webhooks.getWebhookKeys', () => {
  it('gives anybody the key that the v1a signatures of deliveries check with', async () => {
    const receiver = await startReceiver()
    const input = { params: { p: shop.p }, body: { url: receiver.url } }
    await app.call(webhooksRoutes.createWebhook, input, { key })
    await emit(event(1))
    const worker = createDispatcher(asSystem(app.ctx))
    await worker.sweep()
    await worker.idle()
    await receiver.close()
    const { status, body } = await app.call(webhooksRoutes.getWebhookKeys, {})
    expect([status, body.keys.map(({ until }) => until)]).toEqual([200, [null]])
    const [request] = receiver.requests
    const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = request?.headers ?? {}
    const signature = /(?:^| )v1a,(\S+)/.exec(String(signatures))?.[1] ?? ''
    const raw = Buffer.from(body.keys[0]?.publicKey.replace(/^whpk_/, '') ?? '', 'base64')
    expect(raw).toHaveLength(32)
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
    const text = [String(id), String(time), request?.body].join('.')
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    expect(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))).toBe(true)
    expect(verify(null, Buffer.from(`${text} `), publicKey, Buffer.from(signature, 'base64'))).toBe(false)
  })

  it('makes one key, also when several ask first at once', async () => {
    await sql`DELETE FROM webhook_keys`.execute(app.ctx.db)
    const worlds = Array.from({ length: 4 }, () => ({ ...app.ctx, memory: new Map() }))
    const found = await Promise.all(worlds.map((ctx) => publicKeys(asSystem(ctx))))
    expect(new Set(found.map(([first]) => first?.public_key)).size).toBe(1)
  })
})

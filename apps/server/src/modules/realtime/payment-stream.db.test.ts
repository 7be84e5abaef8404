import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { streamPayment } from './payment-stream.ts'

let app: TestApp
let operator: string
let shop: Shop
let reference: string
let base: string
let isStopped: boolean
const requests: ClientRequest[] = []

beforeEach(async () => {
  isStopped = false
  app = await testApp()
  operator = await app.signUp()
  shop = await openShop(app, operator)
  reference = await makePayment('c-1')
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  base = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/api/v1/payment/reference`
})
afterEach(async () => {
  for (const request of requests.splice(0)) request.destroy()
  if (!isStopped) await app.stop()
})

async function makePayment(customerID: string): Promise<string> {
  const body = { customerID, customerEmail: 'payer@shop.example', amountInUSD: '5' }
  return (await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })).body.reference_id
}
/** The program's context, which counts what is asked of the database through it. */
function counting() {
  let statements = 0
  const db = app.ctx.db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { ctx: { ...app.ctx, db }, statements: () => statements }
}

const cancel = () =>
  app.call(paymentsRoutes.cancelPaymentByReference, { params: { ref: reference }, body: {} }, { key: shop.apiKey })

type Stream = {
  readonly response: IncomingMessage
  /** The next `payment` event. */
  readonly next: () => Promise<Record<string, unknown>>
  readonly ended: Promise<void>
  readonly leave: () => void
}

async function open(ref = reference): Promise<Stream> {
  const request = get(`${base}/${ref}/stream`)
  requests.push(request)
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request.once('response', resolve).once('error', reject),
  )
  request.on('error', () => undefined)
  let text = ''
  let wake = () => undefined as void
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part
    wake()
  })
  response.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => response.once('close', () => resolve()))
  const next = async (): Promise<Record<string, unknown>> => {
    for (;;) {
      const [, data] = /event: payment\ndata: (.*)\n\n/.exec(text) ?? []
      if (data !== undefined) {
        text = text.slice(text.indexOf(data) + data.length)
        return JSON.parse(data) as Record<string, unknown>
      }
      await new Promise<void>((resolve) => void (wake = resolve))
    }
  }
  return { response, next, ended, leave: () => request.destroy() }
}

describe('realtime.streamPayment', () => {
  it('begins with the payment as it is, and sends every change', async () => {
    const { response, next } = await open()
    expect([response.statusCode, response.headers['content-type'], response.headers['cache-control']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ])
    expect(await next()).toMatchObject({ referenceID: reference, paymentState: 'OPEN' })
    await cancel()
    expect(await next()).toMatchObject({ referenceID: reference, paymentState: 'CANCELLED' })
  })

  it('sends every change also to who writes the reference in capitals', async () => {
    const stream = await open(reference.toUpperCase())
    expect(await stream.next()).toMatchObject({ referenceID: reference, paymentState: 'OPEN' })
    await cancel()
    expect(await stream.next()).toMatchObject({ paymentState: 'CANCELLED' })
  })

  it('sends the later end of a link that an operator extends', async () => {
    const { next } = await open()
    const { expiresAt } = await next()
    const params = { p: shop.p, ref: reference }
    await app.call(paymentsRoutes.extendPayment, { params, body: { expiresInMinutes: 60 } }, { key: operator })
    const extended = await next()
    expect(Date.parse(String(extended.expiresAt))).toBeGreaterThan(Date.parse(String(expiresAt)))
  })

  it('answers HEAD with the head alone, and holds no stream open', async () => {
    for (let n = 0; n < 5; n += 1) {
      const answer = await fetch(`${base}/${reference}/stream`, { method: 'HEAD', signal: AbortSignal.timeout(5_000) })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
    }
  })

  it('is silent about other payments', async () => {
    const { next } = await open()
    await next()
    await makePayment('c-2')
    await cancel()
    expect(await next()).toMatchObject({ referenceID: reference, paymentState: 'CANCELLED' })
  })

  it('refuses an unknown reference', async () => {
    const { response } = await open('01920000-0000-7000-8000-000000000000')
    expect(response.statusCode).toBe(401)
  })

  it('takes three streams of one payment from one address; one that leaves makes room', async () => {
    const streams = [await open(), await open(), await open()]
    for (const stream of streams) await stream.next()
    const fourth = await open()
    expect([fourth.response.statusCode, fourth.response.headers['retry-after']]).toEqual([429, '60'])
    const other = await open(await makePayment('c-3'))
    expect(other.response.statusCode).toBe(200)
    streams[0]?.leave()
    await expect.poll(async () => (await open()).response.statusCode, { timeout: 3000 }).toBe(200)
  })

  it('reads the payment once per change, however many follow it', async () => {
    const { ctx, statements } = counting()
    const alone = (await streamPayment(ctx, reference, '10.0.0.1'))[Symbol.asyncIterator]()
    await alone.next()
    const once = statements()
    const others = await Promise.all(
      Array.from({ length: 39 }, async (_, n) =>
        (await streamPayment(ctx, reference, `10.0.1.${n}`))[Symbol.asyncIterator](),
      ),
    )
    await Promise.all(others.map((one) => one.next()))
    const changed = [alone, ...others].map((one) => one.next())
    await cancel()
    const states = (await Promise.all(changed)).map(({ value }) => (value as { paymentState: string }).paymentState)
    expect(new Set(states)).toEqual(new Set(['CANCELLED']))
    for (const one of [alone, ...others]) await one.return?.()
    // Creating and cancelling it may each have been announced meanwhile.
    expect(statements()).toBeLessThanOrEqual(4 * once)
  })

  it('begins with what the database holds, also when the notification of a change was lost', async () => {
    const first = (await streamPayment(app.ctx, reference, '10.0.0.1'))[Symbol.asyncIterator]()
    await first.next()
    await sql`UPDATE payments SET description = 'Changed unheard' WHERE reference_id = ${reference}`.execute(app.ctx.db)
    await sleep(1_100)
    const second = (await streamPayment(app.ctx, reference, '10.0.0.2'))[Symbol.asyncIterator]()
    expect((await second.next()).value).toMatchObject({ description: 'Changed unheard' })
    for (const one of [first, second]) await one.return?.()
  })

  it('takes fifty streams of one payment from all addresses', async () => {
    const streams = await Promise.all(
      Array.from({ length: 50 }, (_, n) => streamPayment(app.ctx, reference, `10.0.1.${n}`)),
    )
    const another = { code: 'RATE_LIMITED', retryAfter: 60 }
    await expect(streamPayment(app.ctx, reference, '10.0.2.1')).rejects.toMatchObject(another)
    await streams[0]?.[Symbol.asyncIterator]().return?.()
    const next = await streamPayment(app.ctx, reference, '10.0.2.1')
    for (const stream of [...streams, next]) await stream[Symbol.asyncIterator]().return?.()
  })

  it('ends with the server, at once', async () => {
    const { next, ended } = await open()
    await next()
    const started = Date.now()
    isStopped = true
    await app.stop()
    await ended
    expect(Date.now() - started).toBeLessThan(4000)
  })
})

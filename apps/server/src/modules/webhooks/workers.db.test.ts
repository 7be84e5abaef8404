import { type AddressInfo, createServer, type Socket } from 'node:net'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { asSystem, inTransaction } from '../../context.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

let app: TestApp
let key: string
let shop: Shop
const receivers: Receiver[] = []
let payments = 0

beforeEach(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await app.stop()
})

const endpoint = async (body: object = {}) => {
  const receiver = await startReceiver()
  receivers.push(receiver)
  const made = await app.call(
    webhooksRoutes.createWebhook,
    { params: { p: shop.p }, body: { url: receiver.url, ...body } },
    { key },
  )
  return { receiver, secret: made.body.secret ?? '' }
}
const happen = (count: number) =>
  inTransaction(asSystem(app.ctx), async (ctx) => {
    for (let n = 0; n < count; n += 1) {
      const orderKey = `payment ${(payments += 1)}`
      await ctx.events.emit(ctx, {
        type: 'payment.filled',
        projectId: shop.projectId,
        orderKey,
        sequence: 1,
        payload: {},
      })
    }
  })

/** A server that sends its answer's head a byte at a time, and never to its end. */
async function trickle() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).resume())
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ')
    const timer = setInterval(() => socket.write('x'), 100)
    socket.on('close', () => clearInterval(timer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

describe('webhooks: the whole way', () => {
  it('sends a merchant the payload of a payment', async () => {
    const { receiver, secret } = await endpoint({ events: ['payment.created', 'payment.cancelled'] })
    await app.start('worker')
    const body = { customerID: 'c-1', customerEmail: 'payer@shop.example', amountInUSD: '12.5', invoiceID: 'INV-1' }
    const { body: payment } = await app.call(paymentsRoutes.createPayment, { body }, { key: shop.apiKey })
    await app.call(
      paymentsRoutes.cancelPaymentByReference,
      { params: { ref: payment.reference_id }, body: {} },
      { key: shop.apiKey },
    )
    const requests = await receiver.hears(2)
    const messages = requests.map((request) => {
      expect(request.body).not.toContain('": ')
      return new Webhook(secret).verify(request.body, request.headers as Record<string, string>) as object
    })
    expect(messages).toMatchObject([
      { event_type: 'payment.created', status: 'OPEN', sequence: 1 },
      { event_type: 'payment.cancelled', status: 'CANCELLED', sequence: 2, previous_status: 'OPEN' },
    ])
    expect(messages[0]).toMatchObject({
      reference_id: payment.reference_id,
      invoice_id: 'INV-1',
      customer_id: 'c-1',
      customer_email: 'payer@shop.example',
      amount: '12.5',
      amount_in_usd: '12.5',
      filled_amount: '0',
      currency: 'USD',
      payment_info: [],
      project_id: shop.projectId,
      event_id: requests[0]?.headers['webhook-id'],
    })
    expect(Object.keys(messages[0] ?? {}).toSorted()).toEqual(
      [
        ...['reference_id', 'invoice_id', 'customer_id', 'customer_email', 'status', 'amount', 'filled_amount'],
        ...['filled_amount_in_usd', 'currency', 'timestamp', 'confirmation_current', 'confirmation_required'],
        ...['payment_info', 'event_type', 'event_id', 'sequence', 'amount_in_usd', 'amount_due', 'amount_overpaid'],
        ...['network', 'funding_state', 'cancel_reason', 'late', 'previous_status', 'project_id', 'metadata', 'test'],
      ].toSorted(),
    )
  })

  it('is not delayed by dead endpoints: refused, silent, or answering a byte at a time', async () => {
    const silent = await Promise.all([endpoint(), endpoint(), endpoint()])
    for (const { receiver } of silent) receiver.answerWith('silence')
    const trickling = await trickle()
    for (const url of [`${trickling.url}/1`, `${trickling.url}/2`, 'http://127.0.0.1:9/1', 'http://127.0.0.1:9/2']) {
      await app.call(webhooksRoutes.createWebhook, { params: { p: shop.p }, body: { url } }, { key })
    }
    const { receiver } = await endpoint()
    await app.start('worker')
    // What is due for the dead ones fills their places first.
    await happen(20)
    await receiver.hears(20)
    const delays: number[] = []
    for (let n = 21; n <= 40; n += 1) {
      await happen(1)
      const committed = performance.now()
      await receiver.hears(n)
      delays.push(performance.now() - committed)
    }
    trickling.close()
    expect(Math.max(...delays)).toBeLessThan(1000)
    expect(silent.every((one) => one.receiver.requests.length <= 1)).toBe(true)
  })

  it('gives an endpoint one request until it has answered, then at most eight at a time', async () => {
    const { receiver } = await endpoint()
    receiver.answerWith('silence')
    await app.start('worker')
    await happen(30)
    await receiver.hears(1)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(receiver.requests).toHaveLength(1)
    receiver.answerPending({ status: 200 })
    await receiver.hears(9)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(receiver.requests).toHaveLength(9)
    receiver.answerWith({ status: 200 })
    receiver.answerPending({ status: 200 })
    await receiver.hears(30)
  })
})

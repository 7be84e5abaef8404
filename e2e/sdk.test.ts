import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { Payram } from 'payram'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type ReceivedRequest, type Receiver, startReceiver } from '../apps/server/src/testing/receiver.ts'
import { installedLayout } from './installed.ts'
import { clearLayout, type Instance, type Layout, startInstance } from './instance.ts'
import { openShop, pay, settled, type Shop } from './shop.ts'
import { until } from './until.ts'

/** The keys of api.md 6.2: those existing receivers read, then those of Kassa. */
const BODY_KEYS = [
  ...['reference_id', 'invoice_id', 'customer_id', 'customer_email', 'status', 'amount', 'filled_amount'],
  ...['filled_amount_in_usd', 'currency', 'timestamp', 'confirmation_current', 'confirmation_required', 'payment_info'],
  ...['event_type', 'event_id', 'sequence', 'amount_in_usd', 'amount_due', 'amount_overpaid', 'network'],
  ...['funding_state', 'cancel_reason', 'late', 'previous_status', 'project_id', 'metadata', 'test'],
]

type Body = Readonly<Record<string, unknown>>

let layout: Layout
let instance: Instance
let shop: Shop

beforeAll(async () => {
  layout = await installedLayout()
  instance = await startInstance(layout)
  shop = await openShop(instance.url)
})

afterAll(async () => {
  await instance?.stop()
  clearLayout(layout)
})

function sdk(apiKey: string): Payram {
  return new Payram({ apiKey, baseUrl: instance.url, config: { allowInsecureHttp: true } })
}

function bodyOf({ body }: ReceivedRequest): Body {
  return JSON.parse(body) as Body
}

describe('the published package payram, as its users install it', () => {
  it('creates a payment and reads it back filled after a real transfer', async () => {
    const payram = sdk(shop.apiKey)
    const created = await payram.payments.initiatePayment({
      customerEmail: 'sdk@mail.example',
      customerId: 'sdk-1',
      amountInUSD: 49.99,
    })
    expect(created.url).toContain(`${instance.url}/payments?reference_id=${created.reference_id}`)
    expect((await fetch(created.url)).status).toBe(200)
    expect((await payram.payments.getPaymentRequest(created.reference_id)).paymentState).toBe('OPEN')

    const { txHash } = await pay(shop, created.reference_id, 'exact', { blockchainCode: 'BASE', currencyCode: 'USDC' })
    const filled = await until(
      'the SDK to read FILLED',
      () => payram.payments.getPaymentRequest(created.reference_id),
      ({ paymentState }) => paymentState === 'FILLED',
    )
    expect(filled).toMatchObject({ filledAmount: '49.99', currencySymbol: 'USDC', blockchainSymbol: 'BASE' })
    expect(filled.explorerTransaction).toContain(txHash)
  })

  it('is refused once its key is revoked', async () => {
    const { id, key } = await shop.operator(apiKeysRoutes.createApiKey, {
      params: { p: shop.project },
      body: { name: 'Short-lived' },
    })
    await shop.operator(apiKeysRoutes.revokeApiKey, { params: { p: shop.project, id } })
    const call = sdk(key ?? '').payments.initiatePayment({
      customerEmail: 'a@b.example',
      customerId: '1',
      amountInUSD: 1,
    })
    await expect(call).rejects.toMatchObject({ status: 401 })
  })
})

describe('a webhook endpoint', () => {
  let receiver: Receiver
  let secret: string
  let accessKey: string

  beforeAll(async () => {
    receiver = await startReceiver()
    // The first message is lost once, as it is when a shop restarts.
    receiver.answerWith(() => ({ status: receiver.requests.length === 1 ? 503 : 200 }))
    const endpoint = await shop.operator(webhooksRoutes.createWebhook, {
      params: { p: shop.project },
      body: { url: receiver.url },
    })
    secret = endpoint.secret ?? ''
    accessKey = endpoint.access_key ?? ''
  })

  afterAll(() => receiver.close())

  it('receives the events of a payment in order, each message signed, with every key receivers read', async () => {
    const { reference_id } = await sdk(shop.apiKey).payments.initiatePayment({
      customerEmail: 'told@mail.example',
      customerId: 'told-1',
      amountInUSD: 12,
    })
    await pay(shop, reference_id, 'under', { blockchainCode: 'ETH', currencyCode: 'USDC' })
    await settled(shop, reference_id, 'PARTIALLY_FILLED')
    await pay(shop, reference_id, 'exact')
    await settled(shop, reference_id, 'FILLED')
    // Five, the first of them twice.
    const messages = await receiver.hears(5)

    const bodies = messages.map(bodyOf)
    expect(bodies.map(({ event_type }) => event_type)).toEqual([
      'payment.detected',
      'payment.detected',
      'payment.partially_filled',
      'payment.detected',
      'payment.filled',
    ])
    expect(messages[1]?.body).toBe(messages[0]?.body)
    const sequences = bodies.slice(1).map(({ sequence }) => Number(sequence))
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(new Set(sequences).size).toBe(4)

    const oracle = new Webhook(secret)
    for (const { headers, body: text } of messages) {
      const body = oracle.verify(text, headers as Record<string, string>) as Body
      expect(Object.keys(body).toSorted()).toEqual(BODY_KEYS.toSorted())
      expect(body).toMatchObject({ reference_id, event_id: headers['webhook-id'], customer_id: 'told-1', test: true })
      expect(headers).toMatchObject({ 'api-key': accessKey, 'content-type': 'application/json' })
      expect(headers['user-agent']).toMatch(/^Kassa-Webhooks\//)
    }
    expect(bodies.at(-1)).toMatchObject({ status: 'FILLED', filled_amount: '12', currency: 'USDC', network: 'ETH' })
    expect(bodies.at(-1)?.['payment_info']).toHaveLength(2)
  })

  it('refuses a forged message: the signature covers every byte', () => {
    const [message] = receiver.requests
    const forged = message?.body.replace('"amount_in_usd":"12"', '"amount_in_usd":"13"') ?? ''
    expect(forged).not.toBe(message?.body)
    expect(() => new Webhook(secret).verify(forged, message?.headers as Record<string, string>)).toThrow(
      'No matching signature found',
    )
  })

  it('is understood by the receiver of the published package', async () => {
    const message = receiver.requests.at(-1)
    if (!message) throw new Error('Nothing arrived')
    const received: string[] = []
    const handle = sdk(accessKey).webhooks.next.app(({ reference_id, status }) => {
      received.push(reference_id, status)
    })
    const answer = await handle(
      new Request(receiver.url, {
        method: 'POST',
        headers: message.headers as Record<string, string>,
        body: message.body,
      }),
    )
    expect(answer.status).toBe(200)
    expect(received).toEqual([bodyOf(message)['reference_id'], 'FILLED'])
  })
})

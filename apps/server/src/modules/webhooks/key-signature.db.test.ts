import { createHmac } from 'node:crypto'

import { apiKeysRoutes } from '@kassa/contract/api-keys/routes.ts'
import { webhooksRoutes } from '@kassa/contract/webhooks/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { type Receiver, startReceiver } from '../../testing/receiver.ts'
import { openShop, type Shop } from '../../testing/shop.ts'
import { listTargets } from './sending/claim-store.ts'
import { findNewestKeyStates } from './signing/key-store.ts'

let app: TestApp
let key: string
let shop: Shop
let receiver: Receiver
let id: number

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  receiver = await startReceiver()
  const created = await app.call(
    webhooksRoutes.createWebhook,
    { params: { p: shop.p }, body: { url: receiver.url } },
    { key },
  )
  id = created.body.id
})
afterAll(async () => {
  await receiver.close()
  await app.stop()
})

/** What the receiver got beside the body of a ping, and what it has to be with this key. */
async function ping(apiKey: string): Promise<{ header: unknown; expected: string }> {
  await app.call(webhooksRoutes.testWebhook, { params: { p: shop.p, id }, body: {} }, { key })
  const request = receiver.requests.at(-1)
  const expected = `sha256=${createHmac('sha256', apiKey)
    .update(request?.body ?? '')
    .digest('hex')}`
  return { header: request?.headers['x-payram-signature'], expected }
}
const secrets = async () =>
  (await sql`SELECT id FROM secrets WHERE kind = 'api_key_hmac'`.execute(app.ctx.db)).rows.length

describe('webhooks: X-Payram-Signature (api.md 6.3)', () => {
  it('signs the raw body with the newest valid API key, which is not stored', async () => {
    const first = await ping(shop.apiKey)
    expect(first.header).toBe(first.expected)
    const params = { p: shop.p }
    const newer = await app.call(apiKeysRoutes.createApiKey, { params, body: { name: 'newer' } }, { key })
    const second = await ping(newer.body.key ?? '')
    expect(second.header).toBe(second.expected)
    const [target] = await listTargets(app.ctx, { projectIds: [shop.projectId], webhookIds: [] })
    expect(target?.hmac_ref).toBe(await findNewestKeyStates(app.ctx, shop.projectId))

    const before = await secrets()
    await app.call(apiKeysRoutes.revokeApiKey, { params: { p: shop.p, id: newer.body.id } }, { key })
    expect(await secrets()).toBe(before - 1)
    const third = await ping(shop.apiKey)
    expect(third.header).toBe(third.expected)
  })

  it('is absent where the newest key was made before, and where legacy headers are off', async () => {
    await sql`UPDATE webhooks SET legacy_headers = false WHERE id = ${id}`.execute(app.ctx.db)
    expect((await ping('')).header).toBeUndefined()
    await sql`UPDATE webhooks SET legacy_headers = true WHERE id = ${id}`.execute(app.ctx.db)
    expect((await ping('')).header).toMatch(/^sha256=[0-9a-f]{64}$/)
    await sql`UPDATE api_keys SET hmac_ref = NULL`.execute(app.ctx.db)
    expect((await ping('')).header).toBeUndefined()
  })
})

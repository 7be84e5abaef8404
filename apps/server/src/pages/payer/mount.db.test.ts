import { fail } from '@kassa/contract/kit/api-error.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { forgetBucketsJob } from '../../http/rate-limit/jobs.ts'
import { createRateLimiter, rateSubject } from '../../http/rate-limit/rate-limit.ts'
import { createServer } from '../../http/server.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { mountCheckout } from './mount.ts'

let app: TestApp
let pages: FastifyInstance

beforeAll(async () => {
  app = await testApp({ now: new Date('2026-01-31T09:30:00Z') })
  pages = await createServer(app.ctx, { origins: async () => [] })
  const limiter = createRateLimiter()
  const drawn = () => ({ html: '<p>Drawn</p>', styleHashes: [] })
  const notDrawn = () => fail('INTERNAL_ERROR')
  const draw = {
    unknown: drawn,
    fault: drawn,
    readChoice: () => null,
    addresses: notDrawn,
    hasReceipt: notDrawn,
    onlyOption: notDrawn,
  }
  await mountCheckout(
    pages,
    app.ctx,
    { ...draw, checkout: notDrawn, receipt: notDrawn, receiptMail: notDrawn, refund: notDrawn },
    {
      load: async () => fail('PAYMENT_REFERENCE_UNKNOWN'),
      choose: async () => fail('PAYMENT_REFERENCE_UNKNOWN'),
      diagnose: async () => fail('PAYMENT_REFERENCE_UNKNOWN'),
      claim: async () => fail('PAYMENT_REFERENCE_UNKNOWN'),
      mailReceipt: async () => fail('PAYMENT_REFERENCE_UNKNOWN'),
      payWithTestMoney: async () => fail('PAYMENT_REFERENCE_UNKNOWN'),
      siteUrl: async () => null,
      proofKey: async () => fail('INTERNAL_ERROR'),
      limit: (ctx, rate, ip, reference) => limiter(ctx, rate, rateSubject(null, ip), reference),
    },
  )
})
afterAll(async () => {
  await pages.close()
  await app.stop()
})

const send = (method: 'GET' | 'POST', url: string, remoteAddress: string) =>
  pages.inject({
    method,
    url,
    remoteAddress,
    ...(method === 'POST' && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' }),
  })

describe('pages.checkout', () => {
  it.each([
    ['GET', '/payments', 60],
    ['GET', '/success', 60],
    ['POST', '/pay', 30],
    ['POST', '/success', 30],
  ] as const)(
    'answers %s %s to one address as often as the routes behind it: %i at once',
    async (method, path, burst) => {
      const from = `203.0.113.${path.length}`
      // Each is about another payment, which has a limit of its own.
      const url = (n: number) => `${path}?reference_id=unknown${n}`
      for (let n = 0; n < burst; n += 1) expect((await send(method, url(n), from)).statusCode).toBe(404)
      const refused = await send(method, url(burst), from)
      expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
      expect((await send(method, url(burst), '198.51.100.1')).statusCode).toBe(404)
    },
  )

  it('lets 20 writes about one payment through, from however many addresses, and others go on', async () => {
    const write = (n: number, reference: string) =>
      send('POST', `/pay?reference_id=${reference}`, `192.0.2.${n}`).then(({ statusCode }) => statusCode)
    for (let n = 0; n < 20; n += 1) expect(await write(n, 'shared')).toBe(404)
    expect([await write(20, 'shared'), await write(20, 'other')]).toEqual([429, 404])
    expect((await send('GET', '/payments?reference_id=shared', '192.0.2.20')).statusCode).toBe(404)
  })
})

describe('rateLimit.jobs', () => {
  it('forgets shared buckets that are full again', async () => {
    await sql`INSERT INTO rate_buckets (bucket, tokens, filled_at) VALUES
      ('auth:ip:old', 0, ${new Date('2026-01-30T09:00:00Z')}), ('auth:ip:new', 0, ${new Date('2026-01-31T09:00:00Z')})`.execute(
      app.ctx.db,
    )
    await forgetBucketsJob.run(app.ctx, {})
    const { rows } = await sql<{ bucket: string }>`SELECT bucket FROM rate_buckets`.execute(app.ctx.db)
    expect(rows).toEqual([{ bucket: 'auth:ip:new' }])
  })
})

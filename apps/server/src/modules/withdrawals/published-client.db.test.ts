import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { sql } from 'kysely'
import { Payram } from 'payram'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { PAYEE, payoutShop } from '../../testing/money-out/payouts.ts'

let app: TestApp
let shop: Awaited<ReturnType<typeof payoutShop>>
let proxy: Server
/** How many answers are still lost on their way back. */
let toLose = 0
let passed = 0

const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  app = await testApp()
  shop = await payoutShop(app, await app.signUp())
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const target = portOf(app.http.server)
  proxy = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
      passed += 1
      // The server has committed by now; the client learns nothing of it.
      if (toLose > 0) {
        toLose -= 1
        answer.resume()
        incoming.socket.destroy()
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(forwarded)
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await app.stop()
})

describe('payouts through the published client', () => {
  it(
    'makes one payout when it repeats a create blindly, twice, after the commit (D-8)',
    { timeout: 60_000 },
    async () => {
      toLose = 2
      const baseUrl = `http://127.0.0.1:${portOf(proxy)}`
      const config = { allowInsecureHttp: true, maxRetries: 5, retryPolicy: 'aggressive', timeoutMs: 20_000 } as const
      const payram = new Payram({ apiKey: shop.apiKey, baseUrl, config })
      const payout = await payram.payouts.createPayout({
        email: 'payee@example.com',
        blockchainCode: 'ETH',
        currencyCode: 'USDC',
        amount: '12.5',
        toAddress: PAYEE,
      })
      expect(passed).toBe(3)
      expect(payout).toMatchObject({ status: 'pending-approval', amount: '12.5', toAddress: PAYEE })
      const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM withdrawals`.execute(app.ctx.db)
      expect(rows).toEqual([{ n: 1 }])
      expect(await payram.payouts.getPayoutById(Number(payout.id))).toMatchObject({ id: payout.id })
    },
  )
})

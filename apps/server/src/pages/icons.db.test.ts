import { BLOCKCHAINS } from '@kassa/primitives/chains/blockchains.ts'
import { CURRENCIES } from '@kassa/primitives/chains/currencies.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../testing/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

describe('/images/icons', () => {
  it('has a picture of every currency and network', async () => {
    for (const code of new Set([...CURRENCIES, ...BLOCKCHAINS].map((one) => one.code))) {
      const { statusCode, headers, rawPayload } = await app.http.inject(`/images/icons/${code}.png`)
      expect([code, statusCode, headers['content-type']]).toEqual([code, 200, 'image/png'])
      expect(rawPayload.subarray(1, 4).toString()).toBe('PNG')
    }
  })

  it('has no other', async () => {
    for (const name of ['XYZ.png', 'usdc.png', 'New.png', 'constructor.png', 'USDC', '..%2fUSDC.png']) {
      expect((await app.http.inject(`/images/icons/${name}`)).statusCode).toBe(404)
    }
  })
})

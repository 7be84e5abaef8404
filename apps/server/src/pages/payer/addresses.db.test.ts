import { createPublicKey, verify } from 'node:crypto'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findBlockchain } from '../../modules/blockchains/chains/service.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

let app: TestApp
let shop: Shop

beforeAll(async () => {
  app = await testApp()
  shop = await openShop(app, await app.signUp())
  await fakeChain(app.ctx, (await findBlockchain(app.ctx, 'BASE'))?.id ?? 0)
})
afterAll(() => app.stop())

const open = (url: string, headers = {}) => app.http.inject({ url, headers })
const policyOf = (headers: Record<string, unknown>) => String(headers['content-security-policy']).split('; ')

describe('pages: addresses', () => {
  it('asks only this server, with the key its proofs are checked with', async () => {
    const { reference_id: ref } = (
      await app.call(
        paymentsRoutes.createPayment,
        { body: { customerID: 'c', customerEmail: 'payer@shop.example', amountInUSD: '25' } },
        { key: shop.apiKey },
      )
    ).body
    const assigned = await app.call(paymentsRoutes.pinPayment, {
      params: { ref },
      body: { blockchain_code: 'BASE', currency_code: 'USDC' },
    })
    const { Address, proof } = assigned.body
    const { statusCode, headers, payload } = await open(`/addresses?reference_id=${ref}&address=${Address}`)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(policyOf(headers)).toEqual(expect.arrayContaining(["connect-src 'self'", "script-src 'self'"]))
    expect(payload).toContain(`value="${Address}"`)
    const x = Buffer.from(/data-key="([^"]+)"/.exec(payload)?.[1] ?? '', 'base64').toString('base64url')
    const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    const message = Buffer.from(`kassa address proof 1\n${ref}\nBASE\n${Address}`)
    expect(verify(null, message, key, Buffer.from(proof, 'base64'))).toBe(true)
  })

  it('derives on a page that may connect to nothing', async () => {
    const { statusCode, headers, payload } = await open('/addresses?tabId=derive')
    expect(statusCode).toBe(200)
    const policy = policyOf(headers)
    for (const part of ["default-src 'none'", "connect-src 'none'", "form-action 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(part)
    expect(policy.find((part) => part.startsWith('script-src'))).toMatch(/^script-src 'sha256-[^']+'$/)
    expect(payload).not.toMatch(/<script src|\sname="(?!viewport|robots|referrer)/)
  })

  it('is read in the language of the browser, or of the address', async () => {
    const german = await open('/addresses', { 'accept-language': 'de-AT,de;q=0.9' })
    expect(german.payload).toContain('Eine Adresse prüfen')
    const arabic = await open('/addresses?lang=ar', { 'accept-language': 'de' })
    expect(arabic.payload).toContain('<html lang="ar" dir="rtl"')
  })
})

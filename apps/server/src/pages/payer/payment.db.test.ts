import { gunzipSync } from 'node:zlib'

import { paymentsRoutes } from '@kassa/contract/payments/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import type { ProjectChange } from '@kassa/contract/projects/schemas.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { findBlockchain } from '../../modules/blockchains/chains/service.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { fakeChain } from '../../testing/fake-chain.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const UNKNOWN = '01920000-0000-7000-8000-000000000000'

let app: TestApp
let key: string
let shop: Shop
let customers = 0

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  shop = await openShop(app, key)
  for (const code of ['ETH', 'BASE']) await fakeChain(app.ctx, (await findBlockchain(app.ctx, code))?.id ?? 0)
})
afterAll(() => app.stop())

const open = (url: string) => app.http.inject({ url })
const post = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  app.http.inject({ method: 'POST', url, payload, headers: { 'content-type': type } })
const makePayment = async (body: object = {}) => {
  customers += 1
  const common = { customerID: `c-${customers}`, customerEmail: 'payer@shop.example', amountInUSD: '25' }
  return (await app.call(paymentsRoutes.createPayment, { body: { ...common, ...body } }, { key: shop.apiKey })).body
    .reference_id
}
const stateOf = async (ref: string) => (await app.call(paymentsRoutes.getPaymentByReference, { params: { ref } })).body

describe('pages: the checkout', () => {
  it('is rendered on the server, sealed, and never cached', async () => {
    for (const path of ['/payments', '/pay']) {
      const { statusCode, headers, payload } = await open(`${path}?reference_id=${await makePayment()}`)
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-store',
      ])
      const policy = String(headers['content-security-policy']).split('; ')
      for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"]) {
        expect(policy).toContain(part)
      }
      expect(policy.find((part) => part.startsWith('style-src'))).toMatch(/^style-src 'sha256-/)
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(headers['cross-origin-opener-policy']).toBe(path === '/pay' ? 'unsafe-none' : 'same-origin')
      expect(payload.includes('BASE:USDC')).toBe(true)
      expect(payload.includes(shop.apiKey)).toBe(false)
    }
  })

  it('is sent compressed to clients that accept it', async () => {
    const url = `/payments?reference_id=${await makePayment()}`
    const { headers, rawPayload } = await app.http.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toContain('BASE:USDC')
  })

  it('lets a payer choose without a script, and shows the address then', async () => {
    const ref = await makePayment()
    const page = `/payments?reference_id=${ref}`
    const chosen = await post(page, 'asset=BASE%3AUSDC')
    expect([chosen.statusCode, chosen.headers.location]).toEqual([303, page])
    expect(await stateOf(ref)).toMatchObject({ paymentState: 'OPEN', currencySymbol: 'USDC' })
    const { rows } = await sql<{ address: string }>`
      SELECT a.address FROM addresses a JOIN payments p ON p.customer_id = a.customer_id
      WHERE p.reference_id = ${ref}`.execute(app.ctx.db)
    const { payload } = await open(page)
    expect(rows[0]?.address).toMatch(/^0x/)
    expect(payload.includes(rows[0]?.address ?? 'none')).toBe(true)
    // Where the script looks up what a wallet has sent.
    expect(payload).toContain('http://localhost:8080/sandbox/BASE/tx/{tx}')
  })

  it('shows what the shop wrote of the payment before and after the choice, and nothing of it as markup', async () => {
    const ref = await makePayment({ description: 'Two <b>bags</b> of "beans"' })
    expect(await stateOf(ref)).toMatchObject({ description: 'Two <b>bags</b> of "beans"' })
    const page = `/payments?reference_id=${ref}`
    const shown = 'Two &lt;b&gt;bags&lt;/b&gt; of &quot;beans&quot;'
    expect((await open(page)).payload.includes(shown)).toBe(true)
    await post(page, 'asset=BASE%3AUSDC')
    for (const url of [page, page.replace('/payments', '/pay')])
      expect((await open(url)).payload.includes(shown)).toBe(true)
  })

  it('has the language, the colours and the way back of its project, where the address asks for no others', async () => {
    const project = (body: ProjectChange) =>
      app.call(projectsRoutes.changeProject, { params: { p: shop.p }, body }, { key })
    const backText = 'Zum <Warenkorb>'
    await project({ checkoutLanguage: 'de', checkoutTheme: 'dark', backText })
    const ref = await makePayment({ cancelURL: 'https://shop.example/cart' })
    await app.call(paymentsRoutes.cancelPaymentByReference, { params: { ref }, body: {} }, { key: shop.apiKey })
    const page = `/payments?reference_id=${ref}`
    const headers = { 'accept-language': 'fr' }
    const own = (await app.http.inject({ url: page, headers })).payload
    expect(own).toContain('<html lang="de" dir="ltr" data-theme="dark">')
    expect(own).toContain('<bdi>Zum &lt;Warenkorb&gt;</bdi>')
    expect((await open(`${page}&lang=es&theme=light`)).payload).toContain(
      '<html lang="es" dir="ltr" data-theme="light">',
    )
    expect((await open(`${page}&theme=system`)).payload).toContain('<html lang="de" dir="ltr">')
    await project({ checkoutLanguage: '', checkoutTheme: '', backText: '' })
    const plain = (await app.http.inject({ url: page, headers })).payload
    expect(plain).toContain('<html lang="fr" dir="ltr">')
    expect(plain).not.toContain('Warenkorb')
  })

  it('says in the page what cannot be chosen, and changes nothing', async () => {
    const ref = await makePayment()
    const page = `/payments?reference_id=${ref}`
    for (const [body, type] of [
      ['', undefined],
      ['asset=nonsense', undefined],
      ['{"asset":"BASE:USDC"}', 'application/json'],
    ] as const) {
      const { statusCode, payload } = await post(page, body, type)
      expect([body, statusCode, payload.includes('Choose how you want to pay.')]).toEqual([body, 200, true])
    }
    const refused = await post(page, 'asset=BASE%3ADOGE')
    expect([refused.statusCode, refused.payload.includes('This currency is not accepted here.')]).toEqual([200, true])
    expect((await stateOf(ref)).currencySymbol).toBeNull()
  })

  it('says that a link is not known, by a page and a 404', async () => {
    const ref = await makePayment()
    for (const url of [
      '/payments',
      '/pay',
      '/success',
      `/payments?reference_id=${UNKNOWN}`,
      '/payments?reference_id=%00',
      `/payments?reference_id=${ref}&reference_id=${ref}`,
      '/success?reference_id=1&theme=dark',
      '/payments?reference_id=%',
      '/payments%',
      '/pay/%zz?reference_id=1',
      '/success%E0%A4%A',
      '/addresses%ZZ',
    ]) {
      const { statusCode, headers, payload } = await open(url)
      expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'text/html; charset=utf-8'])
      expect([url, payload.includes('Payment link not found.')]).toEqual([url, true])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
    expect((await post(`/payments?reference_id=${UNKNOWN}`, 'asset=BASE%3AUSDC')).statusCode).toBe(404)
  })

  it('answers "where is my payment" in the page, without a script and without changing anything', async () => {
    const ref = await makePayment()
    const page = `/payments?reference_id=${ref}`
    await post(page, 'asset=BASE%3AUSDC')
    for (const [body, text] of [
      [`txHash=0x${'ab'.repeat(32)}&blockchainCode=`, 'does not answer us right now'],
      ['txHash=hello', 'This is not a valid transaction hash'],
      ['txHash=+', 'This is not a valid transaction hash'],
      [`txHash=${'a'.repeat(501)}`, 'This is not a valid transaction hash'],
      [`txHash=0x${'ab'.repeat(32)}&blockchainCode=NONE`, 'No such blockchain.'],
    ] as const) {
      const { statusCode, payload } = await post(page, body)
      expect([body, statusCode, payload.includes(text)]).toEqual([body, 200, true])
      expect(payload).toMatch(/<details id="already-paid"\s+open/)
    }
    expect(await stateOf(ref)).toMatchObject({ paymentState: 'OPEN', fundingState: 'none' })
    expect((await post(`/payments?reference_id=${UNKNOWN}`, `txHash=0x${'ab'.repeat(32)}`)).statusCode).toBe(404)
  })

  it('speaks the language of the address, else of the browser, and keeps it after a choice', async () => {
    const page = `/payments?reference_id=${await makePayment()}`
    const german = await app.http.inject({ url: page, headers: { 'accept-language': 'de-CH, fr;q=0.5' } })
    expect(german.payload).toContain('Zahlungsart wählen')
    const arabic = await app.http.inject({ url: `${page}&lang=ar`, headers: { 'accept-language': 'de' } })
    expect(arabic.payload).toContain('<html lang="ar" dir="rtl"')
    const chosen = await post(`${page}&lang=ar`, 'asset=BASE%3AUSDC')
    expect([chosen.statusCode, chosen.headers.location]).toEqual([303, `${page}&lang=ar`])
    const unknown = await open(`/payments?reference_id=${UNKNOWN}&lang=ja`)
    expect(unknown.payload).toContain('支払いリンクが見つかりません。')
  })

  it('shows amount and code large on a counter’s screen', async () => {
    const page = `/payments?reference_id=${await makePayment()}&display=screen`
    await post(page, 'asset=BASE%3AUSDC')
    const { payload } = await open(page)
    expect(payload).toContain('<body class="screen"')
    expect(payload).toContain('<header')
    expect(payload).not.toContain('<footer')
  })

  it('keeps what a merchant writes from becoming markup', async () => {
    const evil = '<script>alert(1)</script>'
    await app.call(projectsRoutes.changeProject, { params: { p: shop.p }, body: { name: evil } }, { key })
    const { payload } = await open(`/payments?reference_id=${await makePayment({ invoiceID: evil })}`)
    expect([payload.includes(evil), payload.includes('&lt;script&gt;')]).toEqual([false, true])
  })

  it('has no receipt before there is money', async () => {
    const ref = await makePayment()
    const { statusCode, headers } = await open(`/success?reference_id=${ref}`)
    expect([statusCode, headers.location]).toEqual([302, `/payments?reference_id=${ref}`])
  })

  it('names the payer on the receipt without giving the e-mail away', async () => {
    const [named, nameless] = [await makePayment({ customerEmail: 'wilhelmina@shop.example' }), await makePayment()]
    await sql`UPDATE payments SET funding_state = 'detected' WHERE reference_id IN (${named}, ${nameless})`.execute(
      app.ctx.db,
    )
    await sql`UPDATE customers SET email = '' WHERE email = 'payer@shop.example'`.execute(app.ctx.db)
    const { statusCode, payload } = await open(`/success?reference_id=${named}`)
    expect(statusCode).toBe(200)
    expect(payload).toContain('w…a@shop.example')
    expect(payload).not.toContain('wilhelmina')
    expect((await open(`/success?reference_id=${nameless}`)).payload).not.toContain('@shop.example')
  })

  it('shows a page, not JSON, when a form is of another kind or too large', async () => {
    const page = `/payments?reference_id=${await makePayment()}`
    for (const [body, type, status] of [
      ['asset', 'text/plain', 415],
      [`asset=${'x'.repeat(300_000)}`, undefined, 413],
    ] as const) {
      const { statusCode, headers, payload } = await post(page, body, type)
      expect([statusCode, headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
      expect(payload.includes('This page could not be shown.')).toBe(true)
    }
  })
})

describe('pages: a checkout that fails', () => {
  it('is a page with the id of the request, and says nothing of the reason', async () => {
    const broken = await testApp()
    await sql`ALTER TABLE payments RENAME TO payments_gone`.execute(broken.ctx.db)
    for (const path of ['/payments', '/pay', '/success']) {
      const { statusCode, headers, payload } = await broken.http.inject({ url: `${path}?reference_id=${UNKNOWN}` })
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        500,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(payload.includes('This page could not be shown.')).toBe(true)
      expect(payload.includes(String(headers['x-request-id']))).toBe(true)
      expect(payload).not.toMatch(/payments_gone|relation "/)
    }
    expect(broken.logLines.join('')).toContain('page fault')
    await sql`ALTER TABLE payments_gone RENAME TO payments`.execute(broken.ctx.db)
    await broken.stop()
  })
})

import { settingsRoutes } from '@kassa/contract/settings/routes.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../testing/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const open = (url: string, method: 'GET' | 'HEAD' | 'OPTIONS' | 'DELETE' = 'GET') => app.http.inject({ url, method })

describe('pages: the dashboard', () => {
  it('is one page at every address that is no file, with the API base', async () => {
    for (const url of ['/', '/login', '/settings/account/1?tab=projectDetails', '/apiary']) {
      const { statusCode, headers, payload } = await open(url)
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ])
      expect(payload).toContain('<meta name="kassa-backend" content="self" />')
      expect(payload).toContain('<meta name="kassa-network" content="sandbox" />')
    }
  })

  it('sends its files compressed to clients that accept it', async () => {
    const [script = ''] = /\/assets\/index-[^"]+\.js/.exec((await open('/')).payload) ?? []
    const plain = await open(script)
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    for (const encoding of ['br', 'gzip']) {
      const headers = { 'accept-encoding': encoding }
      const small = await app.http.inject({ url: script, method: 'GET', headers })
      expect(small.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(small.headers['content-type']).toBe(plain.headers['content-type'])
      expect(small.rawPayload.length * 2).toBeLessThan(plain.rawPayload.length)
    }
  })

  it('runs its own files only, allows no frame and sends no referrer', async () => {
    const { headers } = await open('/')
    const policy = String(headers['content-security-policy'])
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split('; ')).toContain(part)
    }
    expect(policy).not.toContain('unsafe')
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'kassa-version': '0.0.0-test',
    })
  })

  it('may reach a configured API elsewhere, by http and websocket', async () => {
    const key = await app.signUp()
    const body = { key: 'payram.backend', value: 'https://api.shop.example' }
    const saved = await app.call(settingsRoutes.saveSetting, { body }, { key })
    expect(saved.refusal).toBeUndefined()
    const { headers, payload } = await open('/')
    expect(payload).toContain('<meta name="kassa-backend" content="https://api.shop.example" />')
    expect(String(headers['content-security-policy']).split('; ')).toContain(
      "connect-src 'self' https://api.shop.example wss://api.shop.example",
    )
  })

  it('serves hashed files as immutable and the others fresh', async () => {
    const page = (await open('/')).payload
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? ''
    const { statusCode, headers } = await open(script)
    expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    expect((await open('/favicon.svg')).headers['cache-control']).toBe('no-cache')
    expect((await open('/index.html')).payload).toContain('kassa-backend')
  })

  it('answers HEAD and OPTIONS everywhere', async () => {
    for (const url of ['/', '/api/v1/health', '/health', '/payments']) {
      const head = await open(url, 'HEAD')
      expect([url, head.statusCode, head.payload]).toEqual([url, (await open(url)).statusCode, ''])
      expect([url, (await open(url, 'OPTIONS')).statusCode]).toEqual([url, 204])
    }
  })

  it('leaves unknown files and API addresses to a 404 in JSON', async () => {
    for (const url of [
      '/api',
      '/api/v1/nothing',
      '/api/v2/health',
      '/assets/none.js',
      '/checkout/none.js',
      '/metrics/x',
    ]) {
      const { statusCode, headers, payload } = await open(url)
      expect([url, statusCode, headers['content-type']]).toEqual([url, 404, 'application/json; charset=utf-8'])
      const { error } = JSON.parse(payload) as { error: { code: string; requestId: string } }
      expect([url, error.code, error.requestId]).toEqual([url, 'ROUTE_NOT_FOUND', headers['x-request-id']])
    }
  })

  it('tells a wrong method from an unknown address, GET included', async () => {
    expect((await open('/api/v1/health', 'DELETE')).json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } })
    const get = await open('/api/v1/signin')
    expect([get.statusCode, get.json()]).toMatchObject([405, { error: { code: 'METHOD_NOT_ALLOWED' } }])
    const page = await open('/login', 'DELETE')
    expect(page.statusCode).toBeGreaterThanOrEqual(404)
  })
})

describe('pages: metrics', () => {
  const metrics = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1', of = app) =>
    of.http.inject({ url: '/metrics', headers, remoteAddress })

  it('are for loopback that no proxy stands behind', async () => {
    expect((await metrics()).statusCode).toBe(200)
    expect((await metrics({}, '10.0.0.7')).json()).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
    expect((await metrics({ 'x-forwarded-for': '203.0.113.7' })).statusCode).toBe(401)
    for (const name of ['forwarded', 'x-real-ip', 'via', 'cf-connecting-ip', 'true-client-ip']) {
      expect([name, (await metrics({ [name]: '203.0.113.7' })).statusCode]).toEqual([name, 401])
    }
  })

  it('are refused to everyone off the sandbox while there is no token, since a proxy may add no header', async () => {
    const testnet = await testApp({ config: { network: 'testnet' } })
    expect((await metrics({}, '127.0.0.1', testnet)).statusCode).toBe(401)
    await testnet.stop()
  })

  it('are for holders of the token, when there is one', async () => {
    const guarded = await testApp({ config: { metricsToken: 'metrics-token' } })
    const status = async (headers: Record<string, string>, address: string) =>
      (await metrics(headers, address, guarded)).statusCode
    expect(await status({ authorization: 'Bearer metrics-token' }, '203.0.113.7')).toBe(200)
    expect(await status({ authorization: 'Bearer metrics-tokem' }, '203.0.113.7')).toBe(401)
    expect(await status({}, '127.0.0.1')).toBe(401)
    expect(guarded.logLines.join('')).not.toContain('metrics-token')
    await guarded.stop()
  })
})

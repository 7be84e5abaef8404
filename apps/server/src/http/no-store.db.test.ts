import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../testing/app.ts'

let app: TestApp
let key: string

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
})
afterAll(() => app.stop())

describe('http: what must not be stored on the way', () => {
  const cacheOf = async (url: string, headers: Record<string, string> = {}) =>
    (await app.http.inject({ url, headers: { host: 'localhost', ...headers } })).headers['cache-control']

  it.each([
    ['an answer', '/api/v1/external-platform/all', 'right'],
    ['a public answer to a signed-in caller', '/api/v1/version', 'right'],
    ['a refused credential', '/api/v1/external-platform/all', 'ks_unknown'],
    ['a project that is not there', '/api/v1/external-platform/999', 'right'],
    ['a route that is not there', '/api/v1/nothing', 'right'],
    ['an address that is none', '/api/v1/%zz', 'right'],
    ['what a person typed wrong', '/api/v1/external-platform/all?status=x', 'right'],
  ])('is %s: a credential came with the call', async (_what, url, credential) => {
    const value = credential === 'right' ? key : credential
    expect(await cacheOf(url, { 'api-key': value })).toBe('no-store')
    expect(await cacheOf(url, { authorization: `Bearer ${value}` })).toBe('no-store')
  })

  it('is a refusal by reference', async () => {
    const unknown = '/api/v1/payment/reference/01920000-0000-7000-8000-000000000000'
    expect(await cacheOf(unknown)).toBe('no-store')
    expect(await cacheOf('/api/v1/version')).toBeUndefined()
  })
})

import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { testApp, type TestApp } from '../testing/app.ts'

let sandbox: TestApp

beforeAll(async () => {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../../../packages/signer/build.ts')])
  sandbox = await testApp()
}, 60_000)
afterAll(() => sandbox.stop())

const get = (url: string, app = sandbox) => app.http.inject({ url })

describe('the signer', () => {
  it('is a file to save with the hash that is said of it, and never a page of ours', async () => {
    const file = await get('/signer.html')
    expect(file.headers['content-disposition']).toContain('attachment')
    expect(file.headers['content-security-policy']).toContain('sandbox')
    const { sha256 } = (await get('/signer.json')).json<{ sha256: string }>()
    expect(createHash('sha256').update(file.payload).digest('hex')).toBe(sha256)
  })

  it('runs in a frame of this dashboard without an origin or a network', async () => {
    const { headers, statusCode } = await get('/signer-frame.html')
    expect(statusCode).toBe(200)
    const policy = String(headers['content-security-policy'])
    for (const part of ["connect-src 'none'", "frame-ancestors 'self'", 'sandbox allow-scripts'])
      expect(policy).toContain(part)
    expect(policy).not.toContain('unsafe')
    expect(String((await get('/')).headers['content-security-policy'])).toContain("frame-src 'self'")
  })

  it('has no frame on mainnet', async () => {
    const app = await testApp({ config: { network: 'mainnet' } })
    const frame = await get('/signer-frame.html', app)
    expect(frame.payload).not.toContain('Recovery phrase')
    expect(String((await get('/', app)).headers['content-security-policy'])).not.toContain('frame-src')
    await app.stop()
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let home: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'kassa-main-'))
})
afterAll(() => rmSync(home, { recursive: true }))

/** A program takes seconds to start, on a machine with much to do a minute. */
const START_MS = 120_000

/** Starts the program until it gives up, and returns what it printed. */
function start(variables: Readonly<Record<string, string>>): Promise<{ code: unknown; text: string }> {
  const env = { PATH: process.env['PATH'], KASSA_HOME: home, PORT: '0', ...variables }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(import.meta.dirname, 'main.ts')],
      { env, timeout: START_MS },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, text: stdout + stderr }),
    )
  })
}

describe('main', { timeout: START_MS }, () => {
  it('wants https on mainnet', async () => {
    const { code, text } = await start({ KASSA_NETWORK: 'mainnet', KASSA_SITE_URL: 'http://pay.shop.example' })
    expect(code).toBe(1)
    expect(text).toMatch(/^KASSA_NETWORK=mainnet needs an https address: .*KASSA_SITE_URL.*\n$/)
  })

  it('says which setting is wrong, in one sentence and without a trace', async () => {
    const { code, text } = await start({ DATABASE_URL: 'mysql://kassa:hunter2@db.example' })
    expect([code, text]).toEqual([1, 'DATABASE_URL is not valid. It accepts: a PostgreSQL address (15 to 18).\n'])
  })

  it('says that its database does not answer', async () => {
    const variables = { DATABASE_URL: 'postgresql://kassa@127.0.0.1:1/kassa', KASSA_MASTER_KEY: '7'.repeat(64) }
    const { code, text } = await start({ ...variables, KASSA_ROLES: 'worker' })
    expect(code).toBe(1)
    expect(text).toBe(
      'Kassa cannot use its database: ECONNREFUSED. Check DATABASE_URL and DATABASE_DIRECT_URL, and that it runs.\n',
    )
  })

  it('asks for a key where money is real', async () => {
    const { code, text } = await start({ KASSA_NETWORK: 'testnet', KASSA_SITE_URL: 'https://pay.shop.example' })
    expect(code).toBe(1)
    expect(text).toMatch(/^KASSA_MASTER_KEY or KASSA_MASTER_KEY_FILE is required on testnet\. .*\n$/)
  })
})

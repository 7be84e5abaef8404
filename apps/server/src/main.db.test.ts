import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestDatabase, testDatabase } from './testing/database/test-database.ts'
import { run } from './testing/database/run-statement.ts'

let home: string
let database: TestDatabase

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'kassa-mainnet-'))
  database = await testDatabase()
})
afterAll(async () => {
  rmSync(home, { recursive: true })
  await database.drop()
})

/** Starts a worker on mainnet and stops it once it is ready; returns what it printed. */
function start(): Promise<string> {
  const env = {
    ...{ PATH: process.env['PATH'], KASSA_HOME: home, KASSA_ROLES: 'worker', PORT: '0' },
    ...{ KASSA_NETWORK: 'mainnet', KASSA_SITE_URL: 'https://pay.shop.example', KASSA_MASTER_KEY: '7'.repeat(64) },
    DATABASE_URL: database.connectionString,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env })
  return new Promise((resolve) => {
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => {
        text += part.toString()
        if (text.includes('Kassa is ready')) child.kill('SIGTERM')
      })
    }
    child.on('close', () => resolve(text))
  })
}

describe('main on mainnet', () => {
  it('starts, and refuses where the database lets money move without a second factor', async () => {
    expect(await start()).toContain('Kassa is ready on https://pay.shop.example')
    await run(
      database.connectionString,
      `INSERT INTO configuration (key, value) VALUES ('security.second_factor', 'optional')`,
    )
    expect(await start()).toMatch(/security\.second_factor says optional\. .*Remove the row of that key/)
  })
})

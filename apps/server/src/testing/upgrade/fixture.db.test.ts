import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import packageFile from '../../../package.json' with { type: 'json' }
import type { TestApp } from '../app.ts'
import { fixturePath, packFixture, writeFixture } from './fixture-file.ts'
import { usedApp } from './fixture-world.ts'
import { readRows } from './rows.ts'

let app: TestApp

beforeAll(async () => {
  app = await usedApp()
})
afterAll(() => app.stop())

/** The largest a fixture may be. */
const MOST_BYTES = 300_000

describe('an upgrade fixture', () => {
  it('holds rows of every table, money in every state, and jobs that wait', async () => {
    const tables = await readRows(app.connectionString)
    expect([...tables].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([])
    const states = async (table: string, column: string) =>
      (
        await sql<{ state: string }>`
        SELECT DISTINCT ${sql.ref(column)} AS state FROM ${sql.table(table)} ORDER BY 1`.execute(app.ctx.db)
      ).rows.map(({ state }) => state)
    expect(await states('payments', 'status')).toEqual([
      'CANCELLED',
      'FILLED',
      'OPEN',
      'OVER_FILLED',
      'PARTIALLY_FILLED',
    ])
    expect(await states('payments', 'cancel_reason')).toEqual(['expired', 'merchant', 'superseded', null])
    expect(await states('deposits', 'status')).toEqual(['applied', 'quarantined', 'reverted', 'seen', 'unapplied'])
    expect(await states('pgboss.job', 'state')).toEqual(['created', 'active'])
  })

  it('is small', async () => {
    const { version } = packageFile
    const text = await writeFixture(
      app.connectionString,
      `Kassa ${version}: an install that has been used, as plain SQL. Made by npm run upgrade-fixture; never changed by hand.`,
    )
    const packed = await packFixture(text)
    expect(packed.length).toBeLessThan(MOST_BYTES)
    if (process.env.KASSA_WRITE_UPGRADE_FIXTURE !== 'yes') return
    mkdirSync(dirname(fixturePath(version)), { recursive: true })
    writeFileSync(fixturePath(version), packed)
  })
})

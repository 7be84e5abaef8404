import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { passwordRoutes } from '@kassa/contract/auth/password-routes.ts'
import { authRoutes } from '@kassa/contract/auth/routes.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { TEST_EMAIL, type TestApp, testApp } from '../../../testing/app.ts'

const COMMAND = join(import.meta.dirname, '../../../commands/password-link.ts')
const NEXT = 'Another.Horse8'

let app: TestApp
let home: string

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  await app.signUp()
  home = mkdtempSync(join(tmpdir(), 'kassa-link-'))
}, 60_000)
afterAll(async () => {
  rmSync(home, { recursive: true })
  await app.stop()
})

async function run(...words: string[]): Promise<{ code: number; output: string; token: string }> {
  const { databaseUrl } = app.ctx.config
  const env = { ...process.env, DATABASE_URL: databaseUrl, KASSA_NETWORK: 'sandbox', KASSA_HOME: home }
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...words], { env }, (error, stdout, stderr) => {
      const output = stdout + stderr
      const token = /\/createPassword\?resetPasswordToken=([\w-]{43})\n/.exec(output)?.[1] ?? ''
      resolve({ code: Number(error?.code ?? 0), output, token })
    })
  })
}

const reset = (resetPasswordToken: string) =>
  app.call(passwordRoutes.resetPassword, { body: { password: NEXT, resetPasswordToken } })

describe('npm run password-link', () => {
  it('prints a link that works once, for the half hour of a mailed one, and ends the link before', async () => {
    const former = await run(TEST_EMAIL)
    const { code, output, token } = await run(TEST_EMAIL.toUpperCase())
    expect([code, output]).toEqual([0, expect.stringContaining('It works once, until ')])
    const { body } = await app.call(passwordRoutes.readPasswordToken, { body: { token } })
    const minutes = (new Date(body.expiresAt).getTime() - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(25)
    expect(minutes).toBeLessThanOrEqual(30)
    expect((await reset(former.token)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await reset(token)).status).toBe(200)
    expect((await reset(token)).refusal?.code).toBe('RESET_TOKEN_INVALID')
    expect((await app.call(authRoutes.signIn, { body: { email: TEST_EMAIL, password: NEXT } })).status).toBe(200)
  }, 60_000)

  it('is stored as an event, without the token', async () => {
    const { token } = await run(TEST_EMAIL)
    const { rows } = await sql<{ payload: object; all: string }>`
      SELECT payload, (SELECT json_agg(t)::text FROM password_tokens t) || (SELECT json_agg(e)::text FROM events e) AS all
      FROM events WHERE type = 'operator.reset_link_issued' ORDER BY id DESC LIMIT 1`.execute(app.ctx.db)
    expect(rows[0]?.payload).toMatchObject({ email: TEST_EMAIL, by: null })
    expect(token).toHaveLength(43)
    expect(rows[0]?.all).not.toContain(token)
  }, 60_000)

  it('names unknown accounts and shows its usage, and creates nothing', async () => {
    const count = async () =>
      (await sql<{ n: number }>`SELECT count(*)::int AS n FROM password_tokens`.execute(app.ctx.db)).rows[0]?.n
    const before = await count()
    expect(await run('nobody@shop.example')).toMatchObject({
      code: 2,
      output: 'Nobody signs in with nobody@shop.example.\n',
    })
    expect(await run()).toMatchObject({ code: 2, output: 'Use: npm run password-link -- owner@shop.example\n' })
    expect(await count()).toBe(before)
  }, 60_000)
})

import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { databaseElsewhere } from '../db/embedded/location.ts'
import { startPostgres } from '../db/embedded/start-postgres.ts'
import { claimInstance } from '../process/instance.ts'

const isRoot = process.getuid?.() === 0

let closed: string
let home: string

beforeEach(() => {
  closed = mkdtempSync(join(tmpdir(), 'kassa-remove-'))
  home = join(closed, 'data')
  mkdirSync(home)
  writeFileSync(join(home, 'master.key'), 'x')
})
afterEach(() => rmSync(closed, { recursive: true, force: true }))

function run(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], KASSA_HOME: home }
  const file = join(import.meta.dirname, 'remove-install.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env, timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

describe('npm run remove-data', () => {
  // mkdtemp makes folders that only root enters, so root's database is elsewhere.
  it.runIf(isRoot)('deletes the data folder and the database that lies elsewhere', async () => {
    const postgres = await startPostgres({ home, log: pino({ level: 'silent' }), isDurable: false })
    const folder = databaseElsewhere(home)
    expect(folder).toMatch(/^\/var\/lib\/kassa\/[0-9a-f]{12}$/)
    await postgres.stop()
    const { code, text } = await run('--yes')
    expect([code, text]).toEqual([0, `This deletes for ever:\n  ${folder}\n  ${home}\nDeleted.\n`])
    expect([existsSync(home), existsSync(folder ?? '')]).toEqual([false, false])
    expect((await run('--yes')).text).toBe(`There is nothing to delete: ${home} does not exist.\n`)
  })

  it('deletes nothing without --yes, while Kassa runs, and no folder that is not its own', async () => {
    expect(await run()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/add -- --yes\nNothing was deleted\.\n$/),
    })
    const mine = claimInstance({ home, url: 'http://localhost:8080' })
    expect(await run('--yes')).toEqual({ code: 1, text: 'Kassa is running on http://localhost:8080. Stop it first.\n' })
    if (mine.kind === 'mine') mine.release()
    writeFileSync(join(home, 'postgres-folder.txt'), '/home\n')
    expect(await run('--yes')).toMatchObject({ code: 1, text: expect.stringContaining("no folder of Kassa's") })
    expect(existsSync(join(home, 'master.key'))).toBe(true)
  })
})

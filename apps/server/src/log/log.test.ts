import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createLog, openLogFile } from './log.ts'

const SECRET = 'hunter2-hunter2'

function logged(write: (log: ReturnType<typeof createLog>) => void): {
  text: string
  lines: Record<string, unknown>[]
} {
  const lines: string[] = []
  write(createLog('debug', { write: (line) => void lines.push(line) }))
  return { text: lines.join(''), lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('log.createLog', () => {
  it('cuts secrets out by their name, at any depth and in any spelling', () => {
    const names = [
      ...['password', 'oldPassword', 'PASSWORD', 'newPassword', 'key', 'apiKey', 'api-key', 'API_KEY', 'access_key'],
      ...[
        'accessToken',
        'refreshToken',
        'resetPasswordToken',
        'token',
        'metricsToken',
        'secret',
        'clientSecret',
        'secrets',
      ],
      ...['xpub', 'xprv', 'authorization', 'Authorization', 'cookie', 'setupCode', 'otp', 'mnemonic', 'words', 'seed'],
      ...['privateKey', 'masterKey', 'sessionKey', 'passphrase', 'databaseUrl', 'DATABASE_URL'],
    ]
    for (const name of names) {
      const deep = { a: { b: { c: { d: [{ [name]: SECRET }] } } } }
      const { text } = logged((log) => log.info({ [name]: SECRET, list: [{ [name]: { inner: SECRET } }], deep }, 'x'))
      expect([name, text.includes(SECRET)]).toEqual([name, false])
    }
  })

  it('keeps what only sounds alike, and leaves what is logged untouched', () => {
    const facts = { orderKey: 'payment 1', keyId: 7, tokenAddress: '0xabc', passwordSetAt: new Date(0), units: 5n }
    const { lines } = logged((log) => log.info(facts, 'x'))
    expect(lines[0]).toMatchObject({ ...facts, passwordSetAt: '1970-01-01T00:00:00.000Z', units: '5' })
    const input = { password: SECRET }
    logged((log) => log.info(input))
    expect(input).toEqual({ password: SECRET })
  })

  it('cuts them out of errors, their fields and their causes', () => {
    const cause = Object.assign(new Error('inner'), { headers: { authorization: SECRET } })
    const error = Object.assign(new Error('outer', { cause }), { config: { apiKey: SECRET }, code: 'E1' })
    for (const write of [
      (log: ReturnType<typeof createLog>) => log.error({ err: error }, 'failed'),
      (log: ReturnType<typeof createLog>) => log.error(error),
      (log: ReturnType<typeof createLog>) => log.error({ why: { error } }),
    ]) {
      const { text, lines } = logged(write)
      expect(text).not.toContain(SECRET)
      expect(text).toContain('outer')
      expect(text).toContain('E1')
      expect(lines).toHaveLength(1)
    }
  })

  it('knows credentials by their form in any text', () => {
    const secrets = [
      `whsec_${'A'.repeat(43)}=`,
      `kw_${'b'.repeat(43)}`,
      `kp_test_${'c'.repeat(43)}`,
      `kp_live_${'c'.repeat(43)}`,
      `ks_${'d'.repeat(43)}`,
      `xpub${'6'.repeat(107)}`,
      `xprv${'9'.repeat(107)}`,
    ]
    for (const secret of secrets) {
      const { text, lines } = logged((log) => {
        log.warn(`got ${secret} from a caller`)
        log.error({ err: new Error(`bad ${secret}`), note: [secret] }, 'x')
      })
      expect([secret, text.includes(secret)]).toEqual([secret, false])
      expect(lines[0]?.['msg']).toBe('got ••• from a caller')
    }
    const { text, lines } = logged((log) =>
      log.info(
        { url: 'postgres://kassa:hunter2@db.example/kassa', mail: 'a:b@c.example', site: 'https://x.example' },
        'x',
      ),
    )
    expect(text).not.toContain('hunter2')
    expect(lines[0]).toMatchObject({ url: 'postgres://kassa:•••@db.example/kassa', mail: 'a:b@c.example' })
  })

  it('survives what cannot be printed', () => {
    const circle: Record<string, unknown> = { name: 'circle' }
    circle['self'] = circle
    expect(logged((log) => log.info({ circle, bytes: Buffer.from(SECRET) }, 'x')).lines).toHaveLength(1)
  })

  it('keeps to its level', () => {
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    log.info('unheard')
    log.warn('heard')
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['heard'])
  })
})

describe('log.createLog, of long texts', () => {
  const long = 'x'.repeat(5_000)

  it('cuts values from outside at 300 characters, in every field', () => {
    const { text, lines } = logged((log) => log.error({ path: long, deep: [{ more: long }] }, long))
    expect(text.length).toBeLessThan(1_100)
    expect(lines[0]?.['path']).toBe(`${'x'.repeat(300)}…`)
    expect(lines[0]?.['msg']).toBe(`${'x'.repeat(300)}…`)
  })

  it('cuts the message of an error and keeps where it was thrown', () => {
    const { text, lines } = logged((log) => log.error({ err: new Error(long, { cause: new Error(long) }) }, 'fault'))
    expect(text).not.toContain('x'.repeat(301))
    expect((lines[0]?.['err'] as { stack: string } | undefined)?.stack).toMatch(/log\.test\.ts:\d+/)
  })
})

describe('log.openLogFile', () => {
  let folder: string

  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'kassa-log-')), 'logs')
  })
  afterEach(() => rmSync(dirname(folder), { recursive: true }))

  // Linux: a file that never has room (full(4)).
  it.runIf(existsSync('/dev/full'))('goes on without room for it', async () => {
    const uncaught: unknown[] = []
    const hear = (thrown: unknown) => void uncaught.push(thrown)
    process.on('uncaughtException', hear)
    mkdirSync(folder)
    symlinkSync('/dev/full', join(folder, 'kassa.log'))
    const mode = statSync('/dev/full').mode & 0o777
    const log = createLog('info', await openLogFile(folder, 'kassa.log'))
    chmodSync('/dev/full', mode)
    for (const n of [1, 2, 3]) {
      log.info({ n }, 'no room')
      await sleep(20)
    }
    process.off('uncaughtException', hear)
    expect(uncaught).toEqual([])
  })

  it('is readable by its owner only, also when it existed before', async () => {
    mkdirSync(folder, { mode: 0o755 })
    writeFileSync(join(folder, 'kassa.log'), 'old\n', { mode: 0o644 })
    createLog('info', await openLogFile(folder, 'kassa.log')).info('new')
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'kassa.log')).mode & 0o777).toBe(0o600)
    await vi.waitFor(() => expect(readFileSync(join(folder, 'kassa.log'), 'utf8')).toMatch(/^old\n\{.*new/))
  })

  it.each([
    { what: 'one after another', last: 120, pauseAfter: 10, largestFile: 3_000 },
    // As on a slow disk: all lines wait while the first are written, and go out 16 kB at a time.
    { what: 'all at once', last: 1_200, pauseAfter: Infinity, largestFile: 18_000 },
  ])(
    'begins a new file when one is full, keeps five old ones, and no line is lost $what',
    async ({ last, pauseAfter, largestFile }) => {
      const log = createLog('info', await openLogFile(folder, 'kassa.log', 1_000))
      for (let n = 1; n <= last; n += 1) {
        log.info({ n }, 'a line of about a hundred characters, so that ten of them fill a file of a thousand')
        if (n % pauseAfter === 0)
          await vi.waitFor(() => expect(numbersIn(readdirSync(folder))).toContain(n), { interval: 5, timeout: 10_000 })
      }
      await vi.waitFor(() => expect(numbersIn(readdirSync(folder))).toContain(last), 10_000)
      const names = ['.5', '.4', '.3', '.2', '.1', ''].map((end) => `kassa.log${end}`)
      await vi.waitFor(() => expect(readdirSync(folder).toSorted()).toEqual(names.toReversed()))
      const numbers = numbersIn(names)
      expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => last - numbers.length + 1 + at))
      for (const name of names) {
        const { size, mode } = statSync(join(folder, name))
        expect(size).toBeLessThan(largestFile)
        expect(mode & 0o777).toBe(0o600)
      }
    },
  )

  function numbersIn(names: readonly string[]): number[] {
    const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean))
    return lines.map((line) => (JSON.parse(line) as { n: number }).n)
  }
})

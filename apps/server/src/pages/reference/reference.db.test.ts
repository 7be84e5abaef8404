import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

import { type ErrorCode, ERRORS } from '@kassa/contract/errors.ts'
import { paymentMachine } from '@kassa/contract/payments/machine.ts'
import { DELIVERY_STATUSES } from '@kassa/contract/webhooks/delivery-statuses.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { newSecret, signedHeaders } from '../../modules/webhooks/signing/sign.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { openShop, type Shop } from '../../testing/shop.ts'

const run = promisify(execFile)
const BODY = JSON.stringify({ event_type: 'payment.filled', reference_id: 'abc', status: 'FILLED', name: 'Zoë' })
const PROGRAMS = { shell: ['sh', '.sh'], node: [process.execPath, '.mjs'], python: ['python3', '.py'] } as const
type Language = keyof typeof PROGRAMS
const LANGUAGES: Language[] = ['shell', 'node', 'python']

let app: TestApp
let shop: Shop
let folder: string
let url: string
let quickStart: string
const secret = newSecret()
beforeAll(async () => {
  app = await testApp()
  shop = await openShop(app, await app.signUp())
  folder = await mkdtemp(join(tmpdir(), 'kassa-quick-start-'))
  url = await app.http.listen({ port: 0, host: '127.0.0.1' })
  quickStart = (await page('/docs')).payload
})
afterAll(async () => {
  await app.stop()
  await rm(folder, { recursive: true })
})

const page = (path: string) => app.http.inject({ url: path, headers: { host: 'localhost:8080' } })

/** Writes a snippet as the page shows it, and returns the program and the file that run it. */
async function saved(task: 'create' | 'verify', language: Language): Promise<[string, string[]]> {
  const [, html = ''] = new RegExp(`<pre id="${task}-${language}"[^>]*><code>(.*?)</code>`, 's').exec(quickStart) ?? []
  const code = html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  const [program, ending] = PROGRAMS[language]
  const file = join(folder, `${task}${ending}`)
  await writeFile(file, code)
  return [program, [file]]
}

const isInstalled = (program: string) =>
  run(program, program === 'sh' ? ['-c', 'true'] : ['--version']).then(
    () => true,
    () => false,
  )

/** What can be said of a program without its interpreter: its steps are there. */
async function expectOutline([file = '']: string[], steps: readonly string[]): Promise<void> {
  const code = await readFile(file, 'utf8')
  expect(steps.filter((step) => !code.includes(step))).toEqual([])
}

type Message = { readonly headers: Record<string, string>; readonly body: string }

function message({ at = new Date(), sent = BODY, by = secret } = {}): Message {
  const own = generateKeyPairSync('ed25519').privateKey
  const keys = { secrets: [newSecret(), by], accessKey: '', legacyHeaders: false, keyStates: null, own }
  return { headers: signedHeaders(keys, 'evt_1', at, BODY), body: sent }
}

const MINUTES_AGO = new Date(Date.now() - 6 * 60_000)
const MINUTES_AHEAD = new Date(Date.now() + 6 * 60_000)
const refused = () => [
  message({ sent: BODY.replace('FILLED', 'OVER_FILLED') }),
  message({ by: newSecret() }),
  message({ at: MINUTES_AGO }),
  message({ at: MINUTES_AHEAD }),
]

describe('the quick start', () => {
  it.each(LANGUAGES)('creates a payment: %s', async (language) => {
    const [program, files] = await saved('create', language)
    if (!(await isInstalled(program))) return expectOutline(files, ['/api/v1/payment', 'API-Key', 'Idempotency-Key'])
    const env = { ...process.env, KASSA_URL: url, KASSA_API_KEY: shop.apiKey }
    const created = JSON.parse((await run(program, files, { env })).stdout) as { reference_id: string; url: string }
    expect(created.url).toContain(created.reference_id)
    expect((await fetch(`${url}/api/v1/payment/reference/${created.reference_id}`)).status).toBe(200)
    const again = JSON.parse((await run(program, files, { env })).stdout) as { reference_id: string }
    expect(again.reference_id).toBe(created.reference_id)
  })

  it.each(['node', 'python'] as const)('receives what is genuine and nothing else: %s', async (language) => {
    const [program, files] = await saved('verify', language)
    if (!(await isInstalled(program))) {
      return expectOutline(files, ['webhook-timestamp', '> 300', 'b64decode', 'hmac.digest', 'hmac.compare_digest'])
    }
    const env = { ...process.env, KASSA_WEBHOOK_SECRET: secret, PORT: '0' }
    const receiver = spawn(program, files, { env, stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]()
      const port = /\d+$/.exec(String((await lines.next()).value))?.[0]
      const post = async ({ headers, body }: Message) =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
      expect(await Promise.all(refused().map(post))).toEqual([400, 400, 400, 400])
      expect(await post({ headers: {}, body: BODY })).toBe(400)
      expect(await post(message())).toBe(200)
      expect((await lines.next()).value).toBe('payment.filled abc FILLED')
    } finally {
      const ended = once(receiver, 'exit')
      receiver.kill()
      await ended
    }
  })

  it('tells by hand what is genuine: shell', async () => {
    const [program, files] = await saved('verify', 'shell')
    const verdict = async ({ headers, body }: Message) => {
      await writeFile(join(folder, 'body.json'), body)
      const env = {
        ...process.env,
        KASSA_WEBHOOK_SECRET: secret,
        WEBHOOK_ID: headers['webhook-id'],
        WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
        WEBHOOK_SIGNATURE: headers['webhook-signature'],
      }
      return run(program, files, { env, cwd: folder }).then(
        ({ stdout }) => stdout.trim(),
        ({ stdout }: { stdout: string }) => stdout.trim(),
      )
    }
    expect(await verdict(message())).toBe('genuine')
    const others = []
    for (const one of refused()) others.push(await verdict(one))
    expect(others).toEqual(['forged', 'forged', 'too old', 'too old'])
  })
})

describe('/docs', () => {
  it('has a page of every error code and state, small and with the way back', async () => {
    const codes = (Object.keys(ERRORS) as ErrorCode[]).map((code) => [`/docs/errors/${code}`, code] as const)
    const states = [
      ...paymentMachine.states.map((state) => [`/docs/states/payment/${state}`, state] as const),
      ...DELIVERY_STATUSES.map((state) => [`/docs/states/delivery/${state}`, state] as const),
    ]
    for (const [path, name] of [...codes, ...states]) {
      const { statusCode, payload } = await page(path)
      expect([path, statusCode]).toEqual([path, 200])
      expect(payload).toMatch(new RegExp(`<h1>[^<]*${name}</h1>`))
      expect(payload).toMatch(/<h2>What to do( next)?<\/h2><p>[A-Z]/)
      expect(payload.length).toBeLessThan(24_000)
    }
  })

  it('leads nowhere that is not there', async () => {
    const paths = new Set(['/docs'])
    const pages = new Map<string, string>()
    for (const path of paths) {
      const { statusCode, payload } = await page(path)
      expect([path, statusCode]).toEqual([path, 200])
      pages.set(path, payload)
      if (!path.startsWith('/docs')) continue
      const ids = [...payload.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(ids).toEqual([...new Set(ids)])
      for (const [, href = ''] of payload.matchAll(/href="([^"]+)"/g)) {
        const [target = '', anchor] = href.split('#')
        if (target !== '') paths.add(target)
        if (target === '/docs/calls' && anchor) {
          pages.set(target, pages.get(target) ?? (await page(target)).payload)
          expect(pages.get(target)).toContain(`id="${anchor}"`)
        }
      }
    }
    expect(paths.size).toBeGreaterThan(100)
  })

  it('refuses what there is no page of', async () => {
    for (const path of ['errors/NOPE', 'errors/constructor', 'states/payment/toString', 'states/constructor/name']) {
      expect([path, (await page(`/docs/${path}`)).statusCode]).toEqual([path, 404])
    }
  })
})

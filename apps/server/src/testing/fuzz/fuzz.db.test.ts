import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type SandboxChains, startChains } from '../../sandbox/chains.ts'
import { type TestApp, testApp } from '../app.ts'
import { fuzz } from './fuzz.ts'

/** `npm run fuzz` sends 100,000. */
const REQUESTS = Number(process.env['KASSA_FUZZ_REQUESTS'] ?? 5_000)
const SEED = Number(process.env['KASSA_FUZZ_SEED'] ?? 1)
/** Twenty times as long as a quiet machine takes. */
const MS_PER_REQUEST = 60

/** What the command is for: the counts. */
const print = (line: string) => void process.stdout.write(`${line}\n`)

let home: string
let chains: SandboxChains
let app: TestApp

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'kassa-fuzz-'))
  chains = await startChains({ home, log: pino({ level: 'silent' }), needsBlocks: async () => false })
  app = await testApp({ chains })
})
afterAll(async () => {
  await app.stop()
  await chains.stop()
  rmSync(home, { recursive: true })
})

describe('every route of the contract', () => {
  it(
    `answers ${REQUESTS} requests of any form without a fault`,
    async () => {
      const started = performance.now()
      const { requests, statuses, declared, faults, hangs, rejections } = await fuzz(app, chains, {
        count: REQUESTS,
        seed: SEED,
      })
      const seconds = Math.round((performance.now() - started) / 1000)
      const answers = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
      print(
        `${requests} requests in ${seconds} s (seed ${SEED}): ${answers.join(', ')}; ${declared} of 503 are declared`,
      )
      print(`500 and above: ${faults.length} · over 15 s: ${hangs.length} · unhandled rejections: ${rejections.length}`)
      expect({ faults: faults.slice(0, 20), hangs, rejections: rejections.slice(0, 5) }).toEqual({
        faults: [],
        hangs: [],
        rejections: [],
      })
      // A fuzz that is refused at the door proves nothing.
      expect(statuses.get(200) ?? 0).toBeGreaterThan(REQUESTS / 20)
    },
    60_000 + REQUESTS * MS_PER_REQUEST,
  )
})

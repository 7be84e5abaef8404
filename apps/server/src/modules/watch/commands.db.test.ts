import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { halt } from './follow/halt-chain.ts'
import { continueRescans } from './rescan/service.ts'
import { findCursor } from './blocks/cursor-store.ts'
import { testReader } from '../../testing/test-follower.ts'

const ETH = 1
let test: TestContext
let anvil: AnvilChain
let home: string
let address: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  home = mkdtempSync(join(tmpdir(), 'kassa-commands-'))
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
  address = await customerAddress(test.ctx)
}, 60_000)
afterAll(async () => {
  rmSync(home, { recursive: true })
  await anvil.stop()
  await test.stop()
})

function run(command: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, DATABASE_URL: test.ctx.config.databaseUrl, KASSA_NETWORK: 'sandbox', KASSA_HOME: home }
  const file = join(import.meta.dirname, '../../commands', command)
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
    })
  })
}

describe('the rescan command', () => {
  it('makes the running program read blocks again, and shows what it found', async () => {
    const { catchUp } = await testReader(test.ctx, 'ETH', { assets: new Set([1]) })
    await catchUp()
    await anvil.transfer(SANDBOX_TOKENS.usdc, address.address as Hex, 5_000_000n)
    const height = await anvil.height()
    await anvil.mine(3)
    await catchUp()
    const stop = new AbortController()
    const worker = (async () => {
      while (!stop.signal.aborted) {
        await continueRescans(test.ctx)
        await test.ctx.sleep(100, stop.signal)
      }
    })()
    const { code, output } = await run('rescan.ts', '--chain', 'ETH', '--from', String(height), '--to', String(height))
    stop.abort()
    await worker
    expect(output).toContain('Done: 1 deposit(s) were found')
    expect(code).toBe(0)
    const { rows } = await sql`SELECT status FROM deposits`.execute(test.ctx.db)
    expect(rows).toEqual([{ status: 'unapplied' }])
  })

  it('reports what it cannot do', async () => {
    const answers = await Promise.all([
      run('rescan.ts', '--chain', 'ETH'),
      run('rescan.ts', '--chain', 'NOPE', '--tx', '0x1'),
      run('rescan.ts', '--chain', 'ETH', '--from', '1', '--to', '999999'),
    ])
    expect(answers.map(({ code }) => code)).toEqual([2, 2, 2])
    const [usage, unknown, beyond] = answers.map(({ output }) => output)
    expect(usage).toContain('Use: npm run rescan')
    expect(unknown).toContain('There is no blockchain NOPE')
    expect(beyond).toContain('reads block 999999 later')
  })
})

describe('the resume-chain command', () => {
  it('resumes a halted chain, and refuses one that is not', async () => {
    const { follower, progress } = await testReader(test.ctx, 'ETH')
    await halt(follower, progress, { case: 'below_final', height: 1 })
    const resumed = await run('resume-chain.ts', '--chain', 'eth')
    expect(resumed).toEqual({ code: 0, output: expect.stringContaining('ETH is read on where it stopped.') })
    expect(await findCursor(test.ctx, ETH)).toMatchObject({ state: 'running', resumeTo: null })
    const again = await run('resume-chain.ts', '--chain', 'ETH', '--to', '1')
    expect(again).toEqual({ code: 2, output: expect.stringContaining('ETH is not halted') })
  })
})

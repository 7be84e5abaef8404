import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../app.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { checkLedger, lastCheck, recordCheck } from './service.ts'
import { isSound } from './report.ts'
import { startWatching } from '../watch/follow/service.ts'

const COMMAND = join(import.meta.dirname, '../../commands/check-books.ts')
let test: TestContext
let anvil: AnvilChain
let customers: CustomerAddress[]
let home: string

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  home = mkdtempSync(join(tmpdir(), 'kassa-books-'))
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
  await sql`UPDATE blockchains SET status = 'inactive' WHERE code <> 'ETH'`.execute(test.ctx.db)
  customers = [await customerAddress(test.ctx), await customerAddress(test.ctx)]
  await readWhile(async () => {
    for (const [at, { address }] of customers.entries()) {
      await anvil.transfer(SANDBOX_TOKENS.usdc, address as Hex, BigInt(at + 1) * 1_000_000n)
      await anvil.send({ to: address as Hex, value: 10n ** 16n })
    }
    await anvil.mine(2)
    await anvil.transfer(SANDBOX_TOKENS.usdc, customers[0]?.address as Hex, 9_000_000n)
  })
}, 60_000)
afterAll(async () => {
  rmSync(home, { recursive: true })
  await anvil.stop()
  await test.stop()
})

/** Follows the chain while the work is done, until the newest block is credited. */
async function readWhile(work: () => Promise<void>): Promise<void> {
  const watching = startWatching(test.ctx)
  await work()
  const newest = (await anvil.call('eth_getBlockByNumber', 'latest', false)) as { hash: string }
  for (;;) {
    const { rows } = await sql`SELECT FROM chain_cursors WHERE hash = ${newest.hash}`.execute(test.ctx.db)
    if (rows.length > 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await watching.stop()
}

async function runCommand(): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    DATABASE_URL: test.ctx.config.databaseUrl,
    KASSA_NETWORK: 'sandbox',
    KASSA_HOME: home,
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [COMMAND], { env }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr })
    })
  })
}

/** A command is a program of its own, which takes a while to start on a machine with much to do. */
const PATIENT = { timeout: 180_000 }

describe('the books and the chain', () => {
  const drift = async () =>
    (await checkLedger(test.ctx, INVARIANTS)).drift.map(({ asset, ledger, chain }) => [
      asset.currencyCode,
      ledger,
      chain,
    ])

  it('agree to the unit, seen and final money together', async () => {
    expect(await drift()).toEqual([
      ['ETH', 2n * 10n ** 16n, 2n * 10n ** 16n],
      ['USDC', 12_000_000n, 12_000_000n],
      ['USDT', 0n, 0n],
    ])
  })

  it('still agree after a reorganisation reverted deposits', async () => {
    await readWhile(async () => void (await anvil.call('anvil_reorg', 1, [])))
    expect((await drift())[1]).toEqual(['USDC', 3_000_000n, 3_000_000n])
    expect(isSound(await checkLedger(test.ctx, INVARIANTS))).toBe(true)
  })

  it('are compared by a command that ends with 0 when they agree', PATIENT, async () => {
    const { code, output } = await runCommand()
    expect(output).toContain('USDC on ETH at block')
    expect(output).toContain('ledger 3, chain 3, drift 0')
    expect(output).toContain('The books balance.')
    expect(code).toBe(0)
  })

  it('differ, and the command fails, when money left without our intent', PATIENT, async () => {
    await readWhile(async () => {
      const thief = customers[1]?.address as Hex
      await anvil.transfer(SANDBOX_TOKENS.usdc, anvil.payer, 2_000_000n, thief)
    })
    expect((await drift())[1]).toEqual(['USDC', 3_000_000n, 1_000_000n])
    const { code, output } = await runCommand()
    expect(output).toContain('ledger 3, chain 1, drift -2')
    expect(code).toBe(1)
  })

  it('are stored as the last check found them', async () => {
    const stored = await recordCheck(test.ctx, INVARIANTS)
    expect(stored.chainDrift.map(({ currencyCode, difference }) => [currencyCode, difference])).toContainEqual([
      'USDC',
      '-2',
    ])
    expect(await lastCheck(test.ctx, INVARIANTS)).toEqual(stored)
  })
})

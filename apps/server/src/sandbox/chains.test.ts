import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { height, mine, reorg } from './blocks.ts'
import { type SandboxChains, startChains } from './chains.ts'
import type { LocalChain } from './local-chain.ts'
import { callNode } from './node-call.ts'
import { balances, payErc20, payLookAlike, payNative } from './payer.ts'
import { isAlive, stopProcess } from '../process/processes.ts'

const to = '0x00000000000000000000000000000000000000C1'
const log = pino({ level: 'silent' })

describe('startChains', () => {
  let home: string
  let chains: SandboxChains

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'kassa-chains-'))
    chains = await start()
  })
  afterEach(async () => {
    await chains.stop()
    rmSync(home, { recursive: true })
  })

  const start = (
    needsBlocks = async (): Promise<boolean> => false,
    readHeight?: (code: string) => Promise<number | null>,
  ): Promise<SandboxChains> => startChains({ home, log, needsBlocks, ...(readHeight && { readHeight }) })

  function chain(code: 'ETH' | 'BASE'): LocalChain {
    const found = chains.find(code)
    if (!found) throw new Error(`no ${code}`)
    return found
  }

  function pidOf(code: string): number {
    return Number.parseInt(readFileSync(join(home, 'chains', `${code}.pid`), 'utf8'), 10)
  }

  async function killAll(): Promise<void> {
    await Promise.all(['ETH', 'BASE'].map((code) => stopProcess(pidOf(code), 'SIGKILL', 1_000)))
  }

  const receipt = (code: 'ETH' | 'BASE', txHash: string): Promise<{ blockHash: string; logs: unknown[] } | null> =>
    callNode(chain(code).url, 'eth_getTransactionReceipt', txHash)

  const trace = (code: 'ETH' | 'BASE', txHash: string): Promise<{ type: string }> =>
    callNode(chain(code).url, 'debug_traceTransaction', txHash, { tracer: 'callTracer' })

  it('stands for ETH and BASE with their own chain ids and a funded payer', async () => {
    expect(await callNode(chains.nodes.ETH, 'eth_chainId')).toBe('0x7a69')
    expect(await callNode(chains.nodes.BASE, 'eth_chainId')).toBe('0x7a6a')
    for (const code of ['ETH', 'BASE'] as const)
      for (const { units } of await balances(chain(code))) expect(units).toBeGreaterThanOrEqual(10n ** 15n)
    expect((await balances(chain('ETH'))).map(({ asset }) => asset.currency)).toContain('USDT')
  })

  it('mines one block per payment: a token that returns nothing, a look-alike, the native currency', async () => {
    const before = await height(chain('ETH'))
    const silent = await payErc20(chain('ETH'), { token: SANDBOX_TOKENS.usdt, to, units: 5n })
    const alike = await payLookAlike(chain('ETH'), { to, units: 6n })
    const native = await payNative(chain('ETH'), { to, units: 7n })
    expect([silent.height, alike.height, native.height]).toEqual([before + 1, before + 2, before + 3])
    expect((await receipt('ETH', silent.txHash))?.logs).toHaveLength(1)
    expect(await callNode(chain('ETH').url, 'eth_getBalance', to, 'latest')).toBe('0x7')
  })

  it('loses no answered payment when every process is killed', async () => {
    const paid = await Promise.all(
      [1n, 2n, 3n].map((units) => payErc20(chain('BASE'), { token: SANDBOX_TOKENS.usdc, to, units })),
    )
    const before = await Promise.all(paid.map(({ txHash }) => receipt('BASE', txHash)))
    const genesis = await callNode<{ hash: string }>(chain('BASE').url, 'eth_getBlockByNumber', '0x0', false)
    await killAll()
    chains = await start()
    expect(await Promise.all(paid.map(({ txHash }) => receipt('BASE', txHash)))).toEqual(before)
    expect(await callNode(chain('BASE').url, 'eth_getBlockByNumber', '0x0', false)).toMatchObject({
      hash: genesis.hash,
    })
    const traces = await Promise.all(paid.map(({ txHash }) => trace('BASE', txHash)))
    expect(traces.map(({ type }) => type)).toEqual(['CALL', 'CALL', 'CALL'])
    await payNative(chain('BASE'), { to, units: 1n })
  })

  it('takes over nodes that outlived Kassa, with blocks their files do not have', async () => {
    await callNode(chain('ETH').url, 'anvil_mine', '0x3')
    const before = await height(chain('ETH'))
    const pid = pidOf('ETH')
    chains = await start()
    expect(chain('ETH').reused).toBe(true)
    expect(pidOf('ETH')).toBe(pid)
    await killAll()
    chains = await start()
    expect(await height(chain('ETH'))).toBe(before)
  })

  it('ends its nodes when stopped', async () => {
    const pid = pidOf('ETH')
    await chains.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(home, 'chains', 'ETH.pid'))).toBe(false)
    chains = await start()
  })

  it('reorganises 64 blocks of a fresh chain and of one that was stopped, and keeps the tokens', async () => {
    const first = await payNative(chain('ETH'), { to, units: 1n })
    expect(await reorg(chain('ETH'), 64)).toBe(first.height)
    expect(await receipt('ETH', first.txHash)).toBeNull()
    const second = await payNative(chain('ETH'), { to, units: 1n })
    await mine(chain('ETH'), 2)
    await chains.stop()
    chains = await start()
    expect(await receipt('ETH', second.txHash)).not.toBeNull()
    await reorg(chain('ETH'), 64)
    expect(await receipt('ETH', second.txHash)).toBeNull()
    await payErc20(chain('ETH'), { token: SANDBOX_TOKENS.usdc, to, units: 1n })
  })

  it('refuses what the payer has not, and blocks that the chain has not', async () => {
    const wealth = 10n ** 60n
    const beyond = { code: 'VALIDATION_FAILED' }
    await expect(payNative(chain('ETH'), { to, units: wealth })).rejects.toMatchObject(beyond)
    await expect(payLookAlike(chain('ETH'), { to, units: wealth })).rejects.toMatchObject(beyond)
    await expect(payErc20(chain('ETH'), { token: SANDBOX_TOKENS.usdc, to, units: 2n ** 256n })).rejects.toMatchObject(
      beyond,
    )
    const top = await height(chain('ETH'))
    await expect(reorg(chain('ETH'), top + 1)).rejects.toMatchObject(beyond)
    expect(await height(chain('ETH'))).toBe(top)
  })

  it('waits for a watcher that is behind, so that it finds every block traceable', async () => {
    await chains.stop()
    const read = { height: 0 }
    chains = await start(undefined, async (code) => (code === 'ETH' ? read.height : null))
    read.height = await height(chain('ETH'))
    const hashes: string[] = []
    const reading = setInterval(() => {
      // Slower than payments are made.
      read.height += 5
    }, 200)
    for (let round = 0; round < 3; round += 1) {
      const paid = await Promise.all(Array.from({ length: 40 }, () => payNative(chain('ETH'), { to, units: 1n })))
      hashes.push(...paid.map(({ txHash }) => txHash))
      expect((await height(chain('ETH'))) - read.height).toBeLessThanOrEqual(41)
    }
    clearInterval(reading)
    const unread = hashes.slice(-41)
    expect(new Set(await Promise.all(unread.map(async (hash) => (await trace('ETH', hash)).type)))).toEqual(
      new Set(['CALL']),
    )
  })

  it('refuses more than some dozens of payments at once, and makes the others', async () => {
    const paying = Array.from({ length: 60 }, () => payNative(chain('ETH'), { to, units: 1n }))
    const outcomes = await Promise.allSettled(paying)
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    expect(refused).toHaveLength(12)
    for (const reason of refused) expect(reason).toMatchObject({ code: 'RATE_LIMITED', retryAfter: 5 })
    expect(await callNode(chain('ETH').url, 'eth_getBalance', to, 'latest')).toBe('0x30')
  })

  it('reorganises blocks from before a crash, however many came after it', async () => {
    const paid = await payNative(chain('ETH'), { to, units: 1n })
    await killAll()
    chains = await start()
    await mine(chain('ETH'), 60)
    await reorg(chain('ETH'), 64)
    expect(await receipt('ETH', paid.txHash)).toBeNull()
  })

  it('mines an empty block a second while deposits wait, and stands still otherwise', async () => {
    await chains.stop()
    let isNeeded = true
    chains = await start(async () => isNeeded)
    const before = await height(chain('ETH'))
    await vi.waitFor(async () => expect(await height(chain('ETH'))).toBeGreaterThanOrEqual(before + 2), 5_000)
    isNeeded = false
    await new Promise((resolve) => setTimeout(resolve, 1_100))
    const still = await height(chain('ETH'))
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(await height(chain('ETH'))).toBe(still)
  })
})

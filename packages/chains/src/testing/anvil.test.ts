import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, describe } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'

async function call(anvil: Anvil, method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(anvil.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { result?: unknown }).result
}

describe('testing.startAnvil', () => {
  it('serves the asked chain and ends with stop, twice without harm', async () => {
    const anvil = await startAnvil({ chainId: 31_340 })
    expect(await call(anvil, 'eth_chainId')).toBe('0x7a6c')
    await anvil.stop()
    await anvil.stop()
    expect(() => process.kill(anvil.pid, 0)).toThrow('ESRCH')
  })

  it('keeps the chain in its state file across a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'kassa-anvil-state-'))
    const options = { chainId: 31_341, statePath: join(folder, 'deeper', 'state.json'), logPath: join(folder, 'log') }
    const first = await startAnvil(options)
    await call(first, 'anvil_mine', ['0x3'])
    await first.stop()
    const second = await startAnvil(options)
    expect(await call(second, 'eth_blockNumber')).toBe('0x3')
    await second.stop()
    expect(existsSync(options.logPath)).toBe(true)
    rmSync(folder, { recursive: true })
  })

  it('says what anvil printed when it does not start', async () => {
    await expect(startAnvil({ chainId: 31_342, args: ['--no-such-flag'] })).rejects.toThrow('--no-such-flag')
  })
})

import { execFile } from 'node:child_process'
import { join } from 'node:path'

import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { deployFactory } from '@kassa/chains/testing/vaults.ts'
import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const { vaults } = evmAdapter
const COLLECTOR = `0x${'22'.repeat(20)}`
const SALT = `0x${'01'.repeat(32)}`

let anvil: AnvilChain
let vault: string

beforeAll(async () => {
  anvil = await openAnvilChain()
  const { chain } = anvil.session
  await deployFactory(anvil.url, anvil.payer)
  const { to, data } = vaults.creation(chain, { salt: SALT, collector: COLLECTOR })
  await anvil.send({ to: to as `0x${string}`, data: data as `0x${string}`, gas: 3_000_000n })
  vault = vaults.vault(chain, { owner: anvil.payer, salt: SALT })
})
afterAll(() => anvil.stop())

function run(...args: string[]): Promise<{ code: number; text: string }> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  const file = join(import.meta.dirname, 'verify-vault.ts')
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env, timeout: 50_000 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
    )
  })
}

describe('npm run verify-vault', () => {
  it('proves a sweep contract with nothing but a node, and says where its money goes', async () => {
    const { code, text } = await run(anvil.url, vault.toLowerCase())
    expect(text).toContain(`${vault} is a sweep contract of this release, byte for byte`)
    expect(text).toContain(`Collector  ${COLLECTOR}`)
    expect(text).toContain(vaults.deposit(anvil.session.chain, vault, 1))
    expect(code).toBe(0)
  })

  it('does not take one whose own values were changed, whatever the rest of its code', async () => {
    const code = String(await anvil.call('eth_getCode', vault, 'latest'))
    const elsewhere = `0x${'99'.repeat(20)}`
    // The same bytes at another address: its deposits would obey the first.
    await anvil.call('anvil_setCode', elsewhere, code)
    expect(await run(anvil.url, elsewhere)).toMatchObject({ code: 1 })
    expect((await run(anvil.url, COLLECTOR)).text).toContain('is NOT a sweep contract of this release')
  })

  it('says how it is called', async () => {
    expect(await run()).toMatchObject({ code: 2 })
    expect((await run(anvil.url, 'nonsense')).code).toBe(2)
  })
})

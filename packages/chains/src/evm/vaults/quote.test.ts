import { wordOf } from '@kassa/keys/evm/create2.ts'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { VaultItem } from '../../sweep-vaults.ts'
import { type AnvilChain, openAnvilChain } from '../../testing/anvil-chain.ts'
import { deployFactory } from '../../testing/vaults.ts'
import { toHex } from '../encoding/hex.ts'
import { evmVaults } from './vaults.ts'

const OWNER: Hex = `0x${'11'.repeat(20)}`
const COLLECTOR: Hex = `0x${'22'.repeat(20)}`
const UNITS = 1_000_000n

let anvil: AnvilChain
let token: Hex
let vault: Hex

beforeAll(async () => {
  anvil = await openAnvilChain()
  await deployFactory(anvil.url, anvil.payer)
  const { chain } = anvil.session
  token = (chain.assets.find(({ standard }) => standard !== 'native')?.address ?? '0x') as Hex
  await anvil.transfer(token, anvil.probe, 1_000n * UNITS)
  const salt = toHex(wordOf(1n))
  const { to, data } = evmVaults.creation(chain, { salt, collector: COLLECTOR })
  await anvil.call('anvil_setBalance', OWNER, numberToHex(parseEther('1')))
  await anvil.send({ from: OWNER, to: to as Hex, data: data as Hex, gas: 3_000_000n })
  vault = evmVaults.vault(chain, { owner: OWNER, salt }) as Hex
}, 60_000)
afterAll(() => anvil.stop())

const deposit = (salt: number) => evmVaults.deposit(anvil.session.chain, vault, salt) as Hex
const fund = async (salts: readonly number[]) => {
  const data = (to: Hex) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, UNITS] })
  await anvil.probeCalls(salts.map((salt) => ({ target: token, data: data(deposit(salt)) })))
}
const items = (salts: readonly number[]): VaultItem[] => salts.map((salt) => ({ id: BigInt(salt), units: UNITS }))
const quote = (salts: readonly number[]) =>
  evmVaults.quote(anvil.session, {
    vault,
    call: { kind: 'sweepToken', token, items: items(salts) },
    payer: anvil.payer,
  })
const sweep = (salts: readonly number[], gas: bigint) => {
  const { to, data } = evmVaults.call(vault, { kind: 'sweepToken', token, items: items(salts) })
  return anvil.send({ to: to as Hex, data: data as Hex, gas })
}
const ITEM_FAILED = toEventSelector('ItemFailed(address,address,uint256)')
const receiptOf = async (txId: string) =>
  (await anvil.call('eth_getTransactionReceipt', txId)) as { gasUsed: Hex; logs: { topics: Hex[] }[] }

describe('evm vaults, quoted', () => {
  it('names what would move nothing, and quotes the rest', async () => {
    await fund([1, 3])
    const { refused, gas, gasLimit, gasPrice, collector } = await quote([1, 2, 3])
    expect(refused).toMatchObject([{ index: 1 }])
    expect(collector.toLowerCase()).toBe(COLLECTOR)
    expect(gasLimit).toBeGreaterThan(gas)
    expect(gasPrice).toBeGreaterThan(0n)
    expect(await quote([2])).toMatchObject({ gas: 0n, refused: [{ index: 0 }] })
  })

  it('allows so much gas that no item of a batch runs out of it, first and again', async () => {
    const salts = Array.from({ length: 20 }, (_, at) => at + 10)
    for (const round of ['first', 'again']) {
      await fund(salts)
      const { gasLimit, gas } = await quote(salts)
      const { gasUsed, logs } = await receiptOf(await sweep(salts, gasLimit))
      expect([round, ...logs.filter(({ topics }) => topics[0] === ITEM_FAILED)]).toEqual([round])
      expect(Number(gasUsed)).toBeLessThanOrEqual(Number(gas) * 1.3)
    }
  })

  it('reads what a wallet sent, with the call that it makes', async () => {
    await fund([40])
    const txId = await sweep([40], 500_000n)
    const sent = await evmVaults.sent(anvil.session, txId)
    expect(sent).toMatchObject({ state: 'included', isSuccess: true, to: vault, value: 0n })
    expect(sent.state !== 'unknown' && evmVaults.decode(sent.data)).toMatchObject({
      kind: 'sweepToken',
      items: items([40]),
    })
    expect(await evmVaults.sent(anvil.session, `0x${'ab'.repeat(32)}`)).toEqual({ state: 'unknown' })
  })
})

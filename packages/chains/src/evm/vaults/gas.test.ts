import { permitToken } from '@kassa/solidity/generated/permit-token.ts'
import {
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  numberToHex,
  parseEther,
  parseSignature,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ContractCall, Permit, VaultItem } from '../../sweep-vaults.ts'
import { type AnvilChain, openAnvilChain } from '../../testing/anvil-chain.ts'
import { mined } from '../../testing/mined.ts'
import { deployFactory } from '../../testing/vaults.ts'
import { fromHex, toHex } from '../encoding/hex.ts'
import { delegateKey } from '@kassa/keys/evm/deposit-contracts.ts'
import { wordOf } from '@kassa/keys/evm/create2.ts'
import { evmVaults } from './vaults.ts'

/** What a repeated sweep may cost per address in a batch of 50 (money.md 6.1). */
const MOST_GAS = 10_500

const OWNER: Hex = '0x1111111111111111111111111111111111111111'
const UNITS = 10_000_000n
const SENDER = privateKeyToAccount(toHex(wordOf(77n)) as Hex)

let anvil: AnvilChain
let vault: Hex
let token: Hex
let next = 1
const table: Record<string, Record<string, number>> = {}

beforeAll(async () => {
  anvil = await openAnvilChain()
  for (const address of [OWNER, SENDER.address]) {
    await anvil.call('anvil_setBalance', address, numberToHex(parseEther('100')))
  }
  await deployFactory(anvil.url, anvil.payer)
  const args = ['USD Coin', 'USDC', 6, 10n ** 15n, anvil.probe] as const
  const deployed = await anvil.submit({ data: encodeDeployData({ ...permitToken, args }), gas: 3_000_000n })
  token = (await mined(anvil.node, deployed)).contractAddress ?? '0x'
  // The collector holds some of everything, as it does after its first sweep.
  const collector: Hex = `0x${'22'.repeat(20)}`
  await fundTokens([collector])
  await anvil.send({ to: collector, value: 1n })
  const salt = toHex(wordOf(1n))
  const { to, data } = evmVaults.creation(anvil.session.chain, { salt, collector })
  await anvil.send({ from: OWNER, to: to as Hex, data: data as Hex, gas: 3_000_000n })
  vault = evmVaults.vault(anvil.session.chain, { owner: OWNER, salt }) as Hex
})
afterAll(() => anvil.stop())

const wallet = () => createWalletClient({ account: SENDER, transport: http(anvil.url) })

const take = (count: number) => Array.from({ length: count }, () => next++)

/** Accounts with keys of their own, as deposits of an extended key are. */
const accounts = (count: number) =>
  take(count).map((seed) => privateKeyToAccount(toHex(wordOf(BigInt(1_000_000 + seed))) as Hex))

const deposits = (salts: readonly number[]) =>
  salts.map((salt) => evmVaults.deposit(anvil.session.chain, vault, salt) as Hex)

const items = (ids: readonly (Hex | number)[]): VaultItem[] => ids.map((id) => ({ id: BigInt(id), units: UNITS }))

async function fundTokens(addresses: readonly Hex[]): Promise<void> {
  const data = (to: Hex) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, UNITS] })
  await anvil.probeCalls(addresses.map((to) => ({ target: token, data: data(to) })))
}

async function fundNative(addresses: readonly Hex[]): Promise<void> {
  for (const address of addresses) await anvil.call('anvil_setBalance', address, numberToHex(UNITS))
}

async function gasOf(txId: string): Promise<number> {
  const receipt = (await anvil.call('eth_getTransactionReceipt', txId)) as { gasUsed: Hex; logs: { topics: Hex[] }[] }
  return Number(receipt.gasUsed)
}

type Authorization = Awaited<ReturnType<ReturnType<typeof privateKeyToAccount>['signAuthorization']>>

async function send({ to, data }: ContractCall, authorizationList: Authorization[] = []): Promise<number> {
  const txId = await wallet().sendTransaction({
    chain: null,
    to: to as Hex,
    data: data as Hex,
    gas: 16_000_000n,
    ...(authorizationList.length > 0 ? { authorizationList } : {}),
  })
  expect((await mined(anvil.node, txId)).status).toBe('0x1')
  return gasOf(txId)
}

/** The whole of the batch must have arrived: a failed item is cheap. */
async function measure(
  name: string,
  column: string,
  count: number,
  what: 'token' | 'native',
  run: () => Promise<number>,
) {
  const before = await held(what)
  const gas = await run()
  expect((await held(what)) - before).toBe(UNITS * BigInt(count))
  const perAddress = Math.round(gas / count)
  table[name] = { ...table[name], [column]: perAddress }
  return perAddress
}

async function held(what: 'token' | 'native'): Promise<bigint> {
  const collector: Hex = `0x${'22'.repeat(20)}`
  if (what === 'native') return BigInt((await anvil.call('eth_getBalance', collector, 'latest')) as Hex)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [collector] })
  return BigInt((await anvil.call('eth_call', { to: token, data }, 'latest')) as Hex)
}

async function permitOf(account: ReturnType<typeof privateKeyToAccount>): Promise<Permit> {
  const signature = await account.signTypedData({
    domain: { name: 'USD Coin', version: '1', chainId: 31_337, verifyingContract: token },
    types: {
      Permit: ['owner', 'spender']
        .map((name) => ({ name, type: 'address' }))
        .concat(['value', 'nonce', 'deadline'].map((name) => ({ name, type: 'uint256' }))),
    },
    primaryType: 'Permit',
    message: { owner: account.address, spender: vault, value: maxUint256, nonce: 0n, deadline: maxUint256 },
  })
  const { r, s, yParity } = parseSignature(signature)
  return { owner: account.address, value: maxUint256, deadline: maxUint256, v: 27 + yParity, r, s }
}

describe.each([3, 50])('gas of evm vaults in a batch of %i', (count) => {
  it('sweeps deposit contracts', async () => {
    expect.hasAssertions()
    const salts = take(count)
    const sweep = () => send(evmVaults.call(vault, { kind: 'sweepToken', token, items: items(salts) }))
    await fundTokens(deposits(salts))
    await measure('contract, token', `first of ${count}`, count, 'token', sweep)
    await fundTokens(deposits(salts))
    const repeated = await measure('contract, token', `repeat of ${count}`, count, 'token', sweep)
    if (count === 50) expect(repeated).toBeLessThanOrEqual(MOST_GAS)

    const other = take(count)
    const sweepNative = () => send(evmVaults.call(vault, { kind: 'sweepNative', items: items(other) }))
    await fundNative(deposits(other))
    await measure('contract, native', `first of ${count}`, count, 'native', sweepNative)
    await fundNative(deposits(other))
    await measure('contract, native', `repeat of ${count}`, count, 'native', sweepNative)
  })

  it('sweeps accounts that delegate', async () => {
    expect.hasAssertions()
    const delegate = toHex(delegateKey(fromHex(vault))) as Hex
    const owners = accounts(count)
    const addresses = owners.map(({ address }) => address)
    const list = await Promise.all(
      owners.map((account) => account.signAuthorization({ contractAddress: delegate, chainId: 31_337, nonce: 0 })),
    )
    const call = evmVaults.call(vault, { kind: 'sweepTokenDelegated', token, items: items(addresses) })
    await fundTokens(addresses)
    await measure('delegated, token', `first of ${count}`, count, 'token', () => send(call, list))
    await fundTokens(addresses)
    await measure('delegated, token', `repeat of ${count}`, count, 'token', () => send(call))
    const native = evmVaults.call(vault, { kind: 'sweepNativeDelegated', items: items(addresses) })
    await fundNative(addresses)
    await measure('delegated, native', `repeat of ${count}`, count, 'native', () => send(native))
  })

  it('pulls from accounts that approved by a signature, and again without one', async () => {
    expect.hasAssertions()
    const owners = accounts(count)
    const addresses = owners.map(({ address }) => address)
    const permits = await Promise.all(owners.map(permitOf))
    const all = items(addresses)
    await fundTokens(addresses)
    const first = evmVaults.call(vault, { kind: 'permitAndPull', token, permits, items: all })
    await measure('permit and pull', `first of ${count}`, count, 'token', () => send(first))
    await fundTokens(addresses)
    const again = evmVaults.call(vault, { kind: 'pullToken', token, items: all })
    await measure('permit and pull', `repeat of ${count}`, count, 'token', () => send(again))
  })
})

describe('gas of evm vaults', () => {
  it('pulls from an account that approved in a transaction of its own, which needed gas first', async () => {
    const [account] = accounts(1)
    if (!account) throw new Error('There is no account')
    const topUp = await gasOf(await anvil.send({ to: account.address, value: parseEther('1') }))
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [vault, maxUint256] })
    await anvil.call('anvil_impersonateAccount', account.address)
    const approve = await gasOf(await anvil.send({ from: account.address, to: token, data }))
    const once = topUp + approve
    for (const count of [3, 50]) {
      const repeat = table['permit and pull']?.[`repeat of ${count}`] ?? 0
      table['approve and pull'] = {
        ...table['approve and pull'],
        [`first of ${count}`]: once + repeat,
        [`repeat of ${count}`]: repeat,
      }
    }
    expect(once).toBeGreaterThan(60_000)
  })

  it('prints what each way costs per address', () => {
    process.stdout.write(`Gas per address of a sweep, batch totals divided\n${printed()}\n`)
    expect(Object.keys(table)).toHaveLength(6)
  })
})

function printed(): string {
  const columns = [3, 50].flatMap((count) => [`first of ${count}`, `repeat of ${count}`])
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(15))).join('')
  const rows = Object.entries(table).map(([name, row]) =>
    line([name, ...columns.map((column) => `${row[column] ?? '–'}`)]),
  )
  return [line(['', ...columns]), ...rows].join('\n')
}

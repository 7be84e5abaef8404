/** A sweep of 500 addresses by each way, in gas for each of them, beside the plain transfer that would bring each home. */
import { depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { openAnvilChain, type AnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { deployFactory } from '@kassa/chains/testing/vaults.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'

import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'

const ADDRESSES = 500
/** Addresses of one transaction, as plans cut them. */
const BATCH = 100
const UNITS = 10_000_000n

type Hex = `0x${string}`

const OWNER: Hex = '0x1111111111111111111111111111111111111111'
const COLLECTOR: Hex = `0x${'22'.repeat(20)}`
const TOKEN = SANDBOX_TOKENS.usdc
const ETHER = 10n ** 18n
const EVERYTHING = 2n ** 256n - 1n

export const sweepGas: Measurement = { name: 'sweep-gas', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const anvil = await openAnvilChain('ETH')
  cleanup(() => anvil.stop())
  const vault = await openVault(anvil)
  const salts = Array.from({ length: ADDRESSES }, (_, at) => at + 1)
  const deposits = salts.map(
    (salt): Hex => `0x${Buffer.from(depositKey(Buffer.from(vault.slice(2), 'hex'), BigInt(salt))).toString('hex')}`,
  )
  const owners = salts.map((salt) => hexOf(0x7000_0000n + BigInt(salt), 20))
  const sweep = (ids: readonly bigint[], kind: 'sweepToken' | 'pullToken') =>
    sumOf(anvil, chunksOf(ids), (some) =>
      evmVaults.call(vault, { kind, token: TOKEN, items: some.map((id) => ({ id, units: UNITS })) }),
    )
  await fund(anvil, deposits)
  const first = await sweep(salts.map(BigInt), 'sweepToken')
  await fund(anvil, deposits)
  const repeat = await sweep(salts.map(BigInt), 'sweepToken')
  await fund(anvil, owners)
  const approvals = await approve(anvil, owners, vault)
  const pulled = await sweep(owners.map(BigInt), 'pullToken')
  const plain = await gasOf(anvil, await anvil.transfer(TOKEN, COLLECTOR, UNITS))
  const beside = (name: string, { gas, transactions }: Spent): Figure => ({
    name: `${name}: ${ADDRESSES} addresses in ${transactions} transactions, each`,
    value: gas / ADDRESSES,
    unit: 'gas',
    limit: { name: 'a plain transfer of the token', value: plain },
  })
  return [
    beside('contract, first', first),
    beside('contract, again', repeat),
    beside('approval, pulled', pulled),
    beside('approval itself, once', { gas: approvals, transactions: ADDRESSES }),
  ]
}

async function openVault(anvil: AnvilChain): Promise<Hex> {
  await anvil.call('anvil_setBalance', OWNER, hexOf(100n * ETHER))
  await deployFactory(anvil.url, anvil.payer)
  const salt = hexOf(1n, 32)
  const { to, data } = evmVaults.creation(anvil.session.chain, { salt, collector: COLLECTOR })
  await anvil.send({ from: OWNER, to: to as Hex, data: data as Hex })
  // The collector holds some of it, as after its first sweep.
  await anvil.transfer(TOKEN, COLLECTOR, 1n)
  return evmVaults.vault(anvil.session.chain, { owner: OWNER, salt }) as Hex
}

async function fund(anvil: AnvilChain, addresses: readonly Hex[]): Promise<void> {
  // transfer(address,uint256), ERC-20
  const data = (to: Hex): Hex => `0xa9059cbb${wordOf(BigInt(to))}${wordOf(UNITS)}`
  await anvil.transfer(TOKEN, anvil.probe, UNITS * BigInt(addresses.length))
  for (const some of chunksOf(addresses, 30)) {
    await anvil.probeCalls(some.map((to) => ({ target: TOKEN, data: data(to) })))
  }
}

/** Each account allows the vault to take what it holds; returns the gas of all of them. */
async function approve(anvil: AnvilChain, owners: readonly Hex[], vault: Hex): Promise<number> {
  // approve(address,uint256), ERC-20
  const data: Hex = `0x095ea7b3${wordOf(BigInt(vault))}${wordOf(EVERYTHING)}`
  let gas = 0
  for (const from of owners) {
    await anvil.call('anvil_setBalance', from, hexOf(ETHER))
    gas += await gasOf(anvil, await anvil.send({ from, to: TOKEN, data }))
  }
  return gas
}

type Spent = { readonly gas: number; readonly transactions: number }

async function sumOf(
  anvil: AnvilChain,
  parts: readonly (readonly bigint[])[],
  callOf: (ids: readonly bigint[]) => { readonly to: string; readonly data: string },
): Promise<Spent> {
  let gas = 0
  for (const part of parts) {
    const { to, data } = callOf(part)
    gas += await gasOf(anvil, await anvil.send({ to: to as Hex, data: data as Hex, gas: 16_000_000n }))
  }
  return { gas, transactions: parts.length }
}

async function gasOf(anvil: AnvilChain, txId: string): Promise<number> {
  const { gasUsed, status } = (await anvil.call('eth_getTransactionReceipt', txId)) as { gasUsed: Hex; status: Hex }
  if (status !== '0x1') throw new Error(`The transaction ${txId} failed`)
  return Number(gasUsed)
}

function wordOf(value: bigint): string {
  return value.toString(16).padStart(64, '0')
}

function hexOf(value: bigint, bytes = 0): Hex {
  return `0x${value.toString(16).padStart(2 * bytes, '0')}`
}

function chunksOf<T>(all: readonly T[], size = BATCH): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import fc from 'fast-check'
import { type Abi, decodeFunctionData, decodeFunctionResult, encodeFunctionData, type Hex, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VaultCall } from '../../sweep-vaults.ts'
import { type AnvilChain, openAnvilChain, probeData } from '../../testing/anvil-chain.ts'
import { deployFactory } from '../../testing/vaults.ts'
import { fromHex, keccak, keccakText, toHex } from '../encoding/hex.ts'
import { delegateKey, depositCode, depositInitHash, depositKey } from '@kassa/keys/evm/deposit-contracts.ts'
import { decodeVaultCall, encodeFactoryCall, encodeVaultCall } from '../../vault-contract/calls.ts'
import { RELEASED_CODE_HASHES, vaultCode } from '../../vault-contract/code.ts'
import { create2Address, CREATE2_PREFIX } from '@kassa/keys/evm/create2.ts'
import { evmVaults } from './vaults.ts'

const OWNER = '0x1111111111111111111111111111111111111111'
const COLLECTOR = '0x2222222222222222222222222222222222222222'
const SALT: Hex = `0x${'07'.repeat(32)}`

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => toHex(value))
const item = fc.record({
  id: fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }),
  units: fc.bigInt({ min: 0n, max: 2n ** 96n - 1n }),
})
const items = fc.array(item, { maxLength: 4 })
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const permit = fc.record({
  owner: hex(20),
  value: uint,
  deadline: uint,
  v: fc.integer({ min: 0, max: 255 }),
  r: hex(32),
  s: hex(32),
})
const permits = fc.array(permit, { maxLength: 3 })
const vaultCall: fc.Arbitrary<VaultCall> = fc.oneof(
  fc.record({ kind: fc.constantFrom('sweepToken', 'sweepTokenDelegated', 'pullToken'), token: hex(20), items }),
  fc.record({ kind: fc.constantFrom('sweepNative', 'sweepNativeDelegated'), items }),
  fc.record({ kind: fc.constant('permitAndPull' as const), token: hex(20), permits, items }),
  fc.record({ kind: fc.constant('permitToken' as const), token: hex(20), permits }),
  fc.record({ kind: fc.constant('deploy' as const), salts: fc.array(uint, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('proposeCollector' as const), to: hex(20) }),
  fc.record({ kind: fc.constantFrom('acceptCollector', 'cancelCollector', 'freezeCollector') }),
)

let anvil: AnvilChain
let chain: AnvilChain['session']['chain']
let factory: Hex

beforeAll(async () => {
  anvil = await openAnvilChain()
  chain = anvil.session.chain
  factory = await deployFactory(anvil.url, anvil.payer)
  await anvil.call('anvil_setBalance', OWNER, `0x${parseEther('1').toString(16)}`)
})
afterAll(() => anvil.stop())

async function view(to: string, abi: Abi, functionName: string, args: readonly unknown[] = []): Promise<unknown> {
  const data = (await anvil.call(
    'eth_call',
    { to, data: encodeFunctionData({ abi, functionName, args }) },
    'latest',
  )) as Hex
  return decodeFunctionResult({ abi, functionName, data })
}

describe('evm vault calls', () => {
  it('reads again what it wrote, and nothing that has a byte to spare', () => {
    fc.assert(
      fc.property(vaultCall, (call) => {
        const data = encodeVaultCall(call)
        expect(lower(decodeVaultCall(data))).toEqual(lower(call))
        expect(decodeVaultCall(`${data}00`)).toBeNull()
      }),
    )
    expect(decodeVaultCall('0x')).toBeNull()
    expect(decodeVaultCall('0xa9059cbb')).toBeNull()
  })

  it('encodes a creation under both names', () => {
    for (const kind of ['createVault', 'createFundSweeperContract'] as const) {
      const data = encodeFactoryCall({ kind, salt: SALT, collector: COLLECTOR })
      expect(decodeFunctionData({ abi: kassaFactory.abi, data })).toEqual({
        functionName: kind,
        args: [SALT, COLLECTOR],
      })
    }
  })

  it('refuses an item that would lose its upper bits', () => {
    const sweep = (one: { id: bigint; units: bigint }) => () => encodeVaultCall({ kind: 'sweepNative', items: [one] })
    for (const one of [
      { id: 1n, units: 2n ** 96n },
      { id: 2n ** 160n, units: 1n },
      { id: 1n, units: -1n },
      { id: -1n, units: 1n },
    ]) {
      expect(sweep(one)).toThrow(RangeError)
    }
  })
})

describe('evm vault addresses', () => {
  it('places a contract as EIP-1014 says, and elsewhere under the prefix of TVM', () => {
    const vector = {
      deployer: fromHex('0xdeadbeef00000000000000000000000000000000'),
      salt: fromHex('0x000000000000000000000000feed000000000000000000000000000000000000'),
      initHash: keccak(fromHex('0x00')),
    }
    const evm = create2Address({ prefix: CREATE2_PREFIX.evm, ...vector })
    expect(toHex(evm)).toBe('0xd04116cdd17bebe565eb2422f2497e06cc1c9833')
    expect(toHex(create2Address({ prefix: CREATE2_PREFIX.tvm, ...vector }))).not.toBe(toHex(evm))
  })

  it('knows the factory, the vault and every deposit address before they exist (I10)', async () => {
    expect(evmVaults.factory(chain).toLowerCase()).toBe(factory)
    expect(await anvil.call('eth_getCode', factory, 'latest')).toBe(kassaFactory.runtime)
    expect(await view(factory, kassaFactory.abi, 'vaultAddress', [OWNER, SALT])).toBe(
      evmVaults.vault(chain, { owner: OWNER, salt: SALT }),
    )
    const vault = await createVault(SALT)
    expect(await anvil.call('eth_getCode', vault, 'latest')).toBe(vaultCode(fromHex(factory), fromHex(vault)))
    expect(await view(vault, kassaVault.abi, 'DEPOSIT_INIT_HASH')).toBe(toHex(depositInitHash(fromHex(vault))))
    const delegate = String(await view(vault, kassaVault.abi, 'DELEGATE'))
    expect(delegate.toLowerCase()).toBe(toHex(delegateKey(fromHex(vault))))
    expect(await anvil.call('eth_getCode', delegate, 'latest')).toBe(toHex(depositCode(fromHex(vault))))
    for (const salt of fc.sample(fc.bigInt({ min: 0n, max: 2n ** 160n - 1n }), 25)) {
      const onChain = String(await view(vault, kassaVault.abi, 'depositAddress', [salt]))
      expect(toHex(depositKey(fromHex(vault), salt))).toBe(onChain.toLowerCase())
    }
  })
})

describe('evm vaults on a chain', () => {
  it('moves what two deposits hold to the collector, and reads their state', async () => {
    const vault = await createVault(`0x${'08'.repeat(32)}`)
    const token = chain.assets.find(({ standard }) => standard !== 'native')
    if (!token) throw new Error('The sandbox has no token')
    for (const salt of [1, 2]) {
      await anvil.transfer(token.address as Hex, evmVaults.deposit(chain, vault, salt) as Hex, 100n)
      await anvil.send({ to: evmVaults.deposit(chain, vault, salt) as Hex, value: 7n })
    }
    const both = [
      { id: 1n, units: 100n },
      { id: 2n, units: 60n },
    ]
    await sendCall(evmVaults.call(vault, { kind: 'sweepToken', token: token.address, items: both }))
    await sendCall(evmVaults.call(vault, { kind: 'sweepNative', items: [{ id: 2n, units: 7n }] }))
    const balance = (address: string) => anvil.call('eth_getBalance', address, 'latest').then(Number)
    expect(await balance(COLLECTOR)).toBe(7)
    expect(await balance(evmVaults.deposit(chain, vault, 1))).toBe(7)
    await sendCall(evmVaults.call(vault, { kind: 'proposeCollector', to: `0x${'33'.repeat(20)}` }), OWNER)
    const state = await evmVaults.state(anvil.session, vault)
    expect(state).toMatchObject({ owner: OWNER, collector: COLLECTOR, isFrozen: false })
    expect(state.proposed?.collector).toBe(`0x${'33'.repeat(20)}`)
    await sendCall(evmVaults.call(vault, { kind: 'freezeCollector' }), OWNER)
    expect(await evmVaults.state(anvil.session, vault)).toMatchObject({ proposed: null, isFrozen: true })
    expect(await evmVaults.codeHash(anvil.session, vault)).toBe(RELEASED_CODE_HASHES.vault)
    expect(await evmVaults.codeHash(anvil.session, factory)).toBe(RELEASED_CODE_HASHES.factory)
    expect(await evmVaults.codeHash(anvil.session, OWNER)).toBeNull()
  })

  it('tells which vault a transaction created', async () => {
    const salt: Hex = `0x${'09'.repeat(32)}`
    const txId = await sendCall(evmVaults.creation(chain, { salt, collector: COLLECTOR }), OWNER)
    const vault = evmVaults.vault(chain, { owner: OWNER, salt })
    const created = await evmVaults.created(anvil.session, txId)
    expect(created).toMatchObject({
      state: 'created',
      vault,
      salt,
      now: { owner: OWNER, collector: COLLECTOR, proposed: null },
    })
  })

  it('believes no transaction that is not of our factory', async () => {
    const plain = await anvil.send({ to: COLLECTOR, value: 1n })
    expect(await evmVaults.created(anvil.session, plain)).toEqual({ state: 'mismatch', reason: 'not-by-factory' })
    expect(await evmVaults.created(anvil.session, `0x${'ab'.repeat(32)}`)).toEqual({ state: 'unknown' })
    const again = await sendCall(evmVaults.creation(chain, { salt: SALT, collector: COLLECTOR }), OWNER)
    expect(await evmVaults.created(anvil.session, again)).toMatchObject({ state: 'failed' })
    // The event of our factory in the name of another contract.
    const lie = await anvil.send({ to: anvil.probe, data: emitCreated() })
    expect(await evmVaults.created(anvil.session, lie)).toEqual({ state: 'mismatch', reason: 'not-by-factory' })
  })

  it('believes no vault whose code is another', async () => {
    const salt: Hex = `0x${'0a'.repeat(32)}`
    const txId = await sendCall(evmVaults.creation(chain, { salt, collector: COLLECTOR }), OWNER)
    const vault = evmVaults.vault(chain, { owner: OWNER, salt })
    const code = vaultCode(fromHex(factory), fromHex(`0x${'44'.repeat(20)}`))
    await anvil.call('anvil_setCode', vault, code)
    expect(await evmVaults.created(anvil.session, txId)).toEqual({ state: 'mismatch', reason: 'code' })
  })
})

async function createVault(salt: Hex): Promise<Hex> {
  await sendCall(evmVaults.creation(chain, { salt, collector: COLLECTOR }), OWNER)
  return evmVaults.vault(chain, { owner: OWNER, salt }) as Hex
}

async function sendCall({ to, data }: { to: string; data: string }, from: Hex = anvil.payer): Promise<string> {
  return anvil.send({ from, to: to as Hex, data: data as Hex, gas: 3_000_000n })
}

function emitCreated(): Hex {
  const topic = toHex(keccakText('VaultCreated(address,address,address,bytes32)'))
  const word = (address: string) => `0x${address.slice(2).padStart(64, '0')}`
  return probeData('emitLog', [[topic, word(COLLECTOR), word(OWNER)], `${word(COLLECTOR)}${SALT.slice(2)}`])
}

/** Addresses come back with their checksum. */
function lower(call: VaultCall | null): unknown {
  return JSON.parse(
    JSON.stringify(call, (_key, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)).toLowerCase(),
  )
}

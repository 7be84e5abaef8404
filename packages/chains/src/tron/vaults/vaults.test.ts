import { ownerCallData, vaultAddressOf } from '@kassa/keys/vault-calls.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SendIntent } from '../../send-intent.ts'
import { openTronChain, type TronChain } from '../../testing/tron-chain.ts'
import { tronAdapter } from '../adapter.ts'
import { readHoldings } from '../state/holdings.ts'

const { vaults, sender, reader } = tronAdapter
const COLLECTOR = 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'
const SALT = `0x${'07'.repeat(32)}`
const PLENTY = 10_000_000_000n

let tron: TronChain
let vault: string

beforeAll(async () => {
  tron = await openTronChain()
  vault = vaults.vault(tron.chain, { owner: tron.payer.address, salt: SALT })
})
afterAll(() => tron.stop())

async function send(intent: SendIntent): Promise<string> {
  const { address: from, key } = tron.payer
  const planned = await sender.plan(tron.session(), { from, intent, maxFee: PLENTY })
  if (planned.kind === 'refused') throw new Error(JSON.stringify(planned.why, (_key, value: unknown) => String(value)))
  const signed = sender.sign(tron.chain, planned.tx, key)
  expect(await sender.broadcast(tron.session(), signed)).toBe('accepted')
  return signed.txId
}
const call = ({ to, data }: { to: string; data: string }) => send({ kind: 'call', to, data, units: 0n })
const pay = (assetId: number, to: string, units: bigint) => send({ kind: 'transfer', assetId, to, units })
const heldBy = (address: string, assetId: number) => readHoldings(tron.session(), address, assetId)

describe('tron vaults', () => {
  it('are created by their owner where everybody computed them before, with the code of the release', async () => {
    const creation = vaults.creation(tron.chain, { salt: SALT, collector: COLLECTOR })
    const factory = vaults.factory(tron.chain)
    const owner = tron.payer.address
    // What the page makes in the browser is what the server's library makes.
    expect(ownerCallData({ kind: 'createVault', salt: SALT, collector: COLLECTOR })).toBe(creation.data)
    expect(vaultAddressOf({ factory, bytecode: kassaVault.bytecode, owner, salt: SALT })).toBe(vault)
    const txId = await call(creation)
    expect(await vaults.created(tron.session(), txId)).toMatchObject({
      state: 'created',
      vault,
      salt: SALT,
      creator: owner,
      now: { owner, collector: COLLECTOR, proposed: null, isFrozen: false },
    })
    expect(await vaults.isOurs(tron.session(), vault)).toBe(true)
    expect(await vaults.isOurs(tron.session(), factory)).toBe(false)
    const { fund_sweeper: released, factory_contract: maker } = vaults.released(tron.chain)
    expect(await vaults.codeHash(tron.session(), vault)).toBe(released.codeHash)
    expect(await vaults.codeHash(tron.session(), factory)).toBe(maker.codeHash)
    expect(await vaults.codeHash(tron.session(), COLLECTOR)).toBeNull()
    const other = await pay(tron.assets.native, COLLECTOR, 1_000_000n)
    expect(await vaults.created(tron.session(), other)).toEqual({ state: 'mismatch', reason: 'not-by-factory' })
  })

  it.each([
    ['TRX', 'native'],
    ['a token whose transfer returns nothing', 'usdt'],
  ] as const)('sweep %s from two addresses to the collector, and leave out what is not there', async (_what, asset) => {
    const assetId = tron.assets[asset]
    const deposits = [1, 2].map((salt) => vaults.deposit(tron.chain, vault, salt))
    for (const to of deposits) await pay(assetId, to, 40_000_000n)
    const items = [
      { id: 1n, units: 40_000_000n },
      { id: 2n, units: 40_000_000n },
      { id: 3n, units: 5_000_000n },
    ]
    const whole =
      asset === 'native'
        ? ({ kind: 'sweepNative', items } as const)
        : ({ kind: 'sweepToken', token: tron.tokens.usdt, items } as const)
    const quote = await vaults.quote(tron.session(), { vault, call: whole, payer: tron.payer.address })
    expect(quote).toMatchObject({ collector: COLLECTOR, refused: [{ index: 2 }] })
    expect(quote.gasLimit).toBeGreaterThan(quote.gas)
    const sweep = { ...whole, items: items.slice(0, 2) }
    const made = vaults.call(vault, sweep)
    expect(vaults.decode(made.data)).toEqual(sweep)
    const before = await heldBy(COLLECTOR, assetId)
    const txId = await send({ kind: 'call', ...made, units: 0n, leastGas: quote.gasLimit })
    expect((await heldBy(COLLECTOR, assetId)) - before).toBe(80_000_000n)
    const facts = await reader.transaction(tron.session(), txId)
    const moved = facts.state === 'included' ? facts.transfers : []
    expect(moved.map(({ senders, to, units }) => [senders[0], to, units])).toEqual(
      deposits.map((deposit) => [deposit, COLLECTOR, 40_000_000n]),
    )
    expect(await vaults.sent(tron.session(), txId)).toMatchObject({
      state: 'included',
      isSuccess: true,
      ...made,
    })
  })

  it('stand nowhere on networks where no factory is known', async () => {
    const elsewhere = { ...tron.chain, mode: 'mainnet' as const }
    expect(vaults.released(elsewhere).factory_contract.address).toBeNull()
    expect(() => vaults.factory(elsewhere)).toThrow('knows of no factory')
  })
})

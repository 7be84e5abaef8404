import { randomBytes } from 'node:crypto'

import { evmAdapter } from '@kassa/chains/evm/adapter.ts'
import { evmVaults } from '@kassa/chains/evm/vaults/vaults.ts'
import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { alarmsRoutes } from '@kassa/contract/alarms/routes.ts'
import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import { contractAddressesRoutes } from '@kassa/contract/sweep-contracts/address-routes.ts'
import { sweepContractsRoutes } from '@kassa/contract/sweep-contracts/routes.ts'
import { coldWalletsRoutes } from '@kassa/contract/wallets/cold-routes.ts'
import { contractWalletsRoutes } from '@kassa/contract/wallets/contract-routes.ts'
import { walletsRoutes } from '@kassa/contract/wallets/routes.ts'
import { sql } from 'kysely'
import { encodeDeployData, getContractAddress, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { callVault, createVault } from '../../testing/vaults.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { requireGenuine } from '../wallets/service.ts'
import { ownAddressesByKeys } from '../wallets/own-addresses/service.ts'
import { watchContractsJob } from './jobs.ts'
import { readCreation } from './chain/read-chain.ts'
import { registerContractWallet } from './register.ts'
import { findVault } from './service.ts'
import { findBlockchain } from '../blockchains/chains/service.ts'

const { addContractWallet, listCollectors, recordCollector } = contractWalletsRoutes
const {
  registerContractAddress,
  findContractAddress,
  getContractAddress: getRow,
  changeContractAddress,
} = contractAddressesRoutes

/** Ids of contracts of the release: blockchain × 10 + type. */
const [FACTORY_ON_ETH, FACTORY_ON_BASE] = [11, 41]
const ETH = 1
const REFUSED = { code: 'SERVICE_UNAVAILABLE' }

let app: TestApp
let key: string
let eth: AnvilChain
let base: AnvilChain
let shop: number

beforeAll(async () => {
  ;[app, eth, base] = await Promise.all([testApp(), openAnvilChain(), openAnvilChain('BASE')])
  key = await app.signUp()
  const ctx = asSystem(app.ctx)
  await setSandboxNode(ctx, 'ETH', eth.node.label)
  await setSandboxNode(ctx, 'BASE', base.node.label)
  shop = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
}, 60_000)
afterAll(async () => {
  await Promise.all([eth.stop(), base.stop()])
  await app.stop()
})

const stranger = () => evmAdapter.addresses.format(eth.session.chain, randomBytes(20)) as Hex
const lower = (text: string | null | undefined) => text?.toLowerCase()

const add = (transactionHash: string, body: object = {}, id = FACTORY_ON_ETH) =>
  app.call(addContractWallet, { params: { id }, body: { transactionHash, ...body } }, { key })

const addCold = async (address: string) =>
  (
    await app.call(
      coldWalletsRoutes.addColdWallet,
      { params: { id: 'ETH' }, body: { name: 'Ledger', address } },
      { key },
    )
  ).body

const approve = (body: { address: string; transactionHash: string; fundCollectorAddress: string }) =>
  app.call(registerContractAddress, { params: { b: 'ETH', name: 'sweep_approval' }, body }, { key })

const alarms = async (wanted = 'collector_change_pending') =>
  (await app.call(alarmsRoutes.listAlarms, {}, { key })).body
    .filter(({ kind }) => kind === wanted)
    .map(({ params }) => params)

describe('wallets.addContractWallet', () => {
  it('adds a wallet whose addresses the verified contract commands, and its collector as a cold wallet', async () => {
    const [owner, collector] = [stranger(), stranger()]
    const { txId, vault } = await createVault(eth, { owner, collector })
    const path = { params: { id: FACTORY_ON_ETH, p: String(shop) }, body: { transactionHash: txId, name: 'Main' } }
    const { status, body } = await app.call(addContractWallet, path, { key, path: 1 })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Main', walletSubType: 'scw', secretType: 'create2', family: 'ETH_Family' })
    expect(body.fund_sweeper_address).toBe(vault)
    expect(lower(body.masterAddress)).toBe(lower(owner))
    expect(body.walletScws).toMatchObject([{ blockchainCode: 'ETH', fundSweeperAddress: vault, transactionHash: txId }])
    expect(lower(body.walletScws[0]?.fundCollectorAddress)).toBe(lower(collector))
    expect(body.externalPlatformWallets).toMatchObject([{ externalPlatformID: shop }])
    const cold = await app.call(coldWalletsRoutes.listColdWallets, { params: { id: 'ETH' } }, { key })
    expect(cold.body.map(({ address }) => lower(address))).toContain(lower(collector))
    const found = await findVault(app.ctx, { walletId: body.id, subType: 'scw', blockchainId: ETH })
    expect(found).toMatchObject({ address: vault, problem: null, pendingCollector: null })
    const own = await ownAddressesByKeys(app.ctx, ETH, [Buffer.from(vault.slice(2), 'hex')])
    expect(own).toMatchObject([{ role: 'vault' }])
    // A repeat, as after an answer that was lost, gives the same wallet.
    expect((await add(txId)).body.id).toBe(body.id)
    expect((await add(txId, { walletID: body.id })).body.id).toBe(body.id)
  })

  it('adds a blockchain to a wallet that has the contract, and refuses another contract', async () => {
    const [owner, collector] = [stranger(), stranger()]
    const first = await createVault(eth, { owner, collector })
    const { id } = (await add(first.txId)).body
    const same = await createVault(base, { owner, collector: stranger(), salt: first.salt })
    expect(same.vault).toBe(first.vault)
    const other = await createVault(base, { owner, collector })
    const refused = await add(other.txId, { walletID: id }, FACTORY_ON_BASE)
    expect(refused.refusal?.code).toBe('CONTRACT_MISMATCH')
    const { body } = await add(same.txId, { walletID: id }, FACTORY_ON_BASE)
    expect(body.id).toBe(id)
    expect(body.walletScws.map(({ blockchainCode }) => blockchainCode)).toEqual(['ETH', 'BASE'])
    expect((await add(first.txId, { walletID: 999_999 })).refusal?.code).toBe('TRANSACTION_USED')
  })

  it('refuses a wallet of another kind', async () => {
    const { txId } = await createVault(eth, { owner: stranger(), collector: stranger() })
    const cold = await addCold(stranger())
    expect((await add(txId, { walletID: cold.id })).refusal?.code).toBe('WALLET_NOT_FOUND')
  })

  it('refuses what is no creation by the factory of this release', async () => {
    const payment = await eth.send({ to: stranger(), value: 1n })
    const fake = await fakeFactoryCreation()
    const reverted = await eth.send({ from: eth.payer, to: eth.probe, data: '0xdeadbeef', gas: 100_000n })
    await eth.mine(2)
    expect((await add(payment)).refusal?.code).toBe('CONTRACT_MISMATCH')
    expect((await add(fake)).refusal?.code).toBe('CONTRACT_MISMATCH')
    expect((await add(reverted)).refusal?.code).toBe('CONTRACT_MISMATCH')
    expect((await add(`0x${'ab'.repeat(32)}`)).refusal?.code).toBe('TRANSACTION_NOT_FOUND')
    expect((await add('0x12')).refusal?.code).toBe('TRANSACTION_INVALID')
    expect((await add(payment, {}, 12)).refusal?.code).toBe('CONTRACT_NOT_FOUND')
    expect((await add(payment, {}, 999)).refusal?.code).toBe('CONTRACT_NOT_FOUND')
  })

  it('refuses a creation whose place another transaction of its sender took', async () => {
    await eth.call('evm_setAutomine', false)
    const waiting = await eth.submit({ to: stranger(), value: 1n })
    // As when a block holds the other one, and the node's pool this one still.
    await eth.call('anvil_setNonce', eth.payer, '0xffff')
    expect((await add(waiting)).refusal?.details).toMatch(/took its place/)
    await eth.call('evm_setAutomine', true)
  })

  it('refuses a contract whose code was exchanged since', async () => {
    const { txId, vault } = await createVault(eth, { owner: stranger(), collector: stranger() })
    const code = String(await eth.call('eth_getCode', vault, 'latest'))
    // One byte of what the compiler left open: the contract would obey somebody else.
    await eth.call('anvil_setCode', vault, `${code.slice(0, -2)}${code.endsWith('00') ? '01' : '00'}`)
    expect((await add(txId)).refusal?.code).toBe('CONTRACT_MISMATCH')
  })

  it('waits until the creation is confirmed', async () => {
    const vault = await createVault(eth, { owner: stranger(), collector: stranger() })
    const snapshot = await eth.call('evm_snapshot')
    const { txId } = await justMined(vault.owner)
    const { refusal } = await add(txId)
    expect(refusal?.code).toBe('TRANSACTION_UNCONFIRMED')
    await eth.call('evm_revert', snapshot)
  })

  it('makes owner and collector two keys on mainnet, and warns of one elsewhere', async () => {
    const owner = stranger()
    const { txId } = await createVault(eth, { owner, collector: owner })
    const created = await readCreation(app.ctx, await onEth(), txId)
    const mainnet = { ...asSystem(app.ctx), config: { ...app.ctx.config, network: 'mainnet' as const } }
    const other = await readCreation(
      app.ctx,
      await onEth(),
      (await createVault(eth, { owner: stranger(), collector: stranger() })).txId,
    )
    const register = (one: typeof created) =>
      inTransaction(mainnet, (tx) => registerContractWallet(tx, one, {} as never))
    await expect(register(created)).rejects.toMatchObject({ code: 'COLLECTOR_IS_MASTER' })
    // There a person adds the cold wallet before, with proof of presence and a delay.
    await expect(register(other)).rejects.toMatchObject({ code: 'COLLECTOR_NOT_COLD_WALLET' })
    expect((await add(txId)).status).toBe(201)
    expect(app.logLines.join('')).toContain('one stolen key takes both')
  })

  it('refuses a collector that is a hot wallet or another contract of ours', async () => {
    const first = await createVault(eth, { owner: stranger(), collector: stranger() })
    await add(first.txId)
    const { txId } = await createVault(eth, { owner: stranger(), collector: first.vault })
    expect((await add(txId)).refusal?.code).toBe('ADDRESS_IS_OURS')
  })

  it('answers when no node does', async () => {
    expect((await add(`0x${'ab'.repeat(32)}`, {}, 51)).refusal?.code).toBe('NODE_UNREACHABLE')
  })
})

describe('sweep-contracts.registerContractAddress', () => {
  it('registers a contract for approvals once its claims agree with the chain', async () => {
    const [owner, collector] = [stranger(), stranger()]
    const { txId, vault } = await createVault(eth, { owner, collector })
    const claim = { address: vault, transactionHash: txId, fundCollectorAddress: collector }
    expect((await approve({ ...claim, address: stranger() })).refusal?.code).toBe('CONTRACT_MISMATCH')
    expect((await approve({ ...claim, fundCollectorAddress: owner })).refusal?.code).toBe('CONTRACT_MISMATCH')
    expect((await approve({ ...claim, address: 'moon' })).refusal?.code).toBe('ADDRESS_INVALID')
    expect((await approve(claim)).refusal?.code).toBe('COLLECTOR_NOT_COLD_WALLET')
    await addCold(collector)
    const { status, body } = await approve(claim)
    expect(status).toBe(201)
    expect(body).toMatchObject({ address: vault, walletID: null, contractType: 'sweep_approval', contractID: 13 })
    expect((await approve(claim)).refusal?.code).toBe('TRANSACTION_USED')
    for (const name of ['sweep_approval', '13']) {
      const found = await app.call(findContractAddress, { params: { b: 'ETH', name } }, { key })
      expect(found.body).toEqual({ ...body, readAt: found.body.readAt })
    }
    const factories = await app.call(sweepContractsRoutes.listFactories, {}, { key })
    const onEth = factories.body.find(({ blockchainCode }) => blockchainCode === 'ETH')
    expect(onEth?.sweepContract?.id).toBe(body.id)
    const wallet = await findVault(app.ctx, { walletId: 1, subType: 'eoa', blockchainId: ETH })
    expect(wallet).toMatchObject({ id: body.id, type: 'sweep_approval' })
    // The contract of approvals may be that of a contract wallet, too.
    expect((await add(txId)).status).toBe(201)
    const off = { params: { id: body.id }, body: { status: 'inactive', name: 'Old' } } as const
    const changed = await app.call(changeContractAddress, off, { key, path: 1 })
    expect(changed.body).toMatchObject({ status: 'inactive', name: 'Old' })
    expect((await app.call(getRow, { params: { id: body.id } }, { key, path: 1 })).body.name).toBe('Old')
    expect(await findVault(app.ctx, { walletId: 1, subType: 'eoa', blockchainId: ETH })).toBeNull()
  })

  it('answers what is not there, and where there are no sweep contracts', async () => {
    const claim = { address: stranger(), transactionHash: `0x${'ab'.repeat(32)}`, fundCollectorAddress: stranger() }
    const at = (b: string, name: string) =>
      app.call(registerContractAddress, { params: { b, name }, body: claim }, { key })
    expect((await at('ETH', 'factory_contract')).refusal?.code).toBe('CONTRACT_NOT_FOUND')
    expect((await at('BTC', 'sweep_approval')).refusal?.code).toBe('FAMILY_UNSUPPORTED')
    const absent = await app.call(findContractAddress, { params: { b: 'POLYGON', name: 'fund_sweeper' } }, { key })
    expect(absent.refusal?.code).toBe('CONTRACT_ADDRESS_NOT_FOUND')
    const row = await app.call(getRow, { params: { id: 999_999 } }, { key, path: 1 })
    expect(row.refusal?.code).toBe('CONTRACT_ADDRESS_NOT_FOUND')
  })
})

describe('a change of the collector', () => {
  it('is noticed with who proposed it and until when it can be refused, and confirmed once it is on chain', async () => {
    const [owner, collector, next] = [stranger(), stranger(), stranger()]
    const { txId, vault } = await createVault(eth, { owner, collector })
    const { id } = (await add(txId)).body
    const place = { params: { id, f: 'ETH_Family' } }
    const record = (address: string) => app.call(recordCollector, { ...place, body: { address } }, { key })
    const before = await alarms()

    await callVault(eth, owner, vault, { kind: 'proposeCollector', to: next })
    await watchContractsJob.run(app.ctx, {})
    const raised = (await alarms()).filter((one) => !before.includes(one)).at(-1)
    expect(raised).toMatchObject({ case: 'collector', blockchainCode: 'ETH', contract: vault })
    expect(lower(String(raised?.['by']))).toBe(lower(owner))
    expect(lower(String(raised?.['proposed']))).toBe(lower(next))
    const shown = (await app.call(listCollectors, place, { key })).body.collectors
    expect(shown.map(({ onChain, recorded }) => [onChain, recorded])).toEqual([
      [true, true],
      [false, false],
    ])
    expect(shown[1]?.readyAt?.getTime()).toBeGreaterThan(Date.now() + 47 * 3_600_000)
    expect((await record(next)).refusal?.code).toBe('COLLECTOR_NOT_COLD_WALLET')
    await addCold(next)
    expect((await record(next)).refusal?.code).toBe('COLLECTOR_NOT_ON_CHAIN')

    // The present collector refuses: nothing is left of it.
    await eth.call('anvil_setBalance', collector, '0xde0b6b3a7640000')
    await callVault(eth, collector, vault, { kind: 'cancelCollector' })
    await watchContractsJob.run(app.ctx, {})
    expect((await alarms()).filter((one) => one?.['contract'] === vault)).toEqual([])

    await callVault(eth, owner, vault, { kind: 'proposeCollector', to: next })
    await eth.call('evm_increaseTime', 48 * 3_600 + 1)
    await callVault(eth, owner, vault, { kind: 'acceptCollector' })
    await watchContractsJob.run(app.ctx, {})
    expect((await alarms()).filter((one) => one?.['contract'] === vault)).toMatchObject([{ case: 'collector_changed' }])
    const found = () => findVault(app.ctx, { walletId: id, subType: 'scw', blockchainId: ETH })
    expect(await found()).toMatchObject({ problem: 'COLLECTOR_NOT_CONFIRMED' })
    expect((await record(collector)).refusal?.code).toBe('COLLECTOR_NOT_ON_CHAIN')
    expect((await record('moon')).refusal?.code).toBe('ADDRESS_INVALID')
    const confirmed = await record(next)
    expect(confirmed.body.collectors).toMatchObject([{ onChain: true, recorded: true, allowed: true }])
    expect(await found()).toMatchObject({ problem: null })
    expect((await alarms()).filter((one) => one?.['contract'] === vault)).toEqual([])
  })

  it('is asked of deposit wallets only', async () => {
    const cold = await addCold(stranger())
    const answer = await app.call(listCollectors, { params: { id: cold.id, f: 'ETH_Family' } }, { key })
    expect(answer.refusal?.code).toBe('WALLET_NOT_FOUND')
  })
})

describe('rows that were changed past Kassa', () => {
  it('are refused: nothing is swept through another contract, or to another collector', async () => {
    const { txId, vault } = await createVault(eth, { owner: stranger(), collector: stranger() })
    const { id } = (await add(txId)).body
    const find = () => findVault(app.ctx, { walletId: id, subType: 'scw', blockchainId: ETH })
    for (const column of ['address', 'collector']) {
      const set = (value: string) =>
        sql`UPDATE contract_addresses SET ${sql.ref(column)} = ${value} WHERE wallet_id = ${id}`.execute(app.ctx.db)
      const row = await sql<{ value: string }>`SELECT ${sql.ref(column)} AS value FROM contract_addresses
        WHERE wallet_id = ${id}`.execute(app.ctx.db)
      await set(stranger())
      await expect(find()).rejects.toMatchObject(REFUSED)
      await set(row.rows[0]?.value ?? '')
    }
    await expect.poll(() => alarms('address_forged')).toMatchObject([{ blockchainCode: 'ETH', contract: vault }])
    expect(await find()).toMatchObject({ address: vault })
    const { body } = await app.call(walletsRoutes.getWallet, { params: { id } }, { key })
    expect(body.fund_sweeper_address).toBe(vault)
  })
})

describe('addresses of a contract wallet', () => {
  it('are derived from the contract that was registered, and from no other that the database names', async () => {
    const { txId, vault } = await createVault(eth, { owner: stranger(), collector: stranger() })
    const { id } = (await add(txId)).body
    const restarted = () => ({ ...asSystem(app.ctx), memory: new Map() })
    const address = evmVaults.deposit(eth.session.chain, vault, 1)
    const row = { wallet_id: id, family_id: 1, derivation_index: 1, address }
    await requireGenuine(restarted(), row)
    await expect(requireGenuine(restarted(), { ...row, derivation_index: 2 })).rejects.toMatchObject(REFUSED)
    await sql`UPDATE wallet_vaults SET vault = ${stranger()} WHERE wallet_id = ${id}`.execute(app.ctx.db)
    await expect(requireGenuine(restarted(), row)).rejects.toMatchObject(REFUSED)
    await sql`UPDATE wallet_vaults SET vault = ${vault} WHERE wallet_id = ${id}`.execute(app.ctx.db)
  })

  it('stay those of one wallet, also when it was deleted and is registered again', async () => {
    const { txId } = await createVault(eth, { owner: stranger(), collector: stranger() })
    const { id } = (await add(txId)).body
    expect((await app.call(walletsRoutes.deleteWallet, { params: { id } }, { key })).status).toBe(200)
    const again = (await add(txId, { name: 'Again' })).body
    expect([again.id, again.name, again.status]).toEqual([id, 'Again', 'active'])
  })
})

describe('sweep-contracts.addContract', () => {
  it('keeps facts of another contract, and nothing of the release can be changed', async () => {
    const place = { params: { b: 'ETH' } }
    const body = { contractType: 'factory_contract' as const, abi: '[]', bytecode: '0x60', description: 'Ours' }
    const added = await app.call(sweepContractsRoutes.addContract, { ...place, body }, { key })
    expect(added).toMatchObject({ status: 201, body: { source: 'custom', address: null, description: 'Ours' } })
    const again = await app.call(sweepContractsRoutes.addContract, { ...place, body }, { key })
    expect(again.refusal?.code).toBe('CONTRACT_EXISTS')
    const elsewhere = { ...body, address: stranger() }
    const wrong = await app.call(sweepContractsRoutes.addContract, { ...place, body: elsewhere }, { key })
    expect(wrong.refusal?.code).toBe('CONTRACT_MISMATCH')
    const change = (id: number, of: object) =>
      app.call(sweepContractsRoutes.changeContract, { params: { id }, body: of }, { key })
    expect((await change(added.body.id, { status: 'inactive' })).body.status).toBe('inactive')
    expect((await change(FACTORY_ON_ETH, { status: 'inactive' })).refusal?.code).toBe('CONTRACT_FROM_RELEASE')
    expect((await change(999_999, {})).refusal?.code).toBe('CONTRACT_NOT_FOUND')
    expect((await change(added.body.id, { address: 'moon' })).refusal?.code).toBe('ADDRESS_INVALID')
    const absent = await app.call(sweepContractsRoutes.addContract, { params: { b: 'MOON' }, body }, { key })
    expect(absent.refusal?.code).toBe('BLOCKCHAIN_NOT_FOUND')
    const unread = await app.call(
      sweepContractsRoutes.addContract,
      { params: { b: 'POLYGON' }, body: elsewhere },
      { key },
    )
    expect(unread.refusal?.code).toBe('NODE_UNREACHABLE')
  })
})

async function onEth() {
  const row = await findBlockchain(app.ctx, 'ETH')
  if (!row) throw new Error('There is no ETH')
  return row
}

/** A creation in the newest block. */
async function justMined(owner: Hex): Promise<{ txId: string }> {
  await eth.call('evm_setAutomine', true)
  const { data, to } = evmVaults.creation(eth.session.chain, {
    salt: `0x${randomBytes(32).toString('hex')}`,
    collector: stranger(),
  })
  return { txId: await eth.send({ from: owner, to: to as Hex, data: data as Hex }) }
}

/** The same factory, deployed by somebody at another address: its event is not believed. */
async function fakeFactoryCreation(): Promise<string> {
  const nonce = BigInt(String(await eth.call('eth_getTransactionCount', eth.payer, 'latest')))
  const data = encodeDeployData({ abi: kassaFactory.abi, bytecode: kassaFactory.bytecode })
  await eth.send({ from: eth.payer, data })
  const fake = getContractAddress({ from: eth.payer, nonce })
  const { data: call } = evmVaults.creation(eth.session.chain, {
    salt: `0x${randomBytes(32).toString('hex')}`,
    collector: stranger(),
  })
  return eth.send({ from: eth.payer, to: fake, data: call as Hex })
}

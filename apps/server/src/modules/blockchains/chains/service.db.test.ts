import { startAnvil, type Anvil } from '@kassa/chains/testing/anvil.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { customerAddress } from '../../../testing/customer-address.ts'
import { acceptAllAssets, acceptedAssets } from '../../projects/accepted-assets.ts'
import { markFailed, nodesOf, openSession, setSandboxNode } from '../nodes/service.ts'
import { findBlockchain, getAsset, listAssets, listBlockchains, seedBlockchains } from './service.ts'

const ETH = 1
let test: TestContext
let anvil: Anvil

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), startAnvil({ chainId: 31_337 })])
  await seedBlockchains(test.ctx)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})

const addNode = (url: string, isPreferred: boolean) =>
  sql`INSERT INTO rpc_nodes (blockchain_id, url, is_preferred) VALUES (${ETH}, ${url}, ${isPreferred})`.execute(
    test.ctx.db,
  )

describe('blockchains.seedBlockchains', () => {
  it('lists every blockchain of the sandbox, the absent ones with a reason', async () => {
    const rows = await listBlockchains(test.ctx)
    expect(rows.map(({ id, code, status }) => [id, code, status])).toEqual([
      [1, 'ETH', 'active'],
      [2, 'BTC', 'inactive'],
      [3, 'TRX', 'inactive'],
      [4, 'BASE', 'active'],
      [5, 'POLYGON', 'inactive'],
      [6, 'SOLANA', 'inactive'],
    ])
    const causes = rows.map(({ inactive }) => inactive?.code)
    expect(causes).toEqual([undefined, 'not_started', 'not_started', undefined, 'not_started', 'not_started'])
    expect(rows.every(({ minConfirmations }) => minConfirmations === 2)).toBe(true)
  })

  it('writes nothing the second time, and leaves what an operator changed', async () => {
    const before = [await listBlockchains(test.ctx), await listAssets(test.ctx)]
    await seedBlockchains(test.ctx)
    expect([await listBlockchains(test.ctx), await listAssets(test.ctx)]).toEqual(before)
    await sql`UPDATE blockchains SET min_confirmations = 9 WHERE id = ${ETH}`.execute(test.ctx.db)
    await seedBlockchains(test.ctx)
    expect((await findBlockchain(test.ctx, 'ETH'))?.minConfirmations).toBe(9)
    await sql`UPDATE blockchains SET min_confirmations = 2 WHERE id = ${ETH}`.execute(test.ctx.db)
  })

  it('asks for a node everywhere on a test network', async () => {
    const other = await testContext()
    await seedBlockchains({ ...other.ctx, config: { ...other.ctx.config, network: 'testnet' } })
    const rows = await listBlockchains(other.ctx)
    expect(rows.map(({ status, inactive }) => [status, inactive?.code])).toEqual(
      rows.map(() => ['inactive', 'no_node']),
    )
    await other.stop()
  })
})

describe('blockchains.findBlockchain', () => {
  it.each([1, '1', 'ETH', 'eth', 'Ethereum'])('finds ETH by %s', async (name) => {
    expect((await findBlockchain(test.ctx, name))?.code).toBe('ETH')
  })

  it('finds TRX as TRON, and nothing by an unknown name', async () => {
    expect((await findBlockchain(test.ctx, 'TRON'))?.code).toBe('TRX')
    expect(await findBlockchain(test.ctx, 'DOGE')).toBeUndefined()
  })
})

describe('blockchains.acceptedAssets', () => {
  it('returns what the project accepts, is switched on and is on an active blockchain', async () => {
    const { projectId } = await customerAddress(test.ctx)
    expect(await acceptedAssets(test.ctx, projectId)).toEqual([])
    await acceptAllAssets(test.ctx, projectId)
    await acceptAllAssets(test.ctx, projectId)
    const names = async () =>
      (await acceptedAssets(test.ctx, projectId)).map((asset) => `${asset.blockchainCode}:${asset.currencyCode}`)
    expect(await names()).toEqual(['ETH:ETH', 'BASE:ETH', 'ETH:USDC', 'BASE:USDC', 'ETH:USDT'])
    await sql`UPDATE assets SET deposit_enabled = false WHERE currency_code = 'ETH'`.execute(test.ctx.db)
    expect(await names()).toEqual(['ETH:USDC', 'BASE:USDC', 'ETH:USDT'])
    await sql`UPDATE assets SET deposit_enabled = true`.execute(test.ctx.db)
  })

  it('refuses an asset that does not exist', async () => {
    expect(await getAsset(test.ctx, 8)).toMatchObject({ currencyCode: 'USDC', decimals: 6, minDepositUnits: 100_000n })
    await expect(getAsset(test.ctx, 999)).rejects.toMatchObject({ code: 'ASSET_NOT_FOUND' })
  })
})

describe('blockchains.openSession', () => {
  it('is null while there is no node', async () => {
    expect(await openSession(test.ctx, ETH)).toBeNull()
    await expect(openSession(test.ctx, 99)).rejects.toMatchObject({ code: 'BLOCKCHAIN_NOT_FOUND' })
  })

  it('opens the node of the sandbox and stores what it identifies as', async () => {
    await setSandboxNode(test.ctx, 'ETH', anvil.url)
    await setSandboxNode(test.ctx, 'ETH', anvil.url)
    const opened = await openSession(test.ctx, ETH)
    expect(opened?.chain.blockchain.code).toBe('ETH')
    expect(await nodesOf(test.ctx, ETH)).toMatchObject([
      {
        url: anvil.url,
        isPreferred: true,
        chainIdentifier: expect.stringMatching(/^31337:0x/),
        client: expect.stringMatching(/^anvil/),
      },
    ])
    expect((await openSession(test.ctx, ETH))?.node).toBe(opened?.node)
  })

  it('refuses a node of another network and names the one it serves', async () => {
    await setSandboxNode(test.ctx, 'BASE', anvil.url)
    await expect(openSession(test.ctx, 4)).rejects.toMatchObject({
      code: 'NODE_WRONG_NETWORK',
      message: 'This node serves chain 31337, not 31338.',
    })
  })

  it('takes the next node when the preferred one does not answer, or when a usable one fails', async () => {
    await sql`UPDATE rpc_nodes SET is_preferred = false WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
    await addNode('http://127.0.0.1:9', true)
    const opened = await openSession(test.ctx, ETH)
    expect(opened?.node.label).toBe(anvil.url)
    if (opened) markFailed(opened.node)
    const again = await openSession(test.ctx, ETH)
    expect(again?.node.label).toBe(anvil.url)
    expect(again?.node).not.toBe(opened?.node)
  })

  it('never asks an address that is not allowed', async () => {
    await sql`DELETE FROM rpc_nodes WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
    await addNode('http://10.1.2.3:8545', true)
    await expect(openSession(test.ctx, ETH)).rejects.toMatchObject({ code: 'EGRESS_NOT_ALLOWED' })
  })
})

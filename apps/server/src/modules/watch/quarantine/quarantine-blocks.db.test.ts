import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FaultyNode, faultyNode } from '../../../testing/faulty-node.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { pollChain } from '../follow/poll-chain.ts'
import { noticeFor } from '../follow/chain-notice.ts'
import { retryQuarantined } from './quarantine-blocks.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
const USDC = SANDBOX_TOKENS.usdc
let test: TestContext
let anvil: AnvilChain
let node: FaultyNode
let address: CustomerAddress
let reader: TestReader

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  node = await faultyNode(anvil.url)
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', node.url)
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
}, 60_000)
afterAll(async () => {
  await node.stop()
  await anvil.stop()
  await test.stop()
})

const pay = (units: bigint) => anvil.transferSoon(USDC, address.address as Hex, units)

/** Two payments in one block; the receipt of the second does not decode: in the block, or wherever it is read. */
async function mineUndecodableBlock(units: readonly [bigint, bigint], areTransactionsReadable: boolean): Promise<void> {
  await anvil.call('evm_setAutomine', false)
  const ids = [await pay(units[0]), await pay(units[1])]
  await anvil.mine()
  await anvil.call('evm_setAutomine', true)
  const block = (await anvil.call('eth_getBlockByNumber', 'latest', false)) as { hash: string }
  node.setFault((answer, request) => {
    const isBlock = request.includes('eth_getBlockReceipts') && request.includes(block.hash)
    const isTransaction = request.includes('eth_getTransactionReceipt') && request.includes(ids[1] ?? '')
    const isUndecodable = isBlock || (isTransaction && !areTransactionsReadable)
    return isUndecodable ? answer.replaceAll('"logs":[', '"logs":["odd",') : answer
  })
}

async function readPast(): Promise<void> {
  await expect(reader.catchUp()).rejects.toThrow(/log/)
  await expect(reader.catchUp()).rejects.toThrow(/log/)
  await reader.catchUp()
}

const found = async () =>
  (await sql<{ units: string }>`SELECT units FROM deposits ORDER BY units`.execute(test.ctx.db)).rows.map(
    ({ units }) => units,
  )
const quarantined = async () =>
  (
    await sql<{ state: string; tries: number; error: string; transactions: string[]; concerns_us: boolean }>`
      SELECT state, tries, error, transactions, concerns_us FROM quarantined_blocks ORDER BY height`.execute(
      test.ctx.db,
    )
  ).rows
const alarms = async () => (await openAlarms(test.ctx)).map(({ kind, text }) => [kind, text])

async function retry(all: boolean): Promise<void> {
  const { cursor } = reader.progress
  if (!cursor) throw new Error('There is no cursor')
  const { adapter, assets, known } = reader.follower
  const filter = { assets, matches: known.filter.has }
  await retryQuarantined(test.ctx, reader.session, cursor, { adapter, filter, familyId: known.familyId, all })
}

describe('watch and a block that does not decode (2.7)', () => {
  it('reads it transaction by transaction, and continues', async () => {
    await mineUndecodableBlock([1_000_000n, 2_000_000n], true)
    await readPast()
    expect(await found()).toEqual(['1000000', '2000000'])
    expect(await quarantined()).toMatchObject([{ state: 'open', transactions: [] }])
    expect((await findCursor(test.ctx, ETH))?.height).toBe(await anvil.height())
    node.setFault(null)
    await retry(true)
    expect(await quarantined()).toMatchObject([{ state: 'solved' }])
    expect(await alarms()).toEqual([])
  })

  it('quarantines what does not decode, raises an alarm, and credits it once it decodes', async () => {
    await mineUndecodableBlock([3_000_000n, 4_000_000n], false)
    await readPast()
    expect(await found()).toEqual(['1000000', '2000000', '3000000'])
    expect((await quarantined())[1]).toMatchObject({ state: 'open', tries: 1, error: expect.stringContaining('log') })
    expect((await quarantined())[1]).toMatchObject({ transactions: [expect.stringMatching(/^0x/)], concerns_us: true })
    expect(await alarms()).toEqual([['block_quarantined', expect.stringContaining('names an address of yours')]])
    const cursor = await findCursor(test.ctx, ETH)
    expect(cursor && (await noticeFor(test.ctx, reader.session.chain, cursor))).toMatchObject({
      code: 'block_unreadable',
      params: { height: expect.any(Number) },
    })

    await retry(true)
    expect((await quarantined())[1]).toMatchObject({ state: 'open', tries: 2 })
    node.setFault(null)
    await retry(false)
    expect(await found()).toHaveLength(3)
    await retry(true)
    expect((await quarantined())[1]).toMatchObject({ state: 'solved' })
    expect(await found()).toEqual(['1000000', '2000000', '3000000', '4000000'])
    expect(await alarms()).toEqual([])
  })

  it('takes it from another node whose answer decodes, and quarantines nothing', async () => {
    await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${anvil.url}, 9)`.execute(
      test.ctx.db,
    )
    await mineUndecodableBlock([5_000_000n, 6_000_000n], false)
    await readPast()
    expect(await found()).toHaveLength(6)
    expect(await quarantined()).toHaveLength(2)
    node.setFault(null)
    await sql`DELETE FROM rpc_nodes WHERE url = ${anvil.url}`.execute(test.ctx.db)
  })

  it('takes it from the second of two other nodes when the first answer does not decode either', async () => {
    const alike = await faultyNode(anvil.url)
    for (const [url, priority] of [
      [alike.url, 8],
      [anvil.url, 9],
    ] as const) {
      await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${url}, ${priority})`.execute(
        test.ctx.db,
      )
    }
    const asked: string[] = []
    await mineUndecodableBlock([7_000_000n, 8_000_000n], false)
    alike.setFault((answer, request) => {
      asked.push(request)
      return request.includes('eth_getBlockReceipts') ? answer.replaceAll('"logs":[', '"logs":["odd",') : answer
    })
    await readPast()
    expect(asked.some((request) => request.includes('eth_getBlockReceipts'))).toBe(true)
    expect(await found()).toContain('8000000')
    expect(await quarantined()).toHaveLength(2)
    node.setFault(null)
    await sql`DELETE FROM rpc_nodes WHERE url <> ${node.url}`.execute(test.ctx.db)
    await alike.stop()
  })

  it('waits at it where the family cannot read a block in parts, and leaves nothing out', async () => {
    const { partial: _partial, ...adapter } = reader.follower.adapter
    const follower = { ...reader.follower, adapter }
    await reader.catchUp()
    const before = [await findCursor(test.ctx, ETH), await quarantined()]
    await mineUndecodableBlock([5n, 6n], true)
    for (let poll = 0; poll < 5; poll += 1) {
      await expect(pollChain(follower, reader.session, reader.progress)).rejects.toThrow(/log/)
    }
    expect([await findCursor(test.ctx, ETH), await quarantined()]).toEqual(before)
    node.setFault(null)
    await pollChain(follower, reader.session, reader.progress)
    expect((await found()).slice(0, 2)).toEqual(['5', '6'])
  })

  it('credits the others while one of them cannot be stored, and that one afterwards', async () => {
    for (const units of [
      [91n, 92n],
      [93n, 94n],
    ] as const) {
      await mineUndecodableBlock(units, false)
      await readPast()
    }
    node.setFault(null)
    const alter = (text: string) => sql`${sql.raw(text)}`.execute(test.ctx.db)
    await alter(
      'CREATE TRIGGER broken BEFORE INSERT ON deposits FOR EACH ROW WHEN (NEW.units = 92) EXECUTE FUNCTION refuse_change()',
    )
    await expect(retry(true)).rejects.toThrow('never changed')
    const states = async () => (await quarantined()).slice(-2).map(({ state }) => state)
    expect([await states(), (await found()).includes('94')]).toEqual([['open', 'solved'], true])
    await alter('DROP TRIGGER broken ON deposits')
    await retry(true)
    expect([await states(), (await found()).includes('92')]).toEqual([['solved', 'solved'], true])
  })
})

import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, numberToHex, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FaultyNode, faultyNode } from '../../../testing/faulty-node.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { openAlarms } from '../../alarms/service.ts'
import { openAnother, setSandboxNode } from '../../blockchains/nodes/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { crossCheck } from './cross-check.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
/** A value above the thousand dollars of the setting. */
const MUCH = 1_500_000_000n
let test: TestContext
let anvil: AnvilChain
let second: FaultyNode
let reader: TestReader
let address: CustomerAddress

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  second = await faultyNode(anvil.url)
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
}, 60_000)
afterAll(async () => {
  await second.stop()
  await anvil.stop()
  await test.stop()
})
beforeEach(async () => {
  second.setFault(null)
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH')
})

const addSecond = () =>
  sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${second.url}, 9)`.execute(test.ctx.db)

async function payAndRead(units: bigint): Promise<void> {
  await anvil.transfer(SANDBOX_TOKENS.usdc, address.address as Hex, units)
  await anvil.mine(2)
  await reader.catchUp()
}
async function ask(): Promise<boolean> {
  const { cursor } = reader.progress
  if (!cursor) throw new Error('There is no cursor')
  return crossCheck(test.ctx, reader.session, reader.follower.adapter, cursor)
}
type Row = { status: string; reason: string | null; quorum: number; waits: string | null }
const deposits = async () =>
  (
    await sql<Row>`SELECT status, reason, quorum, waits FROM deposits WHERE address_id = ${address.id}
      ORDER BY id`.execute(test.ctx.db)
  ).rows
const verdicts = async () =>
  (
    await sql<{ verdict: string }>`SELECT verdict FROM cross_checks JOIN deposits ON id = deposit_id
      WHERE address_id = ${address.id}`.execute(test.ctx.db)
  ).rows.map(({ verdict }) => verdict)

describe('watch.crossCheck (2.8)', () => {
  it('does not run below the setting', async () => {
    await payAndRead(999_000_000n)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 0 }])
  })

  it('finalizes with one operator where there is only one, and records it', async () => {
    await payAndRead(MUCH)
    expect(await deposits()).toMatchObject([{ status: 'seen', quorum: 0 }])
    expect(await ask()).toBe(true)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 1 }])
  })

  it('makes a deposit wait, with the reason, while a second node is silent; others do not wait', async () => {
    await addSecond()
    second.setFault(() => null)
    await payAndRead(MUCH)
    await payAndRead(1_000_000n)
    expect(await ask()).toBe(false)
    expect(await deposits()).toMatchObject([
      { status: 'seen', quorum: 0, waits: 'second_node_silent' },
      { status: 'unapplied' },
    ])
    second.setFault(null)
    expect(await ask()).toBe(true)
    expect((await deposits())[0]).toMatchObject({ status: 'unapplied', quorum: 2, waits: null })
    expect(await verdicts()).toEqual(['agrees'])
  })

  it('waits while the block is not as deep for the second node, whatever the first one calls final', async () => {
    const units = MUCH
    await anvil.transfer(SANDBOX_TOKENS.usdc, address.address as Hex, units)
    await reader.catchUp()
    const { cursor } = reader.progress
    if (!cursor) throw new Error('There is no cursor')
    await sql`UPDATE chain_cursors SET finalized_height = height WHERE blockchain_id = ${ETH}`.execute(test.ctx.db)
    const ahead = { ...cursor, finalizedHeight: cursor.height }
    await crossCheck(test.ctx, reader.session, reader.follower.adapter, ahead)
    expect(await deposits()).toMatchObject([{ status: 'seen', quorum: 0, waits: 'second_node_behind' }])
    await anvil.mine(2)
    await crossCheck(test.ctx, reader.session, reader.follower.adapter, ahead)
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 2 }])
  })

  it('quarantines a deposit that the second node has in another block', async () => {
    await payAndRead(MUCH)
    const { rows } = await sql<{ hash: string }>`
      SELECT block_hash AS hash FROM deposits WHERE address_id = ${address.id}`.execute(test.ctx.db)
    const real = rows[0]?.hash ?? ''
    const other = `0x${'ab'.repeat(32)}`
    second.setFault(
      (answer) => answer.replaceAll(real, other),
      (request) => request.replaceAll(other, real),
    )
    await ask()
    expect(await deposits()).toMatchObject([{ status: 'quarantined', reason: 'NODE_DISAGREEMENT' }])
    const [alarm] = await openAlarms(test.ctx)
    expect(alarm).toMatchObject({ kind: 'node_disagreement', subject: 'ETH' })
    expect(alarm?.text).toContain(`It has block ${other}`)
  })

  it('quarantines a deposit whose amount differs on the second node', async () => {
    await anvil.send({ to: address.address as Hex, value: parseEther('5') })
    await anvil.mine(2)
    await reader.catchUp()
    second.setFault((answer) => answer.replaceAll(numberToHex(parseEther('5')), numberToHex(parseEther('4'))))
    await ask()
    expect(await deposits()).toMatchObject([{ status: 'quarantined', reason: 'NODE_DISAGREEMENT' }])
    expect(await verdicts()).toEqual(['differs'])
  })

  it('never counts the node that reported it as the second one, whichever is used now', async () => {
    const liar = await faultyNode(anvil.url)
    await setSandboxNode(test.ctx, 'ETH', liar.url)
    try {
      await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${anvil.url}, 9)`.execute(
        test.ctx.db,
      )
      reader = await testReader(test.ctx, 'ETH')
      liar.setFault((answer) => answer.replaceAll(numberToHex(parseEther('3')), numberToHex(parseEther('4'))))
      await anvil.send({ to: address.address as Hex, value: parseEther('3') })
      await anvil.mine(2)
      await reader.catchUp()
      const honest = await openAnother(test.ctx, ETH, reader.session.node.id)
      const { cursor } = reader.progress
      if (!cursor || !honest) throw new Error('There is no node to continue with')
      await crossCheck(test.ctx, honest, reader.follower.adapter, cursor)
      expect(await deposits()).toMatchObject([{ status: 'quarantined', reason: 'NODE_DISAGREEMENT' }])
    } finally {
      await setSandboxNode(test.ctx, 'ETH', anvil.url)
      await liar.stop()
      await addSecond()
    }
  })

  it('follows the setting', async () => {
    await sql`INSERT INTO configuration (key, value) VALUES ('deposits.quorum_usd', '5')`.execute(test.ctx.db)
    await payAndRead(6_000_000n)
    expect(await deposits()).toMatchObject([{ status: 'seen' }])
    await sql`DELETE FROM configuration`.execute(test.ctx.db)
    await ask()
    expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 2 }])
  })
})

describe('watch and what really arrived (W-5)', () => {
  it('quarantines a high-value token deposit that did not raise the balance by its amount', async () => {
    const first = await faultyNode(anvil.url)
    await setSandboxNode(test.ctx, 'ETH', first.url)
    try {
      reader = await testReader(test.ctx, 'ETH')
      first.setFault((answer, request) => (request.includes('70a08231') ? withoutBalances(answer) : answer))
      await payAndRead(MUCH)
      await payAndRead(1_000_000n)
      expect(await deposits()).toMatchObject([
        { status: 'quarantined', reason: 'AMOUNT_MISMATCH' },
        { status: 'unapplied' },
      ])
      const subjects = (await openAlarms(test.ctx)).map(({ kind, subject }) => [kind, subject])
      expect(subjects).toContainEqual(['asset_changed', 'USDC on ETH'])
    } finally {
      await setSandboxNode(test.ctx, 'ETH', anvil.url)
      await first.stop()
    }
  })

  it('leaves the evidence unchanged where the node has no such state', async () => {
    const first = await faultyNode(anvil.url)
    await setSandboxNode(test.ctx, 'ETH', first.url)
    try {
      reader = await testReader(test.ctx, 'ETH')
      first.setFault((answer, request) => (request.includes('70a08231') ? null : answer))
      await payAndRead(MUCH)
      await ask()
      expect(await deposits()).toMatchObject([{ status: 'unapplied', quorum: 1 }])
    } finally {
      await setSandboxNode(test.ctx, 'ETH', anvil.url)
      await first.stop()
    }
  })
})

/** The same answers with every balance zero. */
function withoutBalances(answer: string): string {
  return answer.replaceAll(/"result":"0x[0-9a-f]{64}"/g, `"result":"0x${'0'.repeat(64)}"`)
}

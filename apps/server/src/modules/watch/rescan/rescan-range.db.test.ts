import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import { type Hex, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../../context.ts'
import { type FaultyNode, faultyNode } from '../../../testing/faulty-node.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../../testing/customer-address.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { setSandboxNode } from '../../blockchains/nodes/service.ts'
import { creditUnclaimed } from './credit-unclaimed.ts'
import { findRescan } from './store.ts'
import { requestRescan, runRescan } from './rescan-range.ts'
import { continueRescans, startAudits, takeHeightRequest, takeRescanRequest } from './service.ts'
import { findCursor } from '../blocks/cursor-store.ts'
import { type TestReader, testReader } from '../../../testing/test-follower.ts'

const ETH = 1
const USDC = SANDBOX_TOKENS.usdc as Hex
const NEVER = new AbortController().signal
let test: TestContext
let anvil: AnvilChain
let second: FaultyNode
let reader: TestReader
let address: CustomerAddress
/** Without the pauses between steps. */
let ctx: Context

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  second = await faultyNode(anvil.url)
  ctx = { ...test.ctx, sleep: async () => {} }
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
}, 60_000)
afterAll(async () => {
  await second.stop()
  await anvil.stop()
  await test.stop()
})

/** A reader that omits tokens, like a node that leaves their logs out. */
beforeEach(async () => {
  await sql`UPDATE alarms SET cleared_at = now()`.execute(test.ctx.db)
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH', { assets: new Set([1]) })
  await reader.catchUp()
})

type Row = { status: string; units: string }
const deposits = async (of: CustomerAddress = address) =>
  (
    await sql<Row>`SELECT status, units FROM deposits WHERE address_id = ${of.id} ORDER BY id`.execute(test.ctx.db)
  ).rows.map(({ status, units }) => [status, units])
const alarms = async () => (await openAlarms(test.ctx)).map(({ kind, text }) => [kind, text])

async function missTransfer(units = 5_000_000n): Promise<{ txId: string; height: number }> {
  const txId = await anvil.transfer(USDC, address.address as Hex, units)
  const height = await anvil.height()
  await anvil.mine(3)
  await reader.catchUp()
  return { txId, height }
}
const because = { blockchainId: ETH, reason: 'a payer asked', by: 'operator:1' }

describe('watch.rescan of blocks (2.11)', () => {
  it('finds what the follower missed, already final, without moving the cursor; and raises an alarm', async () => {
    const { height } = await missTransfer()
    expect(await deposits()).toEqual([])
    const before = await findCursor(test.ctx, ETH)
    const rescan = await requestRescan(ctx, { ...because, from: height - 1, to: height + 2 })
    expect(await runRescan(ctx, rescan, NEVER)).toMatchObject({
      state: 'done',
      found: 1,
      by: 'operator:1',
      reason: 'a payer asked',
    })
    expect(await deposits()).toEqual([['unapplied', '5000000']])
    expect(await findCursor(test.ctx, ETH)).toEqual(before)
    expect(await alarms()).toEqual([['watch_missed', expect.stringContaining('a payer asked')]])
  })

  it('finds nothing twice, and raises nothing when nothing was missed', async () => {
    const { height } = await missTransfer()
    const range = { ...because, from: height, to: height }
    await runRescan(ctx, await requestRescan(ctx, range), NEVER)
    await sql`UPDATE alarms SET cleared_at = now()`.execute(test.ctx.db)
    expect(await runRescan(ctx, await requestRescan(ctx, range), NEVER)).toMatchObject({ found: 0 })
    expect(await deposits()).toEqual([['unapplied', '5000000']])
    expect(await alarms()).toEqual([])
  })

  it('reads again from a height when an operator asks for it (B3)', async () => {
    const { height } = await missTransfer()
    await takeHeightRequest(ctx, { blockchainId: ETH, fromHeight: height, by: 'operator:1' })
    await takeHeightRequest(ctx, { blockchainId: ETH, fromHeight: (await anvil.height()) + 1, by: 'operator:1' })
    await continueRescans(ctx)
    expect(await deposits()).toEqual([['unapplied', '5000000']])
    const { rows } =
      await sql`SELECT state, found, requested_by AS by FROM rescans WHERE reason LIKE '%by height'`.execute(
        test.ctx.db,
      )
    expect(rows).toEqual([{ state: 'done', found: 1, by: 'operator:1' }])
  })

  it('refuses what is not read yet, and invalid ranges', async () => {
    const cursor = await anvil.height()
    await expect(requestRescan(ctx, { ...because, from: 1, to: cursor + 1 })).rejects.toThrow('without a rescan')
    await expect(requestRescan(ctx, { ...because, from: 5, to: 4 })).rejects.toThrow('must not come after')
    await expect(requestRescan(ctx, { ...because, blockchainId: 6, from: 1, to: 2 })).rejects.toThrow('not read')
  })

  it('continues where it was interrupted, once, in whatever process', async () => {
    const { height } = await missTransfer()
    await anvil.mine(20)
    await reader.catchUp()
    const rescan = await requestRescan(ctx, { ...because, from: height, to: height + 20 })
    const stop = new AbortController()
    const interrupted = { ...test.ctx, sleep: async () => stop.abort() }
    expect(await runRescan(interrupted, rescan, stop.signal)).toMatchObject({
      state: 'open',
      found: 1,
      range: { from: height + 8, to: height + 20 },
    })
    await Promise.all([continueRescans(ctx), continueRescans(ctx)])
    expect(await findRescan(test.ctx, rescan.id)).toMatchObject({ state: 'open' })
    await sql`UPDATE rescans SET moved_at = now() - interval '1 minute'`.execute(test.ctx.db)
    await Promise.all([continueRescans(ctx), continueRescans(ctx)])
    expect(await findRescan(test.ctx, rescan.id)).toMatchObject({ state: 'done', found: 1 })
    expect(await deposits()).toEqual([['unapplied', '5000000']])
  })

  it('takes nothing from a node that is on another branch than ours', async () => {
    const { height } = await missTransfer()
    await sql`UPDATE chain_blocks SET hash = hash || 'x' WHERE height = ${height}`.execute(test.ctx.db)
    const rescan = await requestRescan(ctx, { ...because, from: height, to: height })
    await expect(runRescan(ctx, rescan, NEVER)).rejects.toThrow('not the one we read')
    expect(await deposits()).toEqual([])
    const dayLater = { ...test.ctx, now: () => new Date(Date.now() + 25 * 3_600_000) }
    expect(await runRescan(dayLater, rescan, NEVER)).toMatchObject({ state: 'failed' })
    await sql`UPDATE chain_blocks SET hash = rtrim(hash, 'x')`.execute(test.ctx.db)
  })
})

describe('watch.rescan of blocks that have left the window', () => {
  afterEach(async () => {
    await sql`UPDATE chain_blocks SET hash = rtrim(hash, 'x')`.execute(test.ctx.db)
    await sql`UPDATE chain_cursors SET finalized_hash = rtrim(finalized_hash, 'x')`.execute(test.ctx.db)
  })

  it('takes nothing from a node on another branch than what is final', async () => {
    const { height, txId } = await missTransfer()
    await sql`DELETE FROM chain_blocks WHERE height = ${height}`.execute(test.ctx.db)
    await sql`UPDATE chain_blocks SET hash = hash || 'x'`.execute(test.ctx.db)
    await sql`UPDATE chain_cursors SET finalized_hash = finalized_hash || 'x'`.execute(test.ctx.db)
    const rescan = await requestRescan(ctx, { ...because, from: height, to: height })
    await expect(runRescan(ctx, rescan, NEVER)).rejects.toThrow('another branch')
    await takeRescanRequest(ctx, { ...because, txId })
    expect(await deposits()).toEqual([])
    const { rows } = await sql`SELECT state FROM rescans WHERE tx_id = ${txId}`.execute(test.ctx.db)
    expect(rows).toEqual([{ state: 'open' }])
    await sql`UPDATE rescans SET state = 'failed' WHERE state = 'open'`.execute(test.ctx.db)
  })
})

describe('watch.rescan of one transaction (Y9, Y25)', () => {
  const journal = async () =>
    (
      await sql<{ state: string; found: number; error: string | null }>`
        SELECT state, found, error FROM rescans ORDER BY id DESC LIMIT 1`.execute(test.ctx.db)
    ).rows[0]

  it('credits it, once, and records who asked', async () => {
    const { txId } = await missTransfer()
    await takeRescanRequest(ctx, { ...because, txId })
    await takeRescanRequest(ctx, { ...because, txId })
    expect(await deposits()).toEqual([['unapplied', '5000000']])
    expect(await journal()).toEqual({ state: 'done', found: 0, error: null })
    expect(await alarms()).toEqual([['watch_missed', expect.any(String)]])
  })

  it('reports when there is nothing in it', async () => {
    await takeRescanRequest(ctx, { ...because, txId: `0x${'77'.repeat(32)}` })
    expect(await journal()).toMatchObject({ state: 'failed', error: 'The node does not know this transaction.' })
    const failing = await anvil.send({ to: USDC, data: '0x12345678' })
    await anvil.mine(2)
    await reader.catchUp()
    await takeRescanRequest(ctx, { ...because, txId: failing })
    expect(await journal()).toMatchObject({ state: 'failed', error: expect.stringContaining('moved nothing') })
  })

  it('waits for the follower where it has not read yet', async () => {
    const txId = await anvil.transfer(USDC, address.address as Hex, 5_000_000n)
    await takeRescanRequest(ctx, { ...because, txId })
    expect(await journal()).toMatchObject({ state: 'open' })
    await anvil.mine(2)
    await reader.catchUp()
    await sql`UPDATE rescans SET moved_at = now() - interval '1 minute'`.execute(test.ctx.db)
    await continueRescans(ctx)
    expect(await journal()).toEqual({ state: 'done', found: 1, error: null })
    expect(await deposits()).toEqual([['unapplied', '5000000']])
  })
})

describe('watch and an unassigned address (W-10)', () => {
  const unclaimed = async () => (await sql`SELECT FROM unclaimed_transfers`.execute(test.ctx.db)).rows.length

  it('credits what arrived before, once it is assigned', async () => {
    const { customerId, projectId } = address
    await sql`UPDATE addresses SET status = 'open', customer_id = NULL, project_id = NULL
      WHERE id = ${address.id}`.execute(test.ctx.db)
    await anvil.send({ to: address.address as Hex, value: parseEther('1') })
    await anvil.mine(2)
    await reader.catchUp()
    expect([await deposits(), await unclaimed()]).toEqual([[], 1])
    await creditUnclaimed(ctx, reader.session)
    expect([await deposits(), await unclaimed()]).toEqual([[], 1])
    await sql`UPDATE addresses SET status = 'assigned', customer_id = ${customerId}, project_id = ${projectId}
      WHERE id = ${address.id}`.execute(test.ctx.db)
    await creditUnclaimed(ctx, reader.session)
    expect([await deposits(), await unclaimed()]).toEqual([[['seen', String(parseEther('1'))]], 0])
    expect(await alarms()).toEqual([])
  })

  it('credits the others when one cannot be credited', async () => {
    const [poisoned, other] = [address, await customerAddress(test.ctx)]
    const set = (one: CustomerAddress, status: string, customer: number | null, project: number | null) =>
      sql`UPDATE addresses SET status = ${status}, customer_id = ${customer}, project_id = ${project} WHERE id = ${one.id}`.execute(
        test.ctx.db,
      )
    for (const one of [poisoned, other]) await set(one, 'open', null, null)
    for (const one of [poisoned, other]) await anvil.send({ to: one.address as Hex, value: parseEther('1') })
    await anvil.mine(2)
    await reader.catchUp()
    for (const one of [poisoned, other]) await set(one, 'assigned', one.customerId, one.projectId)
    await sql
      .raw(`ALTER TABLE deposits ADD CONSTRAINT poison CHECK (address_id <> ${poisoned.id})`)
      .execute(test.ctx.db)
    await sql`UPDATE unclaimed_transfers SET due_at = '2000-01-01' WHERE address_id = ${poisoned.id}`.execute(
      test.ctx.db,
    )
    await expect(creditUnclaimed(ctx, reader.session)).rejects.toThrow('poison')
    expect([await deposits(poisoned), await deposits(other)]).toEqual([[], [['seen', String(parseEther('1'))]]])
    await sql`ALTER TABLE deposits DROP CONSTRAINT poison`.execute(test.ctx.db)
    await sql`UPDATE unclaimed_transfers SET due_at = '2000-01-01'`.execute(test.ctx.db)
    await creditUnclaimed(ctx, reader.session)
    expect([await deposits(poisoned), await unclaimed()]).toEqual([[['seen', String(parseEther('1'))]], 0])
  })

  it('keeps what its transaction brought to an address that is assigned while it is credited', async () => {
    const [early, late] = [address, await customerAddress(test.ctx)]
    for (const { id } of [early, late]) {
      await sql`UPDATE addresses SET status = 'open', customer_id = NULL, project_id = NULL WHERE id = ${id}`.execute(
        test.ctx.db,
      )
    }
    const calls = [early, late].map((one) => ({ target: one.address as Hex, value: parseEther('1') }))
    await anvil.probeCalls(calls, parseEther('2'))
    await anvil.mine(2)
    await reader.catchUp()
    expect(await unclaimed()).toBe(2)
    const assign = ({ id, customerId, projectId }: CustomerAddress) => `
      UPDATE addresses SET status = 'assigned', customer_id = ${customerId}, project_id = ${projectId} WHERE id = ${id};`
    await sql.raw(assign(early)).execute(test.ctx.db)
    // Another process commits it after the transfers were matched, and before the claimed ones are deleted.
    await sql
      .raw(
        `CREATE FUNCTION planted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${assign(late)} RETURN NEW; END $$;
        CREATE TRIGGER planted BEFORE INSERT ON deposits FOR EACH ROW EXECUTE FUNCTION planted()`,
      )
      .execute(test.ctx.db)
    await creditUnclaimed(ctx, reader.session)
    await sql`DROP FUNCTION planted CASCADE`.execute(test.ctx.db)
    const credited = [['seen', String(parseEther('1'))]]
    expect([await deposits(early), await deposits(late), await unclaimed()]).toEqual([credited, [], 1])
    await sql`UPDATE unclaimed_transfers SET due_at = '2000-01-01'`.execute(test.ctx.db)
    await creditUnclaimed(ctx, reader.session)
    expect([await deposits(early), await deposits(late), await unclaimed()]).toEqual([credited, credited, 0])
  })

  it('stores what a contract forwarded until a node can trace it', async () => {
    const { customerId, projectId } = address
    await sql`UPDATE addresses SET status = 'open', customer_id = NULL, project_id = NULL
      WHERE id = ${address.id}`.execute(test.ctx.db)
    await anvil.probeCalls([{ target: address.address as Hex, value: parseEther('1') }], parseEther('1'))
    await anvil.mine(2)
    await reader.catchUp()
    await sql`UPDATE addresses SET status = 'assigned', customer_id = ${customerId}, project_id = ${projectId}
      WHERE id = ${address.id}`.execute(test.ctx.db)
    second.setFault(null, (request) => request.replaceAll('debug_trace', 'no_trace'))
    await setSandboxNode(test.ctx, 'ETH', second.url)
    const blind = await testReader(test.ctx, 'ETH')
    await creditUnclaimed(ctx, blind.session)
    expect([await deposits(), await unclaimed()]).toEqual([[], 1])
    await setSandboxNode(test.ctx, 'ETH', anvil.url)
    await sql`UPDATE unclaimed_transfers SET due_at = '2000-01-01'`.execute(test.ctx.db)
    await creditUnclaimed(ctx, (await testReader(test.ctx, 'ETH')).session)
    expect([await deposits(), await unclaimed()]).toEqual([[['seen', String(parseEther('1'))]], 0])
    second.setFault(null)
  })

  it('gives nothing up because one node says that it failed, or shows no log of it', async () => {
    const { customerId, projectId } = address
    const whole = await testReader(test.ctx, 'ETH')
    await sql`UPDATE addresses SET status = 'open', customer_id = NULL, project_id = NULL
      WHERE id = ${address.id}`.execute(test.ctx.db)
    await anvil.transfer(USDC, address.address as Hex, 5_000_000n)
    await anvil.mine(2)
    await whole.catchUp()
    await sql`UPDATE addresses SET status = 'assigned', customer_id = ${customerId}, project_id = ${projectId}
      WHERE id = ${address.id}`.execute(test.ctx.db)
    const creditThrough = async (url: string) => {
      await setSandboxNode(test.ctx, 'ETH', url)
      await sql`UPDATE unclaimed_transfers SET due_at = '2000-01-01'`.execute(test.ctx.db)
      await creditUnclaimed(ctx, (await testReader(test.ctx, 'ETH')).session)
    }
    for (const lie of [{ status: '0x0', logs: [] }, { logs: [] }]) {
      second.setFault((answer, asked) => (asked.includes('TransactionReceipt') ? withReceipt(answer, lie) : answer))
      await creditThrough(second.url)
      expect([await deposits(), await unclaimed()]).toEqual([[], 1])
    }
    second.setFault(null)
    await creditThrough(anvil.url)
    expect([await deposits(), await unclaimed()]).toEqual([[['unapplied', '5000000']], 0])
  })

  it('forgets it when the chain leaves its block', async () => {
    await sql`UPDATE addresses SET status = 'open', customer_id = NULL, project_id = NULL
      WHERE id = ${address.id}`.execute(test.ctx.db)
    await anvil.send({ to: address.address as Hex, value: parseEther('1') })
    await reader.catchUp()
    expect(await unclaimed()).toBe(1)
    await anvil.call('anvil_reorg', 1, [])
    await reader.catchUp()
    expect(await unclaimed()).toBe(0)
  })
})

describe('watch.audit (W-9)', () => {
  const openPayment = () =>
    sql`INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at)
      VALUES (gen_random_uuid(), ${address.projectId}, ${address.customerId}, 5, 'system', now() + interval '1 hour')`.execute(
      test.ctx.db,
    )

  it('does nothing where there is one operator', async () => {
    await startAudits(ctx)
    expect((await sql`SELECT FROM rescans WHERE audit_day IS NOT NULL`.execute(test.ctx.db)).rows).toEqual([])
  })

  it('finds with another node what the follower missed, for customers with a payment, once a day', async () => {
    await sql`INSERT INTO rpc_nodes (blockchain_id, url, priority) VALUES (${ETH}, ${second.url}, 9)`.execute(
      test.ctx.db,
    )
    let asked = 0
    second.setFault((answer) => {
      asked += 1
      return answer
    })
    await openPayment()
    const withoutPayment = await customerAddress(test.ctx)
    await anvil.transfer(USDC, withoutPayment.address as Hex, 1_000_000n)
    await missTransfer()
    await Promise.all([startAudits(ctx), startAudits(ctx)])
    await continueRescans(ctx)
    await startAudits(ctx)
    await continueRescans(ctx)
    expect(asked).toBeGreaterThan(0)
    expect(await deposits()).toEqual([['unapplied', '5000000']])
    expect(await deposits(withoutPayment)).toEqual([])
    expect(await alarms()).toEqual([['watch_missed', expect.stringContaining('the nightly audit')]])
    const { rows } = await sql`SELECT state, found FROM rescans WHERE audit_day IS NOT NULL`.execute(test.ctx.db)
    expect(rows).toEqual([{ state: 'done', found: 1 }])
  })
})

/** The same answers, with other contents of each receipt among them. */
function withReceipt(answer: string, lie: object): string {
  const change = (one: { result?: object | null }) =>
    one.result && 'logsBloom' in one.result ? { ...one, result: { ...one.result, ...lie } } : one
  const parsed = JSON.parse(answer) as { result?: object | null } | { result?: object | null }[]
  return JSON.stringify(Array.isArray(parsed) ? parsed.map(change) : change(parsed))
}

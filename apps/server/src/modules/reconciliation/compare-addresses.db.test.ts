import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../app.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { openAlarms } from '../alarms/service.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { checkLedger } from './service.ts'
import { isSound } from './report.ts'
import { bookDiscrepancy } from './book-discrepancy.ts'
import { compareAddresses } from './compare-addresses.ts'
import { continueRescans, requestRescan } from '../watch/rescan/service.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'

const USDC = SANDBOX_TOKENS.usdc as Hex
/** 0.25 ETH. */
const QUARTER = `0x${(25n * 10n ** 16n).toString(16)}`

let test: TestContext
let anvil: AnvilChain
let address: CustomerAddress
let reader: TestReader

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.url)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})
beforeEach(async () => {
  await sql`UPDATE alarms SET cleared_at = now()`.execute(test.ctx.db)
  address = await customerAddress(test.ctx)
  reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
  await compareAddresses(test.ctx)
})

const continueChain = async () => {
  await anvil.mine(2)
  await reader.catchUp()
}
/** Moves to the next night. */
const compare = async () => {
  await sql`UPDATE chain_compares SET day = day - 1`.execute(test.ctx.db)
  await compareAddresses(test.ctx)
}
const rescan = () => continueRescans({ ...test.ctx, sleep: async () => {} })
const alarms = async () => (await openAlarms(test.ctx)).map(({ kind, text }) => [kind, text])
const discrepancies = async () =>
  (
    await sql<{ units: string; state: string }>`SELECT units, state FROM discrepancies
      WHERE address_id = ${address.id} ORDER BY id`.execute(test.ctx.db)
  ).rows.map(({ units, state }) => [units, state])

describe('watch.compareAddresses (4.6)', () => {
  it('finds by bisection what the follower missed, and credits it without an alarm', async () => {
    const blind = await testReader(test.ctx, 'ETH', { assets: new Set([1]) })
    await anvil.mine(20)
    await anvil.transfer(USDC, address.address as Hex, 5_000_000n)
    const height = await anvil.height()
    await anvil.mine(30)
    await blind.catchUp()
    await compare()
    expect(await discrepancies()).toEqual([['5000000', 'open']])
    const { rows } = await sql<{ from: bigint; to: bigint }>`
      SELECT from_height AS from, to_height AS to FROM rescans ORDER BY id DESC LIMIT 1`.execute(test.ctx.db)
    const [from, to] = [Number(rows[0]?.from), Number(rows[0]?.to)]
    expect(from <= height && height <= to && to - from <= 8).toBe(true)
    await rescan()
    await compare()
    expect(await discrepancies()).toEqual([['5000000', 'closed']])
    expect((await alarms()).map(([kind]) => kind)).toEqual(['watch_missed'])
  })

  it('leaves what no transaction brought to an operator, who books it (E24)', async () => {
    await anvil.call('anvil_setBalance', address.address, QUARTER)
    await continueChain()
    await compare()
    expect(await alarms()).toEqual([])
    await rescan()
    await compare()
    expect(await alarms()).toEqual([
      ['ledger_imbalance', expect.stringMatching(`^0\\.25 ETH on ETH, address ${address.address}.*book-discrepancy`)],
    ])
    const booking = { chain: 'ETH', address: address.address, asset: 'ETH', amount: '0.25', note: 'a reward' }
    await expect(bookDiscrepancy(test.ctx, { ...booking, amount: '0.26' })).rejects.toThrow('another amount')
    await expect(bookDiscrepancy(test.ctx, { ...booking, asset: 'USDC' })).rejects.toThrow(
      'There is no open discrepancy',
    )
    await expect(bookDiscrepancy(test.ctx, { ...booking, asset: 'XYZ' })).rejects.toThrow('no asset')
    await expect(bookDiscrepancy(test.ctx, { ...booking, note: ' ' })).rejects.toThrow('note')
    await bookDiscrepancy(test.ctx, booking)
    await expect(bookDiscrepancy(test.ctx, booking)).rejects.toThrow('There is no open discrepancy')
    await compare()
    expect(await discrepancies()).toEqual([['250000000000000000', 'booked']])
    expect(await alarms()).toEqual([])
    expect(isSound(await checkLedger(test.ctx, INVARIANTS))).toBe(true)
  })

  it('reverses a booking when the block of its deposit is read after all', async () => {
    const blind = await testReader(test.ctx, 'ETH', { assets: new Set([1]) })
    await anvil.transfer(USDC, address.address as Hex, 5_000_000n)
    const height = await anvil.height()
    await anvil.mine(30)
    await blind.catchUp()
    await compare()
    // The node that was asked left the transfer out of its blocks too.
    await sql`UPDATE rescans SET state = 'done' WHERE state = 'open'`.execute(test.ctx.db)
    const booking = { chain: 'ETH', address: address.address, asset: 'USDC', amount: '5', note: 'nobody knows' }
    await bookDiscrepancy(test.ctx, booking)
    expect(isSound(await checkLedger(test.ctx, INVARIANTS))).toBe(true)

    const blockchainId = 1
    await requestRescan(test.ctx, { blockchainId, from: height, to: height, reason: 'by hand', by: 'test' })
    await rescan()
    await compare()
    expect(await discrepancies()).toEqual([['5000000', 'closed']])
    expect((await alarms()).map(([kind]) => kind)).toEqual(['watch_missed'])
    expect(isSound(await checkLedger(test.ctx, INVARIANTS))).toBe(true)
    await reader.lead()
    await continueChain()
    await compare()
    expect(await discrepancies()).toEqual([['5000000', 'closed']])
  })

  it('keeps the part of a booking that the deposit does not explain for an operator', async () => {
    const blind = await testReader(test.ctx, 'ETH', { assets: new Set() })
    await anvil.send({ to: address.address as Hex, value: 10n ** 17n })
    const height = await anvil.height()
    await anvil.call('anvil_setBalance', address.address, QUARTER)
    await anvil.mine(30)
    await blind.catchUp()
    await compare()
    await sql`UPDATE rescans SET state = 'done' WHERE state = 'open'`.execute(test.ctx.db)
    await bookDiscrepancy(test.ctx, {
      ...{ chain: 'ETH', address: address.address, asset: 'ETH', amount: '0.25', note: 'a reward' },
    })
    await requestRescan(test.ctx, { blockchainId: 1, from: height, to: height, reason: 'by hand', by: 'test' })
    await rescan()
    await compare()
    expect(await discrepancies()).toEqual([
      ['250000000000000000', 'closed'],
      ['150000000000000000', 'open'],
    ])
    await anvil.call('anvil_setBalance', address.address, `0x${(10n ** 17n).toString(16)}`)
    await reader.lead()
    await continueChain()
    await compare()
    expect((await discrepancies()).map(([, state]) => state)).toEqual(['closed', 'closed'])
  })

  it('books nothing while the rescan still searches for its transaction', async () => {
    await anvil.call('anvil_setBalance', address.address, QUARTER)
    await continueChain()
    await compare()
    const booking = { chain: 'ETH', address: address.address, asset: 'ETH', amount: '0.25', note: 'a reward' }
    await expect(bookDiscrepancy(test.ctx, booking)).rejects.toThrow('still searches')
    await anvil.call('anvil_setBalance', address.address, '0x0')
    await continueChain()
    await compare()
    expect(await discrepancies()).toEqual([['250000000000000000', 'closed']])
  })

  it('raises an alarm at once when money left, until the ledger agrees again', async () => {
    await anvil.send({ to: address.address as Hex, value: 5n * 10n ** 17n })
    await continueChain()
    await anvil.call('anvil_setBalance', address.address, QUARTER)
    await continueChain()
    await compare()
    expect(await alarms()).toEqual([['ledger_imbalance', expect.stringContaining('CRITICAL: 0.25 ETH on ETH')]])
    const booking = { chain: 'ETH', address: address.address, asset: 'ETH', amount: '0.25', note: 'a reward' }
    await expect(bookDiscrepancy(test.ctx, booking)).rejects.toThrow('knows no transaction that took it')
    await anvil.call('anvil_setBalance', address.address, `0x${(5n * 10n ** 17n).toString(16)}`)
    await continueChain()
    await compareAddresses(test.ctx)
    expect(await discrepancies()).toEqual([['-250000000000000000', 'closed']])
    expect(await alarms()).toEqual([])
  })

  it('searches for the other discrepancies when one cannot be handled', async () => {
    const other = await customerAddress(test.ctx)
    await reader.catchUp()
    for (const one of [address, other]) await anvil.call('anvil_setBalance', one.address, QUARTER)
    await continueChain()
    await sql
      .raw(`ALTER TABLE discrepancies ADD CONSTRAINT poison CHECK (address_id <> ${address.id} OR rescan_id IS NULL)`)
      .execute(test.ctx.db)
    await compare()
    const { rows } = await sql<{ id: bigint }>`
      SELECT address_id AS id FROM discrepancies WHERE state = 'open' AND rescan_id IS NOT NULL`.execute(test.ctx.db)
    expect(rows).toEqual([{ id: other.id }])
    await sql`ALTER TABLE discrepancies DROP CONSTRAINT poison`.execute(test.ctx.db)
  })
})

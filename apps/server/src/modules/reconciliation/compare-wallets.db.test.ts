import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../app.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { type TestReader, testReader } from '../../testing/test-follower.ts'
import { openAlarms } from '../alarms/service.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { isSpentOutside } from '../movements/service.ts'
import { addOwnAddress } from '../wallets/own-addresses/service.ts'
import { continueRescans, requestRescan } from '../watch/rescan/service.ts'
import { bookDiscrepancy } from './book-discrepancy.ts'
import { compareAddresses } from './compare-addresses.ts'
import { isSound } from './report.ts'
import { checkLedger } from './service.ts'

const USDC: Hex = SANDBOX_TOKENS.usdc
const [ETH, USDC_ID] = [1, 7]
const ETHER = 10n ** 18n

let test: TestContext
let anvil: AnvilChain
let reader: TestReader
let deposit: CustomerAddress
let hot: { readonly id: number; readonly address: Hex }
let cold: typeof hot

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
  deposit = await customerAddress(test.ctx)
  hot = await newWallet('hot')
  cold = await newWallet('cold')
  reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
})

async function newWallet(role: 'hot' | 'cold') {
  const { rows } = await sql<{ id: number }>`
    INSERT INTO wallets (name, wallet_type, wallet_sub_type, secret_type)
    VALUES (${role}, ${`${role}_wallet`}, 'eoa', ${role === 'hot' ? 'private_key' : 'none'}) RETURNING id`.execute(
    test.ctx.db,
  )
  const id = rows[0]?.id ?? 0
  const address: Hex = `0x${randomBytes(20).toString('hex')}`
  await addOwnAddress(test.ctx, { blockchainId: ETH, address, role, walletId: id })
  return { id, address }
}

/** Deep enough for wallets to be compared behind it. */
const settle = async () => {
  await anvil.mine(2)
  await reader.catchUp()
}
const compare = async () => {
  await sql`UPDATE chain_compares SET day = day - 1`.execute(test.ctx.db)
  await compareAddresses(test.ctx)
}
const rescan = () => continueRescans({ ...test.ctx, sleep: async () => {} })
const alarms = async () => (await openAlarms(test.ctx)).map(({ text }) => text)
/** Reads a block again. */
/** Pays 9 USDC to the hot wallet in a block that is read without the transfer; returns the block's height. */
const fundedUnseen = async () => {
  const blind = await testReader(test.ctx, 'ETH', { assets: new Set([ETH]) })
  await anvil.transfer(USDC, hot.address, 9_000_000n)
  const height = await anvil.height()
  await anvil.mine(30)
  await blind.catchUp()
  await compare()
  // The node that is asked leaves the transfer out of its blocks too.
  await sql`UPDATE rescans SET state = 'done' WHERE state = 'open'`.execute(test.ctx.db)
  return height
}
const reread = async (height: number) => {
  await requestRescan(test.ctx, { blockchainId: ETH, from: height, to: height, reason: 'by hand', by: 'test' })
  await rescan()
}
const discrepancies = async () =>
  (
    await sql<{ units: string; state: string }>`SELECT discrepancy.units, state FROM discrepancies AS discrepancy
      JOIN own_addresses AS own ON own.id = discrepancy.own_address_id AND own.wallet_id = ${hot.id}
      ORDER BY discrepancy.id`.execute(test.ctx.db)
  ).rows.map(({ units, state }) => [units, state])
const floatOf = async (unitId: number) => {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(debits - credits), 0)::text AS units FROM accounts
    WHERE kind = 'chain:hot' AND owner_key = ${`wallet:${hot.id}`} AND unit_id = ${unitId}`.execute(test.ctx.db)
  return BigInt(rows[0]?.units ?? 0)
}
const isSoundNow = async () => isSound(await checkLedger(test.ctx, INVARIANTS))

describe('watch.compareAddresses of wallets (4.6)', () => {
  it('expects of each address the sum of its rows, for every mover', async () => {
    await anvil.transfer(USDC, deposit.address as Hex, 5_000_000n)
    await anvil.send({ to: hot.address, value: 3n * ETHER })
    await anvil.transfer(USDC, hot.address, 9_000_000n)
    await settle()
    await anvil.call('anvil_setBalance', cold.address, `0x${ETHER.toString(16)}`)
    await anvil.probeCalls([{ target: hot.address, value: 5n }], 5n)
    await settle()
    await compare()
    expect(await alarms()).toEqual([])
    expect(await isSoundNow()).toBe(true)
  })

  it('leaves a drawn deposit missing until a person books it, and then agrees', async () => {
    await anvil.transfer(USDC, deposit.address as Hex, 5_000_000n)
    await settle()
    await anvil.call('anvil_setBalance', deposit.address, `0x${ETHER.toString(16)}`)
    const stranger: Hex = `0x${randomBytes(20).toString('hex')}`
    await anvil.transfer(USDC, stranger, 2_000_000n, deposit.address as Hex)
    await anvil.call('anvil_setBalance', deposit.address, '0x0')
    await settle()
    // Not only at night: what its owner drew is looked at within minutes.
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([expect.stringMatching(/^CRITICAL: 2 USDC on ETH.*book-discrepancy/)])
    expect(await isSoundNow()).toBe(false)
    const booking = { chain: 'ETH', address: deposit.address, asset: 'USDC', amount: '2', note: 'the owner moved it' }
    await bookDiscrepancy(test.ctx, booking)
    expect(await alarms()).toEqual([])
    await compare()
    expect(await alarms()).toEqual([])
    expect(await isSoundNow()).toBe(true)
    const { rows } = await sql`
      SELECT posting, project_id FROM journal_entries WHERE posting = 'deposit.drawn' ORDER BY id DESC LIMIT 1`.execute(
      test.ctx.db,
    )
    expect(rows).toEqual([{ posting: 'deposit.drawn', project_id: deposit.projectId }])
  })

  it('counts the fee of each attempt of ours that is in a block, and calls none missing that may be in one', async () => {
    await anvil.send({ to: hot.address, value: 3n * ETHER })
    await settle()
    const height = await anvil.height()
    const { rows } = await sql<{ id: bigint }>`
      INSERT INTO sends (wallet_id, blockchain_id, purpose, from_address, sequence, units, fee_asset_id, fee_ceiling, state,
        planned_height, created_at)
      SELECT ${hot.id}, ${ETH}, 'deploy', own.address, 0, 0, ${ETH}, 100, 'sent', ${height}, now()
      FROM own_addresses AS own WHERE own.wallet_id = ${hot.id} RETURNING id`.execute(test.ctx.db)
    const { id } = rows[0] ?? { id: 0n }
    await sql`
      INSERT INTO send_attempts (send_id, n, tx_id, raw, body, max_fee, created_at)
      VALUES (${id}, 1, ${`0x${randomBytes(32).toString('hex')}`}, '\\x00', '{}', 100, now())`.execute(test.ctx.db)
    await anvil.call('anvil_setBalance', hot.address, `0x${(3n * ETHER - 60n).toString(16)}`)
    await settle()
    await settle()
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([])
    await sql`
      UPDATE send_attempts SET height = ${height + 1}, block_hash = '0x1', is_success = true, fee_units = 60
      WHERE send_id = ${id}`.execute(test.ctx.db)
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([])
    await sql`UPDATE send_attempts SET fee_units = 59 WHERE send_id = ${id}`.execute(test.ctx.db)
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([expect.stringContaining('CRITICAL')])
    await sql`UPDATE send_attempts SET fee_units = 60 WHERE send_id = ${id}`.execute(test.ctx.db)
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([])
    await sql`DELETE FROM send_attempts`.execute(test.ctx.db)
    await sql`DELETE FROM sends`.execute(test.ctx.db)
    await anvil.call('anvil_setBalance', hot.address, `0x${(3n * ETHER).toString(16)}`)
  })

  it('stops a hot wallet that holds less than its rows say, until a person says what it was', async () => {
    await anvil.send({ to: hot.address, value: 3n * ETHER })
    await settle()
    await anvil.call('anvil_setBalance', hot.address, `0x${ETHER.toString(16)}`)
    await settle()
    await settle()
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([expect.stringContaining('CRITICAL: 2 ETH on ETH')])
    const wallet = { walletId: hot.id, blockchainId: ETH }
    expect(await isSpentOutside(test.ctx, wallet)).toBe(true)
    await bookDiscrepancy(test.ctx, { chain: 'ETH', address: hot.address, asset: 'ETH', amount: '2', note: 'fees' })
    expect(await isSpentOutside(test.ctx, wallet)).toBe(false)
    await compare()
    expect(await alarms()).toEqual([])
    expect(await isSoundNow()).toBe(true)
  })

  it('looks for what a hot wallet holds more, and leaves the rest to a person: the float of an imported key', async () => {
    await anvil.call('anvil_setBalance', hot.address, `0x${ETHER.toString(16)}`)
    await settle()
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([])
    await rescan()
    await compareAddresses(test.ctx)
    expect(await alarms()).toEqual([expect.stringMatching(/^1 ETH on ETH/)])
    await bookDiscrepancy(test.ctx, { chain: 'ETH', address: hot.address, asset: 'ETH', amount: '1', note: 'imported' })
    await compare()
    expect(await alarms()).toEqual([])
    expect(await floatOf(ETH)).toBe(ETHER)
    expect(await isSoundNow()).toBe(true)
  })

  it('reverses what was booked on a hot wallet when the block of its transaction is read after all', async () => {
    const height = await fundedUnseen()
    const booking = { chain: 'ETH', address: hot.address, asset: 'USDC', amount: '9', note: 'nobody knows' }
    await bookDiscrepancy(test.ctx, booking)
    expect([await floatOf(USDC_ID), await isSoundNow()]).toEqual([9_000_000n, true])

    await reread(height)
    await compare()
    expect(await alarms()).toEqual([expect.stringMatching(/^1 deposit\(s\) in block/)])
    expect([await floatOf(USDC_ID), await isSoundNow()]).toEqual([9_000_000n, true])
    expect(await isSpentOutside(test.ctx, { walletId: hot.id, blockchainId: ETH })).toBe(false)
    await compare()
    expect(await discrepancies()).toEqual([['9000000', 'closed']])
  })

  it('books nothing on a hot wallet once the block of its transaction was read', async () => {
    const height = await fundedUnseen()
    await reread(height)
    const booking = { chain: 'ETH', address: hot.address, asset: 'USDC', amount: '9', note: 'nobody knows' }
    await expect(bookDiscrepancy(test.ctx, booking)).rejects.toThrow('changed meanwhile')
    await compare()
    expect(await discrepancies()).toEqual([['9000000', 'closed']])
    expect([await floatOf(USDC_ID), await isSoundNow()]).toEqual([9_000_000n, true])
  })

  it('reverses a booked loss of a hot wallet when the block of its transaction is read after all', async () => {
    await anvil.transfer(USDC, hot.address, 9_000_000n)
    await anvil.call('anvil_setBalance', hot.address, `0x${ETHER.toString(16)}`)
    await settle()
    const blind = await testReader(test.ctx, 'ETH', { assets: new Set([ETH]) })
    const stranger: Hex = `0x${randomBytes(20).toString('hex')}`
    await anvil.transfer(USDC, stranger, 4_000_000n, hot.address)
    const height = await anvil.height()
    await anvil.call('anvil_setBalance', hot.address, '0x0')
    await anvil.mine(30)
    await blind.catchUp()
    await compare()
    const booking = { chain: 'ETH', address: hot.address, asset: 'USDC', amount: '4', note: 'nobody knows' }
    await bookDiscrepancy(test.ctx, booking)
    expect([await floatOf(USDC_ID), await isSoundNow()]).toEqual([5_000_000n, true])

    await reread(height)
    await compare()
    expect(await discrepancies()).toEqual([['-4000000', 'closed']])
    expect([await floatOf(USDC_ID), await isSoundNow()]).toEqual([5_000_000n, true])
    // Now that it is a transaction, a person has to look at it.
    expect(await isSpentOutside(test.ctx, { walletId: hot.id, blockchainId: ETH })).toBe(true)
  })

  it('ignores other money of the owner on a cold wallet, and reports a missing share of ours', async () => {
    await anvil.transfer(USDC, deposit.address as Hex, 5_000_000n)
    await settle()
    await anvil.call('anvil_setBalance', deposit.address, `0x${ETHER.toString(16)}`)
    await anvil.transfer(USDC, cold.address, 5_000_000n, deposit.address as Hex)
    await anvil.call('anvil_setBalance', deposit.address, '0x0')
    await anvil.call('anvil_setBalance', cold.address, `0x${ETHER.toString(16)}`)
    await settle()
    await compare()
    expect(await alarms()).toEqual([])
    expect(await isSoundNow()).toBe(true)
  })
})

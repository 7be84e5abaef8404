import { type AnvilChain, openAnvilChain } from '@kassa/chains/testing/anvil-chain.ts'
import { SANDBOX_TOKENS } from '@kassa/primitives/chains/sandbox-tokens.ts'
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../app.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { testReader, type TestReader } from '../../testing/test-follower.ts'
import { openAlarms } from '../alarms/service.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { setSandboxNode } from '../blockchains/nodes/service.ts'
import { verify } from '../ledger/service.ts'
import { acknowledgeOutsideSpends, intendMovement, isSpentOutside } from '../movements/service.ts'
import { addOwnAddress } from '../wallets/own-addresses/service.ts'
import { requestRescan } from './rescan/service.ts'
import { runRescan } from './rescan/rescan-range.ts'
import { findRescan } from './rescan/store.ts'

const ETH = 1
const { usdc } = SANDBOX_TOKENS
const ETHER = 10n ** 18n
let test: TestContext
let anvil: AnvilChain
let reader: TestReader
let deposit: CustomerAddress
let hot: Wallet
let cold: Wallet

type Wallet = { readonly id: number; readonly address: Hex }

beforeAll(async () => {
  ;[test, anvil] = await Promise.all([testContext(), openAnvilChain()])
  await seedBlockchains(test.ctx)
  await setSandboxNode(test.ctx, 'ETH', anvil.node.label)
}, 60_000)
afterAll(async () => {
  await anvil.stop()
  await test.stop()
})

/** Wallets of their own, on a database that has read up to the chain's newest block. */
beforeEach(async () => {
  deposit = await customerAddress(test.ctx)
  hot = await newWallet('hot')
  cold = await newWallet('cold')
  await anvil.call('anvil_setBalance', deposit.address, `0x${ETHER.toString(16)}`)
  reader = await testReader(test.ctx, 'ETH')
  await reader.catchUp()
})

async function newWallet(role: 'hot' | 'cold'): Promise<Wallet> {
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

const to = () => deposit.address as Hex
const stranger = (): Hex => `0x${randomBytes(20).toString('hex')}`

/** Two blocks make everything final on the sandbox. */
async function settle(): Promise<void> {
  await anvil.mine()
  await reader.catchUp()
}

async function moved(): Promise<string[]> {
  const { rows } = await sql<{ kind: string; status: string; units: string; asset_id: number }>`
    SELECT kind, status, units::text, asset_id FROM movements
    WHERE from_wallet_id IN (${hot.id}, ${cold.id}, ${deposit.walletId}) OR to_wallet_id IN (${hot.id}, ${cold.id}, ${deposit.walletId})
    ORDER BY id`.execute(test.ctx.db)
  return rows.map(({ kind, status, units }) => `${kind} ${status} ${units}`)
}

/** What the accounts of these wallets and of the deposit address hold, in the order they were opened. */
async function booked(): Promise<Record<string, string>> {
  const owners = [`wallet:${hot.id}`, `wallet:${cold.id}`, `wallet:${deposit.walletId}`, `address:${deposit.id}`]
  const { rows } = await sql<{ kind: string; units: string }>`
    SELECT kind, sum(CASE side WHEN 'D' THEN debits - credits ELSE credits - debits END)::text AS units FROM accounts
    WHERE owner_key = ANY(${owners}::text[]) GROUP BY kind, unit_id HAVING sum(debits) <> sum(credits)`.execute(
    test.ctx.db,
  )
  return Object.fromEntries(rows.map(({ kind, units }) => [kind, units]))
}

async function depositsMade(): Promise<number> {
  const { rows } = await sql`SELECT FROM deposits WHERE address_id = ${deposit.id} AND status <> 'reverted'`.execute(
    test.ctx.db,
  )
  return rows.length
}

async function expectSound(): Promise<void> {
  expect(await verify(test.ctx, INVARIANTS)).toEqual([])
}

const alarms = async () => (await openAlarms(test.ctx)).map(({ kind, subject }) => `${kind} ${subject}`)
const alarmOfHot = () => `hot_spent_outside ETH wallet ${hot.id}`

describe('a hot wallet', () => {
  it('is funded by strangers: in coin, in tokens and through a contract', async () => {
    await anvil.send({ to: hot.address, value: 5n * ETHER })
    await anvil.transfer(usdc, hot.address, 7_000_000n)
    await anvil.probeCalls([{ target: hot.address, value: 3n }], 3n)
    await settle()
    expect(await moved()).toEqual([`funded final ${5n * ETHER}`, 'funded final 7000000', 'funded final 3'])
    expect(await booked()).toMatchObject({ 'chain:hot': expect.any(String), 'owner:funding': expect.any(String) })
    await expectSound()
  })

  it('raises an alarm when another program spends from it, until a person has acknowledged it', async () => {
    await anvil.send({ to: hot.address, value: 5n * ETHER })
    await settle()
    await anvil.send({ from: hot.address, to: stranger(), value: 2n * ETHER })
    await reader.catchUp()
    expect(await alarms()).toContain(alarmOfHot())
    const wallet = { walletId: hot.id, blockchainId: ETH }
    expect(await isSpentOutside(test.ctx, wallet)).toBe(true)
    await settle()
    expect(await booked()).toEqual({
      'chain:hot': String(3n * ETHER),
      'owner:funding': String(5n * ETHER),
      'owner:drawn': String(2n * ETHER),
    })
    await acknowledgeOutsideSpends(test.ctx, wallet)
    expect(await isSpentOutside(test.ctx, wallet)).toBe(false)
    expect(await alarms()).not.toContain(alarmOfHot())
    await expectSound()
  })

  it('tops up a deposit address without paying a customer, and pays out what was intended (E30, W-13)', async () => {
    await anvil.send({ to: hot.address, value: 5n * ETHER })
    await settle()
    for (const [kind, receiver] of [['topup', to()] as const, ['payout', stranger()] as const]) {
      const txId = await anvil.send({ from: hot.address, to: receiver, value: 7n })
      await intendMovement(test.ctx, { blockchainId: ETH, txId, kind, sendId: null })
    }
    await settle()
    await settle()
    expect((await moved()).slice(1)).toEqual(['topup final 7', 'payout final 7'])
    expect(await depositsMade()).toBe(0)
    expect(await isSpentOutside(test.ctx, { walletId: hot.id, blockchainId: ETH })).toBe(false)
    // Their sends book them.
    expect(await booked()).toMatchObject({ 'chain:hot': String(5n * ETHER) })
    await expectSound()
  })

  it('keeps an intended transaction’s other legs apart: a token that a third party sends to it in between is funding', async () => {
    const txId = await anvil.transfer(usdc, hot.address, 9n)
    await intendMovement(test.ctx, { blockchainId: ETH, txId, kind: 'payout', sendId: null })
    await settle()
    expect(await moved()).toEqual(['funded final 9'])
  })
})

describe('a deposit address', () => {
  const paid = async () => {
    await anvil.transfer(usdc, to(), 5_000_000n)
    await settle()
    expect(await depositsMade()).toBe(1)
  }

  it('is swept by its owner to the cold wallet, which may draw what came from us and more', async () => {
    await paid()
    await anvil.transfer(usdc, cold.address, 5_000_000n, to())
    await settle()
    expect(await moved()).toEqual(['foreign-sweep final 5000000'])
    expect(await booked()).toEqual({ 'chain:cold': '5000000' })
    await anvil.transfer(usdc, cold.address, 1_000_000n)
    await anvil.call('anvil_setBalance', cold.address, `0x${ETHER.toString(16)}`)
    await anvil.transfer(usdc, stranger(), 6_000_000n, cold.address)
    await settle()
    expect((await moved()).slice(1)).toEqual(['funded final 1000000', 'drawn final 6000000'])
    expect(await booked()).toEqual({ 'owner:drawn': '5000000' })
    await expectSound()
  })

  it('is drawn by its owner: a movement that no program books', async () => {
    await paid()
    await anvil.transfer(usdc, stranger(), 2_000_000n, to())
    await settle()
    expect(await moved()).toEqual(['deposit-drawn final 2000000'])
    expect(await booked()).toEqual({ 'chain:deposit-addresses': '5000000' })
    await expectSound()
  })

  it('pays another one: no deposit there, and money of ours', async () => {
    await paid()
    const other = await customerAddress(test.ctx)
    await anvil.transfer(usdc, other.address as Hex, 2_000_000n, to())
    await anvil.transfer(usdc, to(), 1n, to())
    await settle()
    await settle()
    expect(await moved()).toEqual(['deposit-drawn final 2000000', 'deposit-drawn final 1'])
    const { rows } = await sql`SELECT FROM deposits WHERE address_id = ${other.id}`.execute(test.ctx.db)
    expect(rows).toEqual([])
    await expectSound()
  })

  it('lets a sweep wait while its deposit is not final', async () => {
    await anvil.transfer(usdc, to(), 5_000_000n)
    await reader.catchUp()
    await sql`UPDATE deposits SET confirmations_required = 4 WHERE address_id = ${deposit.id}`.execute(test.ctx.db)
    await anvil.transfer(usdc, cold.address, 5_000_000n, to())
    await settle()
    expect(await moved()).toEqual(['foreign-sweep seen 5000000'])
    await settle()
    await settle()
    expect(await moved()).toEqual(['foreign-sweep final 5000000'])
    expect(await booked()).toEqual({ 'chain:cold': '5000000' })
    await expectSound()
  })
})

describe('a reorganisation', () => {
  it('takes movements back before the deposits that they spent, and finds each again', async () => {
    await anvil.send({ to: hot.address, value: 5n * ETHER })
    await settle()
    await anvil.transfer(usdc, to(), 5_000_000n)
    await anvil.transfer(usdc, cold.address, 3_000_000n, to())
    await anvil.transfer(usdc, stranger(), 2_000_000n, to())
    await anvil.send({ from: hot.address, to: stranger(), value: ETHER })
    await settle()
    const before = { moved: await moved(), booked: await booked() }
    expect(before.moved.slice(1)).toEqual([
      'foreign-sweep final 3000000',
      'deposit-drawn final 2000000',
      `spent-outside final ${ETHER}`,
    ])
    await anvil.call('anvil_reorg', 5, [])
    await reader.catchUp()
    expect((await moved()).slice(1).every((one) => one.includes('reverted'))).toBe(true)
    expect(await booked()).toEqual({ 'chain:hot': String(5n * ETHER), 'owner:funding': String(5n * ETHER) })
    expect(await alarms()).not.toContain(alarmOfHot())
    expect(await isSpentOutside(test.ctx, { walletId: hot.id, blockchainId: ETH })).toBe(false)
    await expectSound()
  })
})

describe('a rescan', () => {
  it('finds each movement that the reader missed, once', async () => {
    const from = (await anvil.height()) + 1
    await anvil.send({ to: hot.address, value: 5n * ETHER })
    await anvil.transfer(usdc, to(), 5_000_000n)
    await anvil.transfer(usdc, cold.address, 5_000_000n, to())
    await anvil.send({ from: hot.address, to: stranger(), value: ETHER })
    await anvil.mine(2)
    // A reader that looks for nothing.
    const blind = await testReader(test.ctx, 'ETH', { assets: new Set() })
    await blind.catchUp()
    expect(await moved()).toEqual([])
    for (let time = 0; time < 2; time += 1) {
      const { id } = await requestRescan(test.ctx, {
        blockchainId: ETH,
        from,
        to: await anvil.height(),
        reason: 'a test',
        by: 'test',
      })
      const rescan = await findRescan(test.ctx, id)
      if (!rescan) throw new Error('The rescan is not there')
      const done = await runRescan(test.ctx, rescan, new AbortController().signal)
      expect(done).toMatchObject({ state: 'done', found: time === 0 ? 4 : 0 })
    }
    expect(await moved()).toEqual([
      `funded final ${5n * ETHER}`,
      'foreign-sweep final 5000000',
      `spent-outside final ${ETHER}`,
    ])
    await expectSound()
  }, 60_000)
})

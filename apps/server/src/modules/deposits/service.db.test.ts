import type { Leg, Transfer } from '@kassa/chains/adapter.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Context } from '../../context.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { entriesOf } from '../ledger/service.ts'
import type { NewDeposit, Disposition } from './deposit.ts'
import { countWaiting, depositsOfPayment, finalize, recordTransfers, revertAbove } from './service.ts'

const BASE = 4
const USDC = 8
let test: TestContext
let address: CustomerAddress

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  address = await customerAddress(test.ctx)
})
afterAll(() => test.stop())

let transactions = 0
function transferAt(height: number, over: Partial<Transfer> = {}): Transfer {
  return {
    kind: 'token',
    assetId: USDC,
    senders: ['0x00000000000000000000000000000000000000F1'],
    to: address.address,
    units: 10_000_000n,
    txId: `0xtx${(transactions += 1)}`,
    leg: 'log:0' as Leg,
    evidence: 'receipt',
    block: { height, hash: `0xa${height}`, parentHash: `0xa${height - 1}`, minedAt: new Date('2026-01-01T00:00:00Z') },
    ...over,
  }
}
const inBlock = (height: number, branch: string): Partial<Transfer> => ({
  block: { height, hash: `0x${branch}${height}`, parentHash: '0x', minedAt: new Date('2026-01-01T00:00:00Z') },
})
const seen = (transfer: Transfer, over: Partial<NewDeposit> = {}): NewDeposit => ({
  blockchainId: BASE,
  transfer,
  address,
  usdAtSeen: '10.00',
  confirmationsRequired: 3,
  rule: 'depth',
  paymentId: null,
  countedUnits: null,
  countedUsd: null,
  reason: null,
  late: false,
  ...over,
})
const recordTransfer = async (ctx: Context, input: NewDeposit) => (await recordTransfers(ctx, [input]))[0] ?? null
const placed = { paymentId: null, reason: null, late: false }
type Where = { readonly tip: number; readonly finalized: number }
/** Finalizes what is final there, and names it. */
const place = (where: Where, placement: Partial<Disposition> = {}) =>
  finalize(
    test.ctx,
    { blockchainId: BASE, ...where },
    { decide: () => ({ status: 'applied', ...placed, ...placement }) },
  )
async function record(transfer: Transfer, over: Partial<NewDeposit> = {}) {
  const recorded = await recordTransfer(test.ctx, seen(transfer, over))
  if (!recorded) throw new Error('The transfer was known already')
  return recorded.deposit
}
async function balance(kind: string, ownerKey = '%'): Promise<bigint> {
  const { rows } = await sql<{ units: string }>`
    SELECT coalesce(sum(CASE side WHEN 'D' THEN debits - credits ELSE credits - debits END), 0) AS units
    FROM accounts WHERE kind = ${kind} AND owner_key LIKE ${ownerKey}`.execute(test.ctx.db)
  return BigInt(rows[0]?.units ?? '0')
}
describe('deposits.recordTransfer', () => {
  it('records a transfer as seen, with its entry in the same transaction', async () => {
    const before = await balance('chain:unconfirmed')
    const deposit = await record(transferAt(10))
    expect(deposit).toMatchObject({
      status: 'seen',
      units: 10_000_000n,
      height: 10,
      revision: 1,
      projectId: address.projectId,
    })
    expect((await balance('chain:unconfirmed')) - before).toBe(10_000_000n)
    expect((await entriesOf(test.ctx, [`deposit:${deposit.id}:`])).map((entry) => entry.source)).toEqual([
      `deposit:${deposit.id}:seen`,
    ])
  })

  it('recognises a recorded transfer, and counts nothing twice', async () => {
    const transfer = transferAt(11)
    await record(transfer)
    const before = await balance('chain:unconfirmed')
    expect(await recordTransfer(test.ctx, seen(transfer))).toBeNull()
    expect(await balance('chain:unconfirmed')).toBe(before)
  })

  it('records each leg of one transaction', async () => {
    const first = transferAt(12)
    await record(first)
    expect((await record({ ...first, leg: 'log:1' as Leg })).leg).toBe('log:1')
  })

  it('records one of twenty parallel reports', async () => {
    const transfer = transferAt(13)
    const before = await balance('chain:unconfirmed')
    const all = await Promise.all(Array.from({ length: 20 }, () => recordTransfer(test.ctx, seen(transfer))))
    expect(all.filter((one) => one !== null)).toHaveLength(1)
    expect((await balance('chain:unconfirmed')) - before).toBe(10_000_000n)
  })

  it('refuses an address without a customer', async () => {
    const nobody = { ...address, customerId: null, projectId: null }
    await expect(recordTransfer(test.ctx, seen(transferAt(14), { address: nobody }))).rejects.toThrow('no customer')
  })
})

describe('deposits.finalize', () => {
  it('finalizes by depth exactly when the rule is met, and by finality at once; once', async () => {
    const shallow = await record(transferAt(100))
    const large = await record(transferAt(100), { rule: 'finalized', confirmationsRequired: 3 })
    const idsAt = async (tip: number, finalized: number) => (await place({ tip, finalized })).map(({ id }) => id)
    await idsAt(99, 99)
    expect(await idsAt(101, -1)).toEqual([])
    expect(await idsAt(102, -1)).toEqual([shallow.id])
    expect(await idsAt(200, 99)).toEqual([])
    expect(await idsAt(200, 100)).toEqual([large.id])
    expect(await idsAt(200, 200)).toEqual([])
  })

  it('returns the lowest block first', async () => {
    const high = await record(transferAt(302))
    const low = await record(transferAt(301))
    expect((await place({ tip: 400, finalized: 400 })).map(({ id }) => id)).toEqual([low.id, high.id])
  })

  it('counts what still waits', async () => {
    const before = await countWaiting(test.ctx, BASE)
    await record(transferAt(500))
    expect(await countWaiting(test.ctx, BASE)).toBe(before + 1)
    await place({ tip: 600, finalized: 600 })
    expect(await countWaiting(test.ctx, BASE)).toBe(0)
  })

  it('leaves those of other customers for the next time', async () => {
    const deposit = await record(transferAt(650))
    const where = { blockchainId: BASE, tip: 650, finalized: 650 }
    const decide = () => ({ status: 'applied' as const, ...placed })
    expect(await finalize(test.ctx, where, { decide, owners: [address.customerId + 1] })).toEqual([])
    const [taken] = await finalize(test.ctx, where, { decide, owners: [address.customerId] })
    expect(taken?.id).toBe(deposit.id)
  })

  it.each([
    ['applied', 'project:balance'],
    ['unapplied', 'customer:unapplied'],
    ['ignored', 'project:dust'],
    ['quarantined', 'project:quarantine'],
  ] as const)('books %s money to %s', async (status, kind) => {
    const deposit = await record(transferAt(700))
    const [claim, coins, waiting] = [
      await balance(kind),
      await balance('chain:deposit-addresses'),
      await balance('chain:unconfirmed'),
    ]
    expect(await place({ tip: 700, finalized: 700 }, { status, reason: 'late' })).toMatchObject([
      { id: deposit.id, status, reason: 'late' },
    ])
    expect((await balance(kind)) - claim).toBe(deposit.units)
    expect((await balance('chain:deposit-addresses', `address:${address.id}`)) - coins).toBe(deposit.units)
    expect((await balance('chain:unconfirmed')) - waiting).toBe(-deposit.units)
  })

  it('finalizes one of two parallel attempts, and books it once', async () => {
    const deposit = await record(transferAt(701))
    const before = await balance('project:balance')
    await Promise.allSettled([place({ tip: 701, finalized: 701 }), place({ tip: 701, finalized: 701 })])
    expect((await balance('project:balance')) - before).toBe(deposit.units)
  })
})

describe('deposits.revertAbove', () => {
  const above = (toHeight: number) => revertAbove(test.ctx, { blockchainId: BASE, toHeight })
  const sums = async () => [
    await balance('chain:unconfirmed'),
    await balance('chain:deposit-addresses'),
    await balance('project:balance'),
    await balance('project:unconfirmed'),
  ]

  it('reverts what is above, newest block first, and reverses every entry', async () => {
    await above(999)
    const before = await sums()
    const remaining = await record(transferAt(1_000))
    const low = await record(transferAt(1_001))
    const high = await record(transferAt(1_002))
    await finalize(
      test.ctx,
      { blockchainId: BASE, tip: 1_003, finalized: -1 },
      { decide: () => ({ status: 'applied', ...placed }) },
    )
    expect((await above(1_000)).map(({ id, status }) => [id, status])).toEqual([
      [high.id, 'reverted'],
      [low.id, 'reverted'],
    ])
    const reversals = await entriesOf(test.ctx, [`deposit:${low.id}:reverse-`])
    expect(reversals.map(({ source, posting, at }) => [source, posting, at?.height])).toEqual([
      [`deposit:${low.id}:reverse-apply`, 'deposit.reverse', 1_001],
      [`deposit:${low.id}:reverse-seen`, 'deposit.reverse', 1_001],
    ])
    await above(999)
    expect(await sums()).toEqual(before)
    expect(await above(999)).toEqual([])
    expect(remaining.id).toBeLessThan(low.id)
  })

  it('records a transfer mined again elsewhere as a new row', async () => {
    const transfer = transferAt(1_100)
    const first = await record(transfer)
    await above(1_099)
    const again = await recordTransfer(test.ctx, seen({ ...transfer, ...inBlock(1_101, 'b') }))
    expect(again).toMatchObject({ isNew: true, deposit: { status: 'seen', revision: 1, txId: transfer.txId } })
    expect(again?.deposit.id).not.toBe(first.id)
    await above(1_099)
  })

  it('restores the same row under the next revision when the chain returns to its block', async () => {
    const transfer = transferAt(1_200)
    const first = await record(transfer)
    for (const revision of [2, 3]) {
      await above(1_199)
      const again = await recordTransfer(test.ctx, seen(transfer))
      expect(again).toMatchObject({ isNew: false, deposit: { id: first.id, status: 'seen', revision } })
    }
    const keys = (await entriesOf(test.ctx, [`deposit:${first.id}:`])).map((entry) =>
      entry.source.split(':').slice(2).join(':'),
    )
    expect(keys).toEqual(['seen', 'reverse-seen', 'seen:2', 'reverse-seen:2', 'seen:3'])
    await above(1_199)
  })

  it('leaves the same transfer in another block unchanged when the chain returns to an old block', async () => {
    const transfer = transferAt(1_300)
    await record(transfer)
    await above(1_299)
    await record({ ...transfer, ...inBlock(1_301, 'b') })
    expect(await recordTransfer(test.ctx, seen(transfer))).toBeNull()
    await above(1_299)
  })
})

describe('deposits.depositsOfPayment', () => {
  it('is empty for a payment without deposits', async () => {
    expect(await depositsOfPayment(test.ctx, 1n)).toEqual([])
  })
})

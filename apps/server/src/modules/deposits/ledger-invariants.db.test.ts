import type { Leg, Transfer } from '@kassa/chains/adapter.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { INVARIANTS } from '../../app.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { type CustomerAddress, customerAddress } from '../../testing/customer-address.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { checkLedger } from '../reconciliation/service.ts'
import { finalize, recordTransfers, revertAbove } from './service.ts'
import type { Disposition } from './deposit.ts'

/**
 * A possible next event of a chain: it mines one of a few transfers in its next block, finalizes old blocks, or is
 * reorganised.
 */
type Step =
  | { readonly do: 'mine'; readonly tx: number; readonly branch: 'a' | 'b' }
  | { readonly do: 'finish'; readonly as: Disposition['status'] }
  | { readonly do: 'retreat'; readonly blocks: number }

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('mine' as const), tx: fc.nat(4), branch: fc.constantFrom('a', 'b') }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('finish' as const),
        as: fc.constantFrom<Disposition['status'][]>('applied', 'unapplied', 'ignored', 'quarantined'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('retreat' as const), blocks: fc.integer({ min: 1, max: 4 }) }),
    },
  ),
  { maxLength: 25 },
)

/** The model: a stack of blocks, each with a transfer and its disposition. */
type Mined = { tx: number; units: bigint; status: 'seen' | Disposition['status'] }

const ACCOUNT_OF = {
  applied: 'project:balance',
  unapplied: 'customer:unapplied',
  ignored: 'project:dust',
  quarantined: 'project:quarantine',
} as const

let test: TestContext
beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await sql`UPDATE blockchains SET status = 'inactive'`.execute(test.ctx.db)
})
afterAll(() => test.stop())

/** An asset of the listed ones. */
const ETH = 1

/** Each run uses its own transactions. */
let runs = 0

async function play(address: CustomerAddress, steps: readonly Step[]): Promise<Mined[]> {
  // Deposits of the run before would become final in this one.
  await revertAbove(test.ctx, { blockchainId: 4, toHeight: -1 })
  const blocks: Mined[] = []
  const first = (runs += 1) * 1_000
  const tip = () => first + blocks.length - 1
  for (const step of steps) {
    if (step.do === 'mine') {
      const isMined = blocks.some(({ tx }) => tx === step.tx)
      const mined: Mined = { tx: step.tx, units: BigInt(step.tx + 1), status: 'seen' }
      const transfer = transferIn(address, first + blocks.length, step, first)
      const [recorded] = await recordTransfers(test.ctx, [
        {
          blockchainId: 4,
          transfer,
          address,
          usdAtSeen: null,
          confirmationsRequired: 1,
          rule: 'depth',
          paymentId: null,
          countedUnits: null,
          countedUsd: null,
          reason: null,
          late: false,
        },
      ])
      expect(recorded === null).toBe(isMined)
      if (!isMined) blocks.push(mined)
    }
    if (step.do === 'finish') {
      const waiting = blocks.filter(({ status }) => status === 'seen')
      const decide = () => ({ status: step.as, paymentId: null, reason: null, late: false })
      const final = await finalize(test.ctx, { blockchainId: 4, tip: tip(), finalized: -1 }, { decide })
      expect(final).toHaveLength(waiting.length)
      for (const mined of waiting) mined.status = step.as
    }
    if (step.do === 'retreat') {
      const gone = Math.min(step.blocks, blocks.length)
      const reverted = await revertAbove(test.ctx, { blockchainId: 4, toHeight: tip() - gone })
      expect(reverted).toHaveLength(gone)
      blocks.length -= gone
    }
  }
  return blocks
}

function transferIn(address: CustomerAddress, height: number, step: Step & { do: 'mine' }, first: number): Transfer {
  return {
    kind: 'token',
    assetId: 8,
    senders: [],
    to: address.address,
    leg: 'log:0' as Leg,
    evidence: 'receipt',
    units: BigInt(step.tx + 1),
    txId: `0x${first}${step.tx}`,
    block: { height, hash: `0x${step.branch}${height}`, parentHash: '0x', minedAt: new Date() },
  }
}

async function balances(address: CustomerAddress): Promise<Record<string, bigint>> {
  const { rows } = await sql<{ kind: string; units: string }>`
    SELECT kind, CASE side WHEN 'D' THEN debits - credits ELSE credits - debits END AS units FROM accounts
    WHERE owner_key IN (${`project:${address.projectId}`}, ${`address:${address.id}`})`.execute(test.ctx.db)
  return Object.fromEntries(rows.filter(({ units }) => units !== '0').map(({ kind, units }) => [kind, BigInt(units)]))
}

function expected(blocks: readonly Mined[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  const add = (kind: string, units: bigint) => (sums[kind] = (sums[kind] ?? 0n) + units)
  for (const { status, units } of blocks) {
    if (status === 'seen') add('project:unconfirmed', units)
    else {
      add(ACCOUNT_OF[status], units)
      add('chain:deposit-addresses', units)
    }
  }
  return sums
}

describe('the ledger after any history', () => {
  it('equals the transfers of the canonical branch, and breaks no invariant', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const address = await customerAddress(test.ctx)
        const blocks = await play(address, history)
        expect(await balances(address)).toEqual(expected(blocks))
        const report = await checkLedger(test.ctx, INVARIANTS)
        expect(report.broken).toEqual([])
        expect(report.differences.every(({ units }) => units === 0n)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})

describe('reconciliation.checkLedger', () => {
  const broken = async () => (await checkLedger(test.ctx, INVARIANTS)).broken.map(({ name }) => name)

  it('names a deposit that was inserted by hand (X5)', async () => {
    const address = await customerAddress(test.ctx)
    await sql`
      INSERT INTO deposits (blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, to_address, units, height,
        block_hash, block_time, confirmations_required, rule, status, customer_id, project_id, seen_at)
      VALUES (4, 8, ${address.id}, '0xforged', 'log:0', 'token', 'receipt', 'x', 5, 1, '0x', now(), 1, 'depth', 'applied',
        ${address.customerId}, ${address.projectId}, now())`.execute(test.ctx.db)
    expect(await broken()).toEqual(['deposit-entries', 'coins-of-rows'])
    await sql`DELETE FROM deposits WHERE tx_id = '0xforged'`.execute(test.ctx.db)
    expect(await broken()).toEqual([])
  })

  it('names a deposit whose units were changed', async () => {
    const address = await customerAddress(test.ctx)
    await play(address, [{ do: 'mine', tx: 1, branch: 'a' }])
    const change = (by: number) =>
      sql`UPDATE deposits SET units = units + ${by} WHERE address_id = ${address.id}`.execute(test.ctx.db)
    await change(1)
    expect(await broken()).toEqual(['deposit-entries', 'deposit-money', 'unconfirmed-coins'])
    await change(-1)
  })

  it('names an account whose total was changed behind the journal', async () => {
    await sql`INSERT INTO accounts (kind, unit_id, owner_key, side, guarded)
      VALUES ('project:balance', 8, 'planted', 'C', false)`.execute(test.ctx.db)
    await sql`ALTER TABLE accounts DISABLE TRIGGER USER`.execute(test.ctx.db)
    const change = (by: number) =>
      sql`UPDATE accounts SET credits = credits + ${by} WHERE owner_key = 'planted'`.execute(test.ctx.db)
    await change(1)
    expect(await broken()).toEqual(['account-totals', 'sides-balance'])
    await change(-1)
    await sql`ALTER TABLE accounts ENABLE TRIGGER USER`.execute(test.ctx.db)
    expect(await broken()).toEqual([])
  })

  describe("a payment's money", () => {
    afterEach(async () => {
      await sql`DELETE FROM deposits`.execute(test.ctx.db)
      await sql`DELETE FROM payments`.execute(test.ctx.db)
    })

    /** A payment of 7 units with one applied deposit of 9 units that counts for some of them. */
    const paid = async (counted: number | null) => {
      const address = await customerAddress(test.ctx)
      await sql`
        WITH payment AS (
          INSERT INTO payments (reference_id, project_id, customer_id, amount_usd, created_by, expires_at, filled_units,
            asset_id, due_units)
          VALUES (gen_random_uuid(), ${address.projectId}, ${address.customerId}, 5, 'user', now(), 7, ${ETH}, 7)
          RETURNING id
        )
        INSERT INTO deposits (blockchain_id, asset_id, address_id, tx_id, leg, kind, evidence, to_address, units, height,
          block_hash, block_time, confirmations_required, rule, status, customer_id, project_id, seen_at, payment_id,
          counted_units)
        SELECT 1, ${ETH}, ${address.id}, '0xpaid', 'log:0', 'token', 'receipt', 'x', 9, 1, '0x', now(), 1, 'depth',
          'applied', ${address.customerId}, ${address.projectId}, now(), id, ${counted}::int
        FROM payment`.execute(test.ctx.db)
    }
    const isNamed = async () => (await broken()).includes('payment-money')

    it('equals the sum of its deposits, for any units', async () => {
      await paid(7)
      expect(await isNamed()).toBe(false)
    })

    it.each([9, 0])('is named when its deposits count for %s', async (counted) => {
      await paid(counted)
      expect(await isNamed()).toBe(true)
    })

    it('is named when a deposit of it has no count', async () => {
      await paid(null)
      expect(await isNamed()).toBe(true)
    })
  })
})

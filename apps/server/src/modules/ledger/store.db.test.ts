import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type Context, inTransaction } from '../../context.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import type { Account, Entry, Line } from './rules.ts'
import { AlreadyPosted, insertEntries, Overdrawn } from './store.ts'

let test: TestContext
const USDC = 8

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
})
afterAll(() => test.stop())

let entries = 0
const entry = (lines: Line[], source = `test:${(entries += 1)}:move`): Entry => ({
  posting: 'test.move',
  source,
  projectId: null,
  at: null,
  lines,
})
let owners = 0
/** An owner of its own for each test. */
const someone = (): Account['owner'] => `project:${(owners += 1)}`
const account = (kind: Account['kind'], owner: Account['owner']): Account => ({ kind, owner, unitId: USDC })
const insertOne = (ctx: Context, one: Entry) => insertEntries(ctx, [one])
const run = (statement: string) => sql.raw(statement).execute(test.ctx.db)

async function totals({ kind, owner, unitId }: Account): Promise<[string, string] | undefined> {
  const { rows } = await sql<{ debits: string; credits: string }>`
    SELECT debits, credits FROM accounts WHERE kind = ${kind} AND owner_key = ${owner} AND unit_id = ${unitId}`.execute(
    test.ctx.db,
  )
  return rows[0] && [rows[0].debits, rows[0].credits]
}

describe('ledger.insertEntries', () => {
  it('moves both accounts by exactly the units, up to 2^256 - 1', async () => {
    const units = 2n ** 256n - 1n
    const owner = someone()
    const [debit, credit] = [account('chain:deposit-addresses', owner), account('project:balance', owner)]
    await insertOne(test.ctx, entry([{ debit, credit, units }]))
    expect([await totals(debit), await totals(credit)]).toEqual([
      [String(units), '0'],
      ['0', String(units)],
    ])
  })

  it('refuses the same source key a second time with an error of its own, and leaves the transaction usable', async () => {
    const owner = someone()
    const [debit, credit] = [account('chain:deposit-addresses', owner), account('project:balance', owner)]
    const once = entry([{ debit, credit, units: 5n }])
    await inTransaction(test.ctx, async (tx) => {
      await insertOne(tx, once)
      await expect(insertOne(tx, once)).rejects.toThrow(AlreadyPosted)
      await insertOne(tx, entry([{ debit, credit, units: 2n }]))
    })
    expect(await totals(debit)).toEqual(['7', '0'])
  })

  it('cannot take a guarded account below zero, because the database refuses', async () => {
    const owner = someone()
    const [credit, debit] = [account('project:quarantine', owner), account('project:balance', owner)]
    await expect(insertOne(test.ctx, entry([{ debit: credit, credit: debit, units: 1n }]))).rejects.toThrow(Overdrawn)
    expect(await totals(credit)).toBeUndefined()
  })

  it('accepts exactly as many of 200 parallel postings as the account covers', async () => {
    const owner = someone()
    const [pool, unapplied] = [account('project:quarantine', owner), account('customer:unapplied', owner)]
    const source = account('chain:deposit-addresses', owner)
    await insertOne(test.ctx, entry([{ debit: source, credit: pool, units: 40n }]))
    const holds = Array.from({ length: 200 }, () =>
      insertOne(test.ctx, entry([{ debit: pool, credit: unapplied, units: 1n }])),
    )
    const outcomes = await Promise.allSettled(holds)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(outcomes.length - refused.length).toBe(40)
    expect(refused.every(({ reason }) => reason instanceof Overdrawn)).toBe(true)
    expect([await totals(pool), await totals(unapplied)]).toEqual([
      ['40', '40'],
      ['0', '40'],
    ])
  })

  it('creates an account once when fifty transactions need it at the same time', async () => {
    const owner = someone()
    const [debit, credit] = [account('chain:deposit-addresses', owner), account('project:balance', owner)]
    await Promise.all(Array.from({ length: 50 }, () => insertOne(test.ctx, entry([{ debit, credit, units: 1n }]))))
    expect(await totals(debit)).toEqual(['50', '0'])
    expect(await totals(credit)).toEqual(['0', '50'])
  })
})

describe('the database refuses', () => {
  beforeAll(async () => {
    const owner = someone()
    const [debit, credit] = [account('chain:deposit-addresses', owner), account('project:balance', owner)]
    await insertOne(test.ctx, entry([{ debit, credit, units: 5n }], 'test:fixed:move'))
  })

  it.each([
    ['a changed line', 'UPDATE postings SET units = 6'],
    ['a removed line', 'DELETE FROM postings'],
    ['an emptied journal', 'TRUNCATE postings CASCADE'],
    ['a changed entry', "UPDATE journal_entries SET source_key = 'x'"],
    ['a removed entry', 'DELETE FROM journal_entries'],
    ['a total that is set', 'UPDATE accounts SET debits = debits + 1'],
    [
      'an account that begins with money',
      "INSERT INTO accounts (kind, unit_id, owner_key, side, guarded, debits) VALUES ('x', 8, 'x', 'D', false, 1)",
    ],
    ['an account that changes what it is', 'UPDATE accounts SET guarded = false'],
    ['a removed account', 'DELETE FROM accounts'],
    ['a unit of account that changes what it is', 'UPDATE units SET decimals = 18'],
    ['a removed unit of account', 'DELETE FROM units'],
    [
      'an amount in no unit of account',
      "INSERT INTO accounts (kind, unit_id, owner_key, side, guarded) VALUES ('x', 999, 'x', 'D', false)",
    ],
    [
      'a unit of account in the numbers of assets',
      "INSERT INTO units (id, currency_code, decimals) VALUES (999, 'USD', 6)",
    ],
    [
      'a line between two units of account',
      'INSERT INTO postings SELECT entry_id, 9, 7, debit_account, credit_account, 1 FROM postings LIMIT 1',
    ],
    [
      'a line from an account to itself',
      'INSERT INTO postings SELECT entry_id, 9, unit_id, debit_account, debit_account, 1 FROM postings LIMIT 1',
    ],
    [
      'a line of nothing',
      'INSERT INTO postings SELECT entry_id, 9, unit_id, debit_account, credit_account, 0 FROM postings LIMIT 1',
    ],
    [
      'a second reversal of one entry',
      "INSERT INTO journal_entries (source_key, posting, reverses) SELECT 'reversal:' || n, 'test.reverse', (SELECT min(id) FROM journal_entries) FROM generate_series(1, 2) AS n",
    ],
  ])('%s', async (_what, statement) => {
    await expect(run(statement)).rejects.toThrow(/never|starts at zero|postings only|violates/)
  })
})

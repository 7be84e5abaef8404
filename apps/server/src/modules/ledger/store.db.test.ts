import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { inTransaction } from '../../context.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { customerAddress } from '../../testing/customer-address.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import type { AccountRef, Line, WrittenEntry } from './rules.ts'
import { AlreadyPosted, insertEntry, Overdrawn } from './store.ts'

let test: TestContext
const USDC = 8

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
})
afterAll(() => test.stop())

let entries = 0
const entry = (lines: Line[], sourceKey = `test:${(entries += 1)}:move`): WrittenEntry => ({
  sourceKey,
  posting: 'test.move',
  projectId: null,
  blockchainId: null,
  height: null,
  reverses: null,
  lines,
})
const account = (kind: AccountRef['kind'], ownerKey: string): AccountRef => ({ kind, assetId: USDC, ownerKey })
const run = (statement: string) => sql.raw(statement).execute(test.ctx.db)

async function totals(ref: AccountRef): Promise<[string, string] | undefined> {
  const { rows } = await sql<{ debits: string; credits: string }>`
    SELECT debits, credits FROM accounts WHERE kind = ${ref.kind} AND owner_key = ${ref.ownerKey} AND asset_id = ${ref.assetId}`.execute(
    test.ctx.db,
  )
  return rows[0] && [rows[0].debits, rows[0].credits]
}

describe('ledger.insertEntry', () => {
  it('moves both accounts by exactly the units, up to 2^256 - 1', async () => {
    const units = 2n ** 256n - 1n
    const [debit, credit] = [account('chain:deposit-addresses', 'big'), account('project:balance', 'big')]
    await insertEntry(test.ctx, entry([{ debit, credit, units }]))
    expect([await totals(debit), await totals(credit)]).toEqual([
      [String(units), '0'],
      ['0', String(units)],
    ])
  })

  it('refuses the same source key a second time, says so, and leaves the transaction usable', async () => {
    const [debit, credit] = [account('chain:deposit-addresses', 'once'), account('project:balance', 'once')]
    const once = entry([{ debit, credit, units: 5n }])
    await inTransaction(test.ctx, async (tx) => {
      await insertEntry(tx, once)
      await expect(insertEntry(tx, once)).rejects.toThrow(AlreadyPosted)
      await insertEntry(tx, entry([{ debit, credit, units: 2n }]))
    })
    expect(await totals(debit)).toEqual(['7', '0'])
  })

  it('lets the database refuse to take a guarded account below zero', async () => {
    const [credit, debit] = [account('project:quarantine', 'poor'), account('project:balance', 'poor')]
    await expect(insertEntry(test.ctx, entry([{ debit: credit, credit: debit, units: 1n }]))).rejects.toThrow(Overdrawn)
    expect(await totals(credit)).toBeUndefined()
  })

  it('lets exactly as many of 200 parallel holds through as the account holds', async () => {
    const [pool, held] = [account('project:quarantine', 'busy'), account('customer:unapplied', 'busy')]
    const source = account('chain:deposit-addresses', 'busy')
    await insertEntry(test.ctx, entry([{ debit: source, credit: pool, units: 40n }]))
    const holds = Array.from({ length: 200 }, () =>
      insertEntry(test.ctx, entry([{ debit: pool, credit: held, units: 1n }])),
    )
    const outcomes = await Promise.allSettled(holds)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(outcomes.length - refused.length).toBe(40)
    expect(refused.every(({ reason }) => reason instanceof Overdrawn)).toBe(true)
    expect([await totals(pool), await totals(held)]).toEqual([
      ['40', '40'],
      ['0', '40'],
    ])
  })

  it('makes an account once when fifty transactions want it at the same time', async () => {
    const [debit, credit] = [account('chain:deposit-addresses', 'new'), account('project:balance', 'new')]
    await Promise.all(Array.from({ length: 50 }, () => insertEntry(test.ctx, entry([{ debit, credit, units: 1n }]))))
    expect(await totals(debit)).toEqual(['50', '0'])
    expect(await totals(credit)).toEqual(['0', '50'])
  })
})

describe('the database refuses', () => {
  beforeAll(async () => {
    const [debit, credit] = [account('chain:deposit-addresses', 'fixed'), account('project:balance', 'fixed')]
    await insertEntry(test.ctx, entry([{ debit, credit, units: 5n }], 'test:fixed:move'))
    await customerAddress(test.ctx)
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
      "INSERT INTO accounts (kind, asset_id, owner_key, side, guarded, debits) VALUES ('x', 8, 'x', 'D', false, 1)",
    ],
    ['an account that changes what it is', 'UPDATE accounts SET guarded = false'],
    ['a removed account', 'DELETE FROM accounts'],
    [
      'a line between two assets',
      'INSERT INTO postings SELECT entry_id, 9, 7, debit_account, credit_account, 1 FROM postings LIMIT 1',
    ],
    [
      'a line from an account to itself',
      'INSERT INTO postings SELECT entry_id, 9, asset_id, debit_account, debit_account, 1 FROM postings LIMIT 1',
    ],
    [
      'a line of nothing',
      'INSERT INTO postings SELECT entry_id, 9, asset_id, debit_account, credit_account, 0 FROM postings LIMIT 1',
    ],
    [
      'a second mirror of one entry',
      "INSERT INTO journal_entries (source_key, posting, reverses) SELECT 'mirror:' || n, 'test.reverse', (SELECT min(id) FROM journal_entries) FROM generate_series(1, 2) AS n",
    ],
  ])('%s', async (_what, statement) => {
    await expect(run(statement)).rejects.toThrow(/never|starts at zero|postings only|violates/)
  })
})

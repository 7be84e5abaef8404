import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { INVARIANTS } from '../../app.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { seedBlockchains } from '../blockchains/chains/service.ts'
import { checkLedger, recordCheck } from '../reconciliation/service.ts'
import { post, sealJournal } from './service.ts'

let test: TestContext

beforeAll(async () => {
  test = await testContext()
  await seedBlockchains(test.ctx)
  await sql`UPDATE blockchains SET status = 'inactive'`.execute(test.ctx.db)
})
afterAll(() => test.stop())

let written = 0
/** Entries of deposits that are not there: only the seals are tested here. */
const write = (count: number) =>
  post(
    test.ctx,
    Array.from({ length: count }, () => ({
      posting: 'deposit.seen',
      source: `deposit:${(written += 1)}:seen`,
      projectId: null,
      at: { blockchainId: 4, height: 10 },
      lines: [
        {
          debit: { kind: 'chain:unconfirmed', owner: 'blockchain:4', unitId: 8 },
          credit: { kind: 'project:unconfirmed', owner: 'project:1', unitId: 8 },
          units: 5n,
        } as const,
      ],
    })),
  )
/** Waits for transactions of other databases of the server as well. */
const sealAll = () =>
  vi.waitFor(
    async () => {
      await sealJournal(test.ctx)
      const { rows } = await sql<{ last: bigint; sealed: bigint }>`
        SELECT max(id) AS last, (SELECT max(last_id) FROM journal_seals WHERE hash IS NOT NULL) AS sealed
        FROM journal_entries`.execute(test.ctx.db)
      expect(rows[0]?.sealed).toBe(rows[0]?.last)
    },
    { timeout: 20_000, interval: 20 },
  )
const seals = async () =>
  (
    await sql<{ first_id: bigint; last_id: bigint; hash: Buffer | null }>`
      SELECT first_id, last_id, hash FROM journal_seals ORDER BY id`.execute(test.ctx.db)
  ).rows.map(({ first_id: first, last_id: last, hash }) => [first, last, hash !== null])
const isBroken = async () =>
  (await checkLedger(test.ctx, INVARIANTS)).broken.some(({ name }) => name === 'journal-seals')
const tamper = async (statement: string) => {
  await sql
    .raw(`ALTER TABLE journal_entries DISABLE TRIGGER USER; ALTER TABLE postings DISABLE TRIGGER USER`)
    .execute(test.ctx.db)
  await sql.raw(statement).execute(test.ctx.db)
  await sql
    .raw(`ALTER TABLE journal_entries ENABLE TRIGGER USER; ALTER TABLE postings ENABLE TRIGGER USER`)
    .execute(test.ctx.db)
}

describe('ledger.sealJournal', () => {
  it('seals the entries, a chain without gaps, and shows the newest hash', async () => {
    expect(await sealJournal(test.ctx)).toBe(0)
    await write(3)
    await sealAll()
    await write(2)
    await sealAll()
    expect(await seals()).toEqual([
      [1n, 3n, true],
      [4n, 5n, true],
    ])
    const { headHash } = await checkLedger(test.ctx, INVARIANTS)
    expect(headHash).toMatch(/^[0-9a-f]{64}$/)
    expect(await isBroken()).toBe(false)
  })

  it('waits for a transaction that may still write a smaller id, without blocking writers', async () => {
    const slow = new pg.Client({ connectionString: test.ctx.config.databaseUrl })
    await slow.connect()
    await slow.query('BEGIN')
    await slow.query("INSERT INTO journal_entries (source_key, posting) VALUES ('test:slow:move', 'test.move')")
    await write(2)
    expect(await sealJournal(test.ctx)).toBe(0)
    await write(1)
    expect((await seals()).at(-1)?.[2]).toBe(false)
    await slow.query('COMMIT')
    await slow.end()
    await sealAll()
    expect((await seals()).at(-1)?.[2]).toBe(true)
    expect(await isBroken()).toBe(false)
  })

  it('is safe when two processes do it at the same time', async () => {
    await write(4)
    await Promise.all(Array.from({ length: 5 }, () => sealJournal(test.ctx)))
    await sealAll()
    expect(await isBroken()).toBe(false)
  })

  it.each([
    [
      'a changed entry',
      'UPDATE journal_entries SET height = 11 WHERE id = 2',
      'UPDATE journal_entries SET height = 10 WHERE id = 2',
    ],
    [
      'a changed line',
      'UPDATE postings SET units = 6 WHERE entry_id = 4',
      'UPDATE postings SET units = 5 WHERE entry_id = 4',
    ],
    [
      'a removed entry',
      `CREATE TABLE removed_entry AS SELECT * FROM journal_entries WHERE id = 5;
       CREATE TABLE removed_lines AS SELECT * FROM postings WHERE entry_id = 5;
       DELETE FROM postings WHERE entry_id = 5; DELETE FROM journal_entries WHERE id = 5`,
      `INSERT INTO journal_entries OVERRIDING SYSTEM VALUE SELECT * FROM removed_entry;
       INSERT INTO postings SELECT * FROM removed_lines`,
    ],
    [
      'a removed seal',
      'CREATE TABLE removed_seal AS SELECT * FROM journal_seals WHERE id = 1; DELETE FROM journal_seals WHERE id = 1',
      'INSERT INTO journal_seals OVERRIDING SYSTEM VALUE SELECT * FROM removed_seal',
    ],
  ])('detects %s', async (_what, change, back) => {
    await tamper(change)
    expect(await isBroken()).toBe(true)
    await tamper(back)
    expect(await isBroken()).toBe(false)
  })
})

describe('ledger.recordCheck', () => {
  it('checks all entries while the ledger does not balance, and afterwards only new ones', async () => {
    // Entries without deposits break an invariant, so each check is a full one.
    const reaches = async () =>
      (
        await sql<{ through: bigint; isFull: boolean }>`
          SELECT through_entry AS through, full_at = at AS "isFull" FROM ledger_checks ORDER BY id DESC LIMIT 1`.execute(
          test.ctx.db,
        )
      ).rows[0]
    expect((await recordCheck(test.ctx, INVARIANTS)).ok).toBe(false)
    expect((await recordCheck(test.ctx, INVARIANTS)).ok).toBe(false)
    expect((await reaches())?.isFull).toBe(true)
    await sql.raw('UPDATE ledger_checks SET ok = true').execute(test.ctx.db)
    await recordCheck(test.ctx, INVARIANTS)
    const { rows } = await sql<{ last: bigint }>`SELECT max(last_id) AS last FROM journal_seals`.execute(test.ctx.db)
    expect(await reaches()).toEqual({ through: rows[0]?.last, isFull: false })
    // A clock that was far ahead noted the last full check; it has been corrected since.
    await sql.raw(`UPDATE ledger_checks SET ok = true, full_at = full_at + interval '30 days'`).execute(test.ctx.db)
    await recordCheck(test.ctx, INVARIANTS)
    expect((await reaches())?.isFull).toBe(true)
  })
})

import { setImmediate } from 'node:timers/promises'

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import type { Context } from '../../context.ts'
import { testContext, type TestContext } from '../../testing/context.ts'
import { recordStatements } from '../../testing/database/record-statements.ts'
import { executeLast } from './last-statement.ts'
import { inSharedTransaction, SHARED_LOCK_MS } from './shared-transaction.ts'
import { takeAlone, together } from './together.ts'

let test: TestContext

beforeAll(async () => {
  test = await testContext()
  await sql`CREATE TABLE notes (id int PRIMARY KEY, transaction xid8 NOT NULL)`.execute(test.ctx.db)
})
beforeEach(async () => {
  await sql`TRUNCATE notes`.execute(test.ctx.db)
})
afterAll(() => test.stop())

const insert = together(async (ctx: Context, ids: readonly number[]) => {
  const limit = sql`SELECT set_config('lock_timeout', ${`${SHARED_LOCK_MS}ms`}, true)`
  if (ctx.sharing) await limit.execute(ctx.db)
  await sql`INSERT INTO notes SELECT id, pg_current_xact_id() FROM unnest(${ids}::int[]) AS id`.execute(ctx.db)
  return ids.map((id) => `note ${id}`)
})

const notes = async () => {
  const { rows } = await sql<{ id: number; transaction: string }>`
    SELECT id, transaction::text FROM notes ORDER BY id`.execute(test.ctx.db)
  return { ids: rows.map(({ id }) => id), transactions: new Set(rows.map(({ transaction }) => transaction)).size }
}

/** Calls that come at the same time, each with how often its work ran. */
function callAll(works: readonly ((ctx: Context) => Promise<unknown>)[]) {
  const runs = works.map(() => 0)
  const calls = works.map((work, at) =>
    inSharedTransaction(test.ctx, (ctx) => {
      runs[at] = (runs[at] ?? 0) + 1
      return work(ctx)
    }),
  )
  return { runs, settled: Promise.allSettled(calls) }
}

const inserts = (ids: readonly number[]) => ids.map((id) => (ctx: Context) => insert(ctx, id))
const fulfilled = (ids: readonly number[]) => ids.map((id) => ({ status: 'fulfilled', value: `note ${id}` }))

describe('db.inSharedTransaction', () => {
  it('runs calls that come together in one transaction, by one statement, and gives each its own result', async () => {
    const statements = recordStatements()
    const { runs, settled } = callAll(inserts([1, 2, 3]))
    expect(await settled).toEqual(fulfilled([1, 2, 3]))
    expect(runs).toEqual([1, 1, 1])
    expect(statements.take().filter((text) => /^(begin|\s*INSERT)/i.test(text))).toHaveLength(2)
    expect(await notes()).toEqual({ ids: [1, 2, 3], transactions: 1 })
  })

  it('runs each alone when one fails, so that only that one fails', async () => {
    const refuse = async (ctx: Context) => {
      await insert(ctx, 5)
      throw new Error('refused')
    }
    const { settled } = callAll([...inserts([4]), refuse, ...inserts([6])])
    expect(await settled).toMatchObject([{ value: 'note 4' }, { reason: { message: 'refused' } }, { value: 'note 6' }])
    expect(await notes()).toEqual({ ids: [4, 6], transactions: 2 })
  })

  it('runs each alone when a statement fails, that of the commit too', async () => {
    const last = (id: number) => async (ctx: Context) => {
      await executeLast(ctx.db, sql`INSERT INTO notes VALUES (${id}, pg_current_xact_id())`)
      return `note ${id}`
    }
    await callAll(inserts([1])).settled
    const early = callAll(inserts([2, 1, 3]))
    expect(await early.settled).toMatchObject([{ value: 'note 2' }, { reason: { code: '23505' } }, { value: 'note 3' }])
    const late = callAll([4, 1, 5].map(last))
    expect(await late.settled).toMatchObject([{ value: 'note 4' }, { reason: { code: '23505' } }, { value: 'note 5' }])
    expect((await notes()).ids).toEqual([1, 2, 3, 4, 5])
  })

  it('fails a lone call once, without running it again', async () => {
    await callAll(inserts([1])).settled
    const { runs, settled } = callAll(inserts([1]))
    expect(await settled).toMatchObject([{ reason: { code: '23505' } }])
    expect(runs).toEqual([1])
  })

  it('lets a call that waits for a lock wait alone', async () => {
    const held = await test.ctx.db.startTransaction().execute()
    await sql`INSERT INTO notes VALUES (1, pg_current_xact_id())`.execute(held)
    const { settled } = callAll(inserts([1]))
    const others = callAll(inserts([2, 3]))
    expect(await others.settled).toEqual(fulfilled([2, 3]))
    await held.rollback().execute()
    expect(await settled).toEqual(fulfilled([1]))
    expect((await notes()).ids).toEqual([1, 2, 3])
  })

  it('runs nothing again when the connection is lost at the commit: its outcome is unknown', async () => {
    const end = async (ctx: Context) => executeLast(ctx.db, sql`SELECT pg_terminate_backend(pg_backend_pid())`)
    const { runs, settled } = callAll([...inserts([1]), end])
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(runs).toEqual([1, 1])
  })

  it('gives what one call alone may have to one call of a transaction', async () => {
    const take = (id: number, turns: number) => async (ctx: Context) => {
      for (let turn = 0; turn < turns; turn += 1) await setImmediate()
      takeAlone(ctx, 'the last one')
      return insert(ctx, id)
    }
    expect(await callAll([take(1, 0), take(2, 3)]).settled).toEqual(fulfilled([1, 2]))
    expect(await notes()).toEqual({ ids: [1, 2], transactions: 2 })
  })

  it('runs a lone call again that takes twice what one call alone may have', async () => {
    const takeTwice = async (ctx: Context) => {
      takeAlone(ctx, 'the last one')
      takeAlone(ctx, 'the last one')
      return insert(ctx, 1)
    }
    expect(await callAll([takeTwice]).settled).toEqual(fulfilled([1]))
  })

  it('joins the transaction that is open', async () => {
    await test.ctx.db.transaction().execute(async (db) => {
      const within = { ...test.ctx, db }
      await inSharedTransaction(within, (ctx) => insert(ctx, 1))
      await inSharedTransaction(within, (ctx) => insert(ctx, 2))
    })
    expect(await notes()).toEqual({ ids: [1, 2], transactions: 1 })
  })
})

import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import { senderOfTests } from '../../../testing/money-out/sender.ts'

const { sender, begin, started, follow, stateOf, booksHold } = senderOfTests()

/** Rounds with a block each, whatever they fail with; returns the failures. */
async function rounds(count: number): Promise<unknown[]> {
  const failures: unknown[] = []
  for (let at = 0; at < count; at += 1) {
    await follow().catch((error: unknown) => failures.push(error))
    await sender.anvil.mine()
    await sender.reader.catchUp()
  }
  return failures
}

/** What the database refuses to store: an error that is no node's. */
async function refusing(table: string, check: string, work: () => Promise<void>): Promise<void> {
  const db = sender.test.ctx.db
  await sql.raw(`ALTER TABLE ${table} ADD CONSTRAINT poison CHECK (${check})`).execute(db)
  try {
    await work()
  } finally {
    await sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT poison`).execute(db)
  }
}

describe('sends.follow and a send that fails', () => {
  it('broadcasts, asks about and decides the others', async () => {
    const poisoned = await started()
    await begin()
    const other = await started()
    await refusing('send_attempts', `send_id <> ${poisoned} OR last_seen_at IS NULL`, async () => {
      expect(await rounds(8)).not.toEqual([])
      expect(await stateOf(poisoned)).toMatchObject({ state: 'initiated' })
      expect(await stateOf(other)).toMatchObject({ state: 'processed' })
    })
    sender.clock += 60_000
    expect(await rounds(8)).toEqual([])
    expect(await stateOf(poisoned)).toMatchObject({ state: 'processed' })
    await booksHold()
  })

  it('decides the others when one cannot be decided', async () => {
    const poisoned = await started()
    await begin()
    const other = await started()
    await refusing('sends', `id <> ${poisoned} OR decided_at IS NULL`, async () => {
      expect(await rounds(8)).not.toEqual([])
      expect(await stateOf(poisoned)).toMatchObject({ state: 'sent' })
      expect(await stateOf(other)).toMatchObject({ state: 'processed' })
    })
    sender.clock += 60_000
    expect(await rounds(2)).toEqual([])
    expect(await stateOf(poisoned)).toMatchObject({ state: 'processed' })
    await booksHold()
  })
})

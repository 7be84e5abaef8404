import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestContext, testContext } from '../../../testing/context.ts'
import { openAlarms } from '../../alarms/service.ts'
import { seedBlockchains } from '../../blockchains/chains/service.ts'
import { checkLag } from './lag-monitor.ts'

const start = new Date('2026-11-20T12:00:00Z')
let now = start
let test: TestContext

beforeAll(async () => {
  test = await testContext({ now: () => now })
  await seedBlockchains(test.ctx)
  await sql`UPDATE blockchains SET status = 'active' WHERE code = 'ETH'`.execute(test.ctx.db)
  await sql`
    INSERT INTO chain_cursors (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height)
    VALUES (1, 100, '0xa', '0x9', now(), 110, -1)`.execute(test.ctx.db)
})
afterAll(() => test.stop())

const minutes = (count: number) => new Date(start.getTime() + count * 60_000)
async function alarmsAt(at: Date, columns: { looked: Date; head: Date; behind: Date | null }): Promise<string[]> {
  now = at
  await sql`UPDATE chain_cursors SET checked_at = ${columns.looked}, head_at = ${columns.head},
    behind_since = ${columns.behind}`.execute(test.ctx.db)
  await checkLag({ ...test.ctx, config: { ...test.ctx.config, network: 'mainnet' } })
  return (await openAlarms(test.ctx)).map(({ kind, text }) => `${kind}: ${text}`)
}

describe('watch.checkLag (2.10)', () => {
  it('raises an alarm for a chain that is behind for two minutes, and clears it afterwards', async () => {
    const lagging = { looked: minutes(2), head: minutes(2), behind: start }
    expect(await alarmsAt(minutes(2), lagging)).toEqual([])
    expect(await alarmsAt(minutes(3), { ...lagging, looked: minutes(3) })).toEqual([
      expect.stringContaining('chain_behind: ETH: The reader is 10 blocks behind for 3 minutes'),
    ])
    expect(await alarmsAt(minutes(4), { looked: minutes(4), head: minutes(4), behind: null })).toEqual([])
  })

  it('detects that no process reads the chain', async () => {
    expect(await alarmsAt(minutes(9), { looked: minutes(5), head: minutes(5), behind: null })).toEqual([
      expect.stringContaining('chain_behind: ETH: No process has read it for 4 minutes'),
    ])
    const { rows } = await sql`SELECT state, stop_cause FROM chain_cursors`.execute(test.ctx.db)
    expect(rows).toEqual([{ state: 'behind', stop_cause: { code: 'no_process', params: {} } }])
  })

  it('detects that no node has a new block for ten block times', async () => {
    const quiet = { looked: minutes(11.9), head: minutes(10), behind: null }
    expect(await alarmsAt(minutes(11.9), quiet)).toEqual([])
    expect(await alarmsAt(minutes(12.5), { ...quiet, looked: minutes(12.5) })).toEqual([
      expect.stringContaining('chain_silent: ETH: No node has shown a new block for 2 minutes'),
    ])
  })

  it('raises nothing for a halted chain, which has its own alarm, and for local chains', async () => {
    const silent = { looked: minutes(30), head: minutes(10), behind: null }
    expect(await alarmsAt(minutes(30), silent)).toHaveLength(1)
    await checkLag(test.ctx)
    expect(await openAlarms(test.ctx)).toEqual([])
    await sql`UPDATE chain_cursors SET state = 'halted'`.execute(test.ctx.db)
    expect(await alarmsAt(minutes(60), silent)).toEqual([])
  })
})

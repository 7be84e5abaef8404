import { NETWORK_NOTICES, STOP_REASONS } from '@kassa/contract/blockchains/reading-reasons.ts'
import { type Catalogue, readCause, textOf } from '@kassa/contract/kit/reason.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import { migrate } from '../../db/migrate.ts'
import { databaseUrl, run } from '../database/run-statement.ts'
import { readFixture } from './fixture-file.ts'

/** The last version that stored sentences. */
const VERSION = '0.1.0'
const halted = (halt: object) => ({ code: 'halted', params: { halt } })

/** What old versions stored about why a network is not read, and what it means. */
const STOPS: readonly (readonly [string | null, object | null])[] = [
  [null, null],
  ['No process reads this network right now.', { code: 'no_process', params: {} }],
  [
    'The node replaced more than 64 blocks below 2000. Compare it with another source.',
    halted({ case: 'too_deep', limit: 64, height: 2000 }),
  ],
  [
    'The node replaced block 3000000000, which was final. Compare it with another source.',
    halted({ case: 'below_final', height: 3_000_000_000 }),
  ],
  [
    'The chain reverted money that was already spent: deposit:7 takes too much.',
    halted({ case: 'spent', detail: 'deposit:7 takes too much' }),
  ],
  ['The chain took back money that was already spent: deposit:7.', halted({ case: 'spent', detail: 'deposit:7' })],
  ['Block 90 is not stored any more.', halted({ case: 'resume_block_gone', height: 90 })],
  ['Block 90 is not kept any more.', halted({ case: 'resume_block_gone', height: 90 })],
  [
    'Going back to block 90 would revert money that was spent: deposit:7.',
    halted({ case: 'resume_spent', height: 90, detail: 'deposit:7' }),
  ],
  ['rpc.example: HTTP 503 "busy"', { code: 'read_failed', params: { error: 'rpc.example: HTTP 503 "busy"' } }],
]

/** The same for what operators should know about a network that is read. */
const NOTICES: readonly (readonly [string | null, object | null])[] = [
  [null, null],
  [
    'Block 88 could not be read as a whole, and it names an address of yours.',
    { code: 'block_unreadable', params: { height: 88 } },
  ],
  [
    "The node shows nothing of what contracts pass on, up to block 88: such deposits are missed, and TRON's own coin is not swept. Switch vm.saveInternalTx on in the node, or use another one, then read these blocks again.",
    { code: 'internal_transfers_hidden', params: { network: 'TRON', height: 88 } },
  ],
  [
    'Nothing has become final above block 88 for 7 minutes. Deposits of $10,000 or more wait for it; smaller ones follow their depth.',
    { code: 'finality_stalled', params: { height: 88, minutes: 7, fromUSD: '10000' } },
  ],
  [
    'Nothing has become final above block 88 for 7 minutes. Deposits wait for it.',
    { code: 'finality_stalled', params: { height: 88, minutes: 7, fromUSD: null } },
  ],
  ['Strange.', { code: 'unknown_notice', params: { text: 'Strange.' } }],
]

let client: pg.Client
const name = `kassa_causes_${process.pid}`

/** A database of the old version, with a network that is read for each of these sentences. */
beforeAll(async () => {
  const { url } = inject('postgres')
  await run(url, `CREATE DATABASE ${name}`)
  const connectionString = databaseUrl(url, name)
  await run(connectionString, await readFixture(VERSION))
  client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`DELETE FROM chain_cursors`)
  await client.query(`ALTER TABLE chain_cursors DROP CONSTRAINT chain_cursors_blockchain_id_fkey`)
  for (const index of STOPS.keys()) {
    await client.query(
      `INSERT INTO chain_cursors
         (blockchain_id, height, hash, parent_hash, block_time, head_height, finalized_height, reason, notice)
       VALUES ($1, 1, 'a', 'b', now(), 1, -1, $2, $3)`,
      [100 + index, STOPS[index]?.[0], NOTICES[index]?.[0]],
    )
  }
  await migrate(connectionString)
}, 120_000)
afterAll(async () => {
  await client.end()
  await run(inject('postgres').url, `DROP DATABASE ${name} WITH (FORCE)`)
})

describe('migration 0098', () => {
  it.each([
    ['stop_cause', STOPS],
    ['notice_cause', NOTICES],
  ] as const)('makes codes of the sentences in %s', async (column, pairs) => {
    const { rows } = await client.query<{ cause: object | null }>(
      `SELECT ${column} AS cause FROM chain_cursors ORDER BY blockchain_id LIMIT ${pairs.length}`,
    )
    expect(rows.map(({ cause }) => cause)).toEqual(pairs.map(([, cause]) => cause))
  })

  it.each([
    ['stop_cause', STOPS, STOP_REASONS],
    ['notice_cause', NOTICES, NETWORK_NOTICES],
  ] as const)('stores in %s what the catalogue reads, as the sentence that was stored', (_column, pairs, reasons) => {
    const catalogue: Catalogue = reasons
    for (const [sentence, cause] of pairs) {
      if (cause === null || sentence === null || /took back|kept/.test(sentence)) continue
      const { code, params } = cause as { code: string; params: object }
      const read = readCause(catalogue, code, params) ?? expect.unreachable()
      expect(textOf(catalogue, read)).toBe(sentence)
    }
  })
})

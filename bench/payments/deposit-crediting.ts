/** Deposits credited to payments, from seen to final, beside the bare rows of as many. */

import { openInProcess } from '../harness/in-process.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { prepareTransactions, rawTransactions, rowsWithEntries } from '../harness/limits.ts'
import { median } from '../harness/quantile.ts'
import { secondsOf } from '../harness/seconds.ts'

/** As a reader that is behind takes them in (money.md W-2). */
const BATCH = { blocks: 200, perBlock: 50 } as const
const IN_BATCH = BATCH.blocks * BATCH.perBlock

type Rates = Record<'seen' | 'final' | 'rows' | 'single' | 'commits', number>

/** The first round of each warms up and is left out. */
const ROUNDS = 4
const SINGLES = 300

export const depositCrediting: Measurement = { name: 'crediting', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const program = await openInProcess(cleanup, ROUNDS * (IN_BATCH + SINGLES) + 1)
  await prepareTransactions(program.pool, 1)
  const rounds: Rates[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // As a job does within seconds: what was planned for tables of three rows is planned anew (db/table-growth.ts).
    if (round === 1) await program.pool.query('ANALYZE')
    await program.finalAfter(2 * BATCH.blocks)
    const prepared = await program.prepare(BATCH.blocks, BATCH.perBlock)
    const seen = await secondsOf(prepared.run)
    const final = await secondsOf(program.settle)
    await program.finalAfter(2)
    const single = await secondsOf(async () => {
      for (let one = 0; one < SINGLES; one += 1) await program.pay(1, 1)
    })
    await program.settle()
    const rows = await secondsOf(() => rowsWithEntries(program.pool, IN_BATCH))
    const { perSecond: commits } = await rawTransactions(program.pool, { clients: 1, forMs: 1_000 })
    rounds.push({
      seen: IN_BATCH / seen,
      final: IN_BATCH / final,
      rows: IN_BATCH / rows,
      single: SINGLES / single,
      commits,
    })
  }
  const statements = await program.statementsOfOne()
  const middle = (of: keyof Rates) => median(rounds.slice(1).map((round) => round[of]))
  const batched = { name: 'rows with their entries, one statement', value: middle('rows') }
  return [
    { name: `deposits seen, ${IN_BATCH} at once`, value: middle('seen'), unit: '/s', limit: batched },
    { name: `deposits made final, ${IN_BATCH} at once`, value: middle('final'), unit: '/s', limit: batched },
    {
      name: 'deposits credited, one block each',
      value: middle('single'),
      unit: '/s',
      limit: { name: 'durable double-entry transactions, one client', value: middle('commits') },
    },
    {
      name: 'crediting a block with one deposit',
      value: statements,
      unit: 'statements',
      limit: { name: 'the goal, with the cursor and the window of blocks', value: 18 },
    },
  ]
}

/** A reorganisation as deep as it is followed without a person, under thousands of payments that were settled or confirming. */
import { performance } from 'node:perf_hooks'

import { openInProcess } from '../harness/in-process.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { rowsWithEntries } from '../harness/limits.ts'

/** The deepest that is followed (money.md 2.3). */
const DEPTH = 64
const PAYMENTS = 10_000

export const reorganisation: Measurement = { name: 'reorganisation', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const program = await openInProcess(cleanup, PAYMENTS)
  // The newest block holds what is only seen; all below it is final.
  await program.pay(DEPTH - 1, Math.floor(PAYMENTS / DEPTH))
  await program.pay(1, PAYMENTS - (DEPTH - 1) * Math.floor(PAYMENTS / DEPTH))
  const settled = await program.count('FILLED')
  // As autovacuum does within a minute: plans for tables of three rows are made anew.
  await program.pool.query('ANALYZE')
  const begun = performance.now()
  await program.dropBlocks(DEPTH)
  const seconds = (performance.now() - begun) / 1000
  const left = await program.count('FILLED')
  if (settled === 0 || left > 0) throw new Error(`${settled} payments were settled and ${left} still are`)
  const rowsBegun = performance.now()
  // A settled deposit takes back two entries; each is a row with its line.
  await rowsWithEntries(program.pool, 2 * PAYMENTS)
  return [
    {
      name: `reorganisation of ${DEPTH} blocks with ${PAYMENTS} payments`,
      value: seconds,
      unit: 's',
      limit: { name: 'bare rows of their mirrored entries', value: (performance.now() - rowsBegun) / 1000 },
    },
  ]
}

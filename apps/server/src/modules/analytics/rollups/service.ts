/**
 * Roll-ups: sums of what is counted, exact at every moment. Triggers append each change in the transaction that makes it
 * (migration 0036), a job adds the changes to the cells, and readers add up both (decision 0027).
 */
import { type Context, inTransaction } from '../../../context.ts'
import { lockCustomers } from '../../customers/service.ts'
import {
  type Backfill,
  countDeposits,
  countRequesters,
  findBackfill,
  findUncounted,
  listNextCustomers,
  lockBackfill,
  moveBackfill,
} from './backfill-store.ts'
import { compactChanges, compactFinalityTimes } from './store.ts'

export type { Moments } from './rules.ts'
export { findDifferences } from './check-figures.ts'
export { countChanges, findFirstPaid, sumBuckets, type Summed } from './store.ts'

/** Adds all pending changes to their cells; returns how many there were. */
export async function compact(ctx: Context): Promise<number> {
  let changes = 0
  for (const run of [compactChanges, compactFinalityTimes]) {
    for (let taken = await run(ctx); taken > 0; taken = await run(ctx)) changes += taken
  }
  return changes
}

/** Deposits, and customers, counted in one transaction of the backfill: crediting waits for it a fraction of a second at most. */
const BATCH = 2_000

/** A run of the job ends after this, so that a process can stop soon. */
const RUN_MS = 20_000

/**
 * Counts what was there before the roll-ups, batch by batch; continues where it was interrupted. Does nothing once all is
 * counted.
 */
export async function backfill(ctx: Context): Promise<void> {
  const until = Date.now() + RUN_MS
  while (Date.now() < until) {
    const isMore = await inTransaction(ctx, countBatch)
    if (!isMore) return
  }
}

async function countBatch(ctx: Context): Promise<boolean> {
  const known = await findBackfill(ctx)
  if (isDone(known)) return false
  const position = await lockBackfill(ctx)
  if (!position) return false
  if (position.deposit_id < position.last_deposit_id) {
    const { through, customerIds } = await findUncounted(ctx, position, BATCH)
    // Locks as crediting does, so that the two cannot deadlock.
    await lockCustomers(ctx, customerIds)
    await countDeposits(ctx, position.deposit_id, through)
    await moveBackfill(ctx, through, position.customer_id)
    return true
  }
  const customerIds = await listNextCustomers(ctx, position, BATCH)
  await lockCustomers(ctx, customerIds)
  await countRequesters(ctx, customerIds)
  await moveBackfill(ctx, position.deposit_id, customerIds.at(-1) ?? position.last_customer_id)
  return true
}

/** How much of the past is counted, in percent; null once all of it is. */
export async function countedPercent(ctx: Context): Promise<number | null> {
  const position = await findBackfill(ctx)
  if (isDone(position)) return null
  const [deposits, customers] = [Number(position.last_deposit_id), position.last_customer_id]
  const done = Number(position.deposit_id) + position.customer_id
  return Math.min(99, Math.floor((done * 100) / Math.max(1, deposits + customers)))
}

function isDone(position: Backfill): boolean {
  return position.deposit_id >= position.last_deposit_id && position.customer_id >= position.last_customer_id
}

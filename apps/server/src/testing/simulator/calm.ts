import { Broken } from './broken.ts'
import { longestGone, whatIsSaidToWait } from './families/checks.ts'
import { longestLife, longestPermission, whatIsUnpaid } from './money-out/checks.ts'
import { switchOff } from './money-out/homeward.ts'
import { whatIsUncounted } from './money-out/programme.ts'
import { fund } from './money-out/treasury.ts'
import { step } from './step.ts'
import { heal } from './trouble.ts'
import type { World } from './world.ts'

/** After the trouble all work must be finished within five minutes (money.md 8.1). */
const CALM_MS = 5 * 60_000
/**
 * The clock goes on by so much at once where something that was signed may only lapse, which takes minutes or hours: longer than
 * anybody waits between two polls, because everybody polls between two leaps.
 */
const LEAP_MS = 60_000
/** A block proves that something has lapsed once 20 others follow it. */
const PROVEN_MS = 20 * 10_000
/** What deposit addresses signed lapses after half a day: few leaps are enough, since every process polls between two of them. */
const LONG_LEAP_MS = 60 * 60_000
const STEPS_BETWEEN_LOOKS = 25
const MOST_STEPS_BETWEEN_LEAPS = 100

/** Ends the trouble: whatever only waits for a retry is then done soon. */
export async function calm(world: World): Promise<void> {
  const { scheduler, running, chains } = world
  world.phase = 'calm'
  scheduler.note('the trouble is over')
  fund(world)
  for (const process of running) Object.assign(process, { pausedUntil: 0, skewMs: 0 })
  for (const node of chains.flatMap(({ nodes }) => nodes)) heal(node)
  await startNoMoreSweeps(world)
  scheduler.wakeAll()
  const lifeMs = longestLife(world)
  const provenMs = lifeMs > 0 ? PROVEN_MS : 0
  let until = scheduler.now() + CALM_MS + longestGone(world) + lifeMs + provenMs
  let leaps = lifeMs / LEAP_MS
  // What a block takes is mined before that.
  const longLeapsFrom = scheduler.now() + CALM_MS / 2
  let longLeaps = longestPermission(world) / LONG_LEAP_MS
  let signed = await newestSend(world)
  while (!(await isDone(world))) {
    // Some payouts and top-ups are signed only now, since a chain seemed to stand still while the clock leapt: their lives begin anew.
    const newest = lifeMs > 0 ? await newestSend(world) : signed
    if (newest > signed) {
      signed = newest
      until = Math.max(until, scheduler.now() + CALM_MS + lifeMs + provenMs)
      leaps = lifeMs / LEAP_MS
    }
    if (scheduler.now() > until) throw new Broken('no livelock', await whatWaits(world))
    // Nothing happens until its time is over: polls that find nothing are left out.
    if (world.treasury?.isLapsing && leaps-- > 0) scheduler.pass(LEAP_MS)
    if (world.treasury?.isPermissionLapsing && scheduler.now() > longLeapsFrom && longLeaps-- > 0) {
      scheduler.pass(LONG_LEAP_MS)
      until += LONG_LEAP_MS
    }
    for (let n = 0; n < STEPS_BETWEEN_LOOKS; n += 1) await step(world)
    // Everybody whose time came has a turn before the clock leaps again: one question to a node would take minutes otherwise.
    for (let n = 0; n < MOST_STEPS_BETWEEN_LEAPS && scheduler.isBusy(); n += 1) await step(world)
  }
}

async function newestSend({ database }: World): Promise<number> {
  const { rows } = await database.query('SELECT coalesce(max(id), 0)::int AS id FROM sends')
  return Number(rows[0]?.['id'])
}

/** Nobody sweeps any more: whoever was about to is gone, and what is under way comes to its end. */
async function startNoMoreSweeps(world: World): Promise<void> {
  if (!world.treasury) return
  for (const process of world.running) if (/^(?:gatherer|worker)/.test(process.name)) process.kill()
  while (world.sessions.holder()) await step(world)
  await switchOff(world)
}

async function isDone(world: World): Promise<boolean> {
  // What a transaction has not committed is not looked at, and one that failed answers nothing.
  while (world.sessions.holder()) await step(world)
  return (await whatWaits(world)) === ''
}

/** Returns the work that is still under way, or nothing. */
async function whatWaits(world: World): Promise<string> {
  const { database, chains, cursors, scheduler } = world
  const { rows: halted } = await database.query(`SELECT blockchain_id FROM chain_cursors WHERE state = 'halted'`)
  const stopped = new Set(halted.map((row) => row['blockchain_id']))
  const open = chains.filter(({ id }) => !stopped.has(id))
  const unpaid = await whatIsUnpaid(
    world,
    open.map(({ id }) => id),
  )
  if (unpaid !== '') return unpaid
  const uncounted = await whatIsUncounted(world)
  if (uncounted !== '') return uncounted
  for (const { id, code, chain, mempool } of open) {
    if (mempool.length > 0) return `${code} has transactions to mine`
    if (cursors.get(id)?.hash !== chain.head().hash) return `${code} is not read to its end`
  }
  const waiting = await whatIsSaidToWait(
    world,
    open.map(({ id }) => id),
  )
  if (waiting !== '') return waiting
  const { rows } = await database.query(
    `SELECT (SELECT count(*)::int FROM deposits WHERE status = 'seen' AND blockchain_id = ANY ($1)) AS placing,
       (SELECT count(*)::int FROM payments WHERE expires_at <= $2
         AND (status = 'OPEN' AND seen_units = 0 OR status = 'PARTIALLY_FILLED' AND cancel_reason IS NULL)) AS expiring`,
    [open.map(({ id }) => id), new Date(scheduler.now())],
  )
  if (rows[0]?.['placing'] !== 0) return `${String(rows[0]?.['placing'])} deposits are not finalized`
  return rows[0]['expiring'] === 0 ? '' : `${String(rows[0]['expiring'])} payments are past their expiry`
}

/**
 * Runs many seeds of the simulator, a process on every core: `npm run simulate -- --seeds 10000 [--from N] [--seed N]
 * [--steps N] [--paying] [--processes N]`. What it prints every minute says from where a run that was stopped can go on.
 */
import { fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'

import { explain } from './explain.ts'
import { simulate } from './simulate.ts'
import { openWorldDatabase, shareWorld } from './template.ts'

/** Seeds one process runs at most before a new process with a new database replaces it. */
const BATCH = 250
/** Time between two lines about the seeds done so far. */
const SAY_EVERY = 60_000
/** Failures that are explained in full; the others are only counted. */
const EXPLAINED = 3

type Batch = {
  readonly from: number
  readonly to: number
  readonly steps: number | undefined
  readonly paying: boolean
}
const COUNTED = ['seeds', 'events', 'payments', 'deposits', 'paid', 'listed', 'swept', 'signed', 'approved'] as const
type Tally = Record<(typeof COUNTED)[number], number> & { failures: string[]; credited: Record<string, number> }
type FromBatch = { readonly tally: Tally; readonly isLast: boolean }

function emptyTally(): Tally {
  return {
    seeds: 0,
    events: 0,
    payments: 0,
    deposits: 0,
    paid: 0,
    listed: 0,
    swept: 0,
    signed: 0,
    approved: 0,
    failures: [],
    credited: {},
  }
}

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    steps: { type: 'string' },
    paying: { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
})

if (process.send) {
  process.on('message', (batch: Batch) => void runBatch(batch, (part) => process.send?.(part)))
  // Ends this batch when the runner has ended, because no process takes its result.
  process.on('disconnect', () => process.exit())
} else process.exitCode = await main()

async function main(): Promise<number> {
  const steps = values.steps === undefined ? undefined : Number(values.steps)
  const from = Number(values.seed ?? values.from)
  const to = values.seed === undefined ? from + Number(values.seeds) - 1 : from
  const startedAt = performance.now()
  const total = emptyTally()
  const processes = Number(values.processes)
  const batches: Batch[] = []
  const size = Math.min(BATCH, Math.ceil((to - from + 1) / processes))
  for (let at = from; at <= to; at += size)
    batches.push({ from: at, to: Math.min(to, at + size - 1), steps, paying: values.paying })
  const add = (tally: Tally) => {
    for (const name of COUNTED) total[name] += tally[name]
    count(total.credited, tally.credited)
    total.failures.push(...tally.failures)
    for (const failure of tally.failures) say(failure)
  }
  const running = new Set<Batch>()
  const takeBatches = async () => {
    for (let batch = batches.shift(); batch; batch = batches.shift()) {
      running.add(batch)
      await inProcess(batch, add)
      running.delete(batch)
    }
  }
  const saying = setInterval(() => {
    const next = Math.min(...[...running, ...batches].map((batch) => batch.from))
    say(`${total.seeds} seeds, ${total.failures.length} failures so far; all before ${next} are done`)
  }, SAY_EVERY)
  const unshare = await shareWorld()
  try {
    await Promise.all(Array.from({ length: processes }, takeBatches))
  } finally {
    clearInterval(saying)
    await unshare()
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  const { seeds, events, payments, deposits, credited, paid, listed, swept, signed, approved, failures } = total
  const onEach = Object.entries(credited).map(([code, number]) => `${number} on ${code}`)
  const rate = Math.round((seeds / Math.max(1, seconds)) * 60)
  say(
    `${seeds} seeds, ${events} events, ${payments} payments, ${deposits} deposits (credited: ${onEach.join(', ')}), ${paid} paid out (${listed} of them approved with others), ${swept} swept (${signed} of them signed by devices), ${approved} times addresses of TRON approved or sent, ${failures.length} failures, ${seconds} s, ${rate} seeds a minute`,
  )
  return failures.length === 0 ? 0 : 1
}

/** Each batch runs in a process of its own, so that memory does not grow over ten thousand runs. */
function inProcess(batch: Batch, add: (tally: Tally) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(import.meta.filename)
    child.on('message', ({ tally, isLast }: FromBatch) => {
      add(tally)
      if (!isLast) return
      resolve()
      child.kill()
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`Seeds ${batch.from} to ${batch.to} ended with ${code}`)))
    child.send(batch)
  })
}

async function runBatch({ from, to, steps, paying }: Batch, report: (part: FromBatch) => void): Promise<void> {
  const database = await openWorldDatabase()
  const given = { database, ...(steps !== undefined && { steps }) }
  let explained = 0
  for (let seed = from; seed <= to; seed += 1) {
    // The shops of every other world also pay out.
    const options = { ...given, isPaying: paying || seed % 2 === 0 }
    const outcome = await simulate(seed, options)
    const failures: string[] = []
    if (outcome.failure) {
      explained += 1
      failures.push(
        explained <= EXPLAINED
          ? await explain(outcome, options)
          : `Seed ${seed} broke "${outcome.failure.property}": ${outcome.failure.detail}`,
      )
    }
    report({ tally: { seeds: 1, events: outcome.steps, ...outcome.counts, failures }, isLast: seed === to })
  }
}

function count(all: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [code, credited] of Object.entries(more)) all[code] = (all[code] ?? 0) + credited
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

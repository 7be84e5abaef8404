/** From the start command to the ready line, and the memory held once it stands idle, beside the bare programs below. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

import { startAnvil } from '@kassa/chains/testing/anvil.ts'

import { createLog } from '../../apps/server/src/log/log.ts'
import { startPostgres } from '../../apps/server/src/db/embedded/start-postgres.ts'
import { clearLayout, type Instance, newLayout, type Layout } from '../../e2e/instance.ts'
import { withDescendants } from '../../e2e/processes.ts'
import type { Cleanup, Figure, Measurement } from '../harness/figure.ts'
import { startWatched } from '../harness/setup.ts'
import { megabytesOf, runningProgram } from '../harness/memory.ts'
import { median } from '../harness/quantile.ts'

/** Starts on a folder that has been used, in turns with the bare programs, so that other work slows both alike. */
const ROUNDS = 3

/** After this long nothing of the start is under way any more. */
const SETTLED_MS = 3_000

export const startUp: Measurement = { name: 'start', run }

async function run(cleanup: Cleanup): Promise<readonly Figure[]> {
  const layout = await newLayout()
  cleanup(() => clearLayout(layout))
  const first = await startedOnce(layout, cleanup)
  const later: Started[] = []
  const bare: BareStarted[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    later.push(await startedOnce(layout, cleanup))
    bare.push(await bareStart(layout, cleanup))
  }
  const bareMs = median(bare.map(({ ms }) => ms))
  const start = (name: string, readyMs: number): Figure => ({
    name,
    value: readyMs / 1000,
    unit: 's',
    limit: { name: 'start of Node, then of PostgreSQL', value: bareMs / 1000 },
  })
  const memory = (name: string, part: keyof Memory, limit: string): Figure => ({
    name: `memory of ${name}`,
    value: median(later.map((one) => one.memory[part])),
    unit: 'MB',
    limit: { name: limit, value: median(bare.map((one) => one.memory[part])) },
  })
  return [
    start('first start, empty folder', first.readyMs),
    start('second start', median(later.map(({ readyMs }) => readyMs))),
    memory('the server, idle', 'node', 'Node that does nothing'),
    memory('PostgreSQL', 'postgres', 'PostgreSQL without connections'),
    memory('both local chains', 'chains', 'two nodes with empty chains'),
  ]
}

/** Megabytes. */
type Memory = { readonly node: number; readonly postgres: number; readonly chains: number }

type Started = { readonly readyMs: number; readonly memory: Memory }
type BareStarted = { readonly ms: number; readonly memory: Memory }

async function startedOnce(layout: Layout, cleanup: Cleanup): Promise<Started> {
  const instance = await startWatched(layout, cleanup)
  await pause(SETTLED_MS)
  const memory = memoryOf(instance)
  await instance.stop()
  return { readyMs: instance.readyMs, memory }
}

/** The server's own process counts, not the command that waits for it. */
function memoryOf(instance: Instance): Memory {
  const pids = instance.processes()
  return {
    node: megabytesOf(runningProgram(pids, 'apps/server/build/main.js')),
    postgres: megabytesOf(runningProgram(pids, 'postgres')),
    chains: megabytesOf(runningProgram(pids, 'anvil')),
  }
}

/** The least that every start waits for: a Node that runs nothing, then the database of the instance alone. */
async function bareStart(layout: Layout, cleanup: Cleanup): Promise<BareStarted> {
  const begun = performance.now()
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit')
  const postgres = await startPostgres({ home: layout.home, log: createLog('silent') })
  const ms = performance.now() - begun
  cleanup(postgres.stop)
  const chains = await Promise.all([1, 2].map((chainId) => startAnvil({ chainId })))
  for (const { stop } of chains) cleanup(stop)
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  cleanup(() => void idle.kill())
  await pause(SETTLED_MS)
  const memory = {
    node: megabytesOf(idle.pid === undefined ? [] : [idle.pid]),
    postgres: megabytesOf(withDescendants(postgres.pid)),
    chains: megabytesOf(chains.map(({ pid }) => pid)),
  }
  idle.kill()
  await Promise.all([postgres.stop(), ...chains.map(({ stop }) => stop())])
  return { ms, memory }
}

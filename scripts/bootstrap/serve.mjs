import { spawn } from 'node:child_process'
import { join } from 'node:path'

import { say } from './command.mjs'
import { findNode } from './node.mjs'

/** npm passes on the Ctrl-C that the terminal sent already: two this close are one. */
const oneKeyPressMs = 700

/**
 * Megabytes of each half of the space of young objects. By default Node lets it grow to several times what the idle server needs,
 * and gives nothing back.
 */
const youngMegabytes = 4

/** Megabytes of old objects before the first collection: what is loaded at the start stays, and there is nothing to collect in it. */
const firstMegabytes = 64

/**
 * By how many percent the objects in use may grow before the old ones are collected. By default Node waits until there are four
 * times as many, so that an export of all payments, which needs few at a time, made the server grow by 150 MB and more.
 */
const growthPercent = 50

/**
 * Where the C library is glibc, memory that is freed goes back to the system; by default it keeps what only the start needed, in a
 * pool for each thread. A threshold of 128 kB would give back 6 MB more of an idle server, and cost a tenth of the payments a second.
 * Other libraries read neither.
 */
const freedMemory = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: String(8 * 1024 * 1024) }

/**
 * Runs the server until it ends and returns its exit code. It is in a process group of its own, so that Ctrl-C reaches
 * it once, through here: the first asks it to finish what is under way, a second one kills it. `--watch` runs the sources, so that
 * a change is seen without a build.
 */
export function serve(root, options = []) {
  const isWatched = options.includes('--watch')
  const program = join(root, isWatched ? 'apps/server/src/main.ts' : 'apps/server/build/main.js')
  const memory = [
    `--max-semi-space-size=${youngMegabytes}`,
    `--initial-old-space-size=${firstMegabytes}`,
    `--heap-growing-percent=${growthPercent}`,
  ]
  const child = spawn(findNode(root), [...memory, ...options, program], {
    cwd: root,
    detached: true,
    stdio: 'inherit',
    env: { ...freedMemory, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/kassa-compiled'), ...process.env },
  })
  let askedAt
  const stop = (signal) => {
    if (askedAt === undefined) {
      askedAt = Date.now()
      child.kill('SIGTERM')
      if (signal === 'SIGINT') say('\nStopping. Ctrl-C again stops without waiting.')
    } else if (signal === 'SIGINT' && Date.now() - askedAt > oneKeyPressMs) child.kill('SIGKILL')
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

import { join } from 'node:path'

import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

import { textsPlugin } from './apps/dashboard/texts-plugin.ts'

process.env.TZ = 'UTC'

/** Commands that tests start load in half the time from what an earlier one compiled, as those of an install do. */
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/kassa-compiled')

/** A test that hangs, not one that is slow on a machine with much to do, is cut off. */
const TIMEOUT_MS = 60_000

/** How long a test of a page asks again, as long as Playwright waits for a click. */
const BUSY_PAGE_MS = 60_000

/** The machine Kassa is developed for has two cores. */
const shared = { maxWorkers: 2, restoreMocks: true, testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS } as const

/** Files of one worker share what they import, which is half of the time of a short one, and often wait. */
const quick = { ...shared, maxWorkers: 3, isolate: false } as const

const unit = [
  'packages/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'apps/checkout/src/render/**/*.test.ts',
  'scripts/**/*.test.{ts,mjs}',
]
const screens = ['apps/dashboard/src/**/*.test.{ts,tsx}', 'apps/checkout/src/client/**/*.test.ts']
const database = ['**/*.db.test.ts']
const simulation = ['**/*.sim.test.ts']

/**
 * Files about passwords, sockets, nodes, clocks and processes, or that ask one question many times: 15 answers nothing
 * new there. Every route is called on 15 by the fuzz test, every migration by each file.
 */
const sameOnPostgres15 = [
  '**/auth/**',
  '**/backup/backup.db.test.ts',
  '**/blockchains/faulty-nodes.db.test.ts',
  '**/bulk-jobs/bulk-jobs.db.test.ts',
  '**/events/live-channel.db.test.ts',
  '**/http/**',
  '**/jobs/queue.db.test.ts',
  '**/prices/{bad-feeds,poll-prices}.db.test.ts',
  '**/pages/**',
  '**/published-installers.db.test.ts',
  '**/realtime/**',
  '**/wallets/authenticity.db.test.ts',
  '**/withdrawals/payouts/payouts.db.test.ts',
  '**/analytics/rollups/parallel.db.test.ts',
  '**/sandbox/**',
  '**/app.db.test.ts',
  '**/published-client.db.test.ts',
  '**/watch/{commands,fakes,reorganisations}.db.test.ts',
  '**/watch/verification/**',
  '**/webhooks/{deliver,ends,key-signature,quarantined,workers}.db.test.ts',
  '**/workers/**',
]
const elsewhere = ['**/node_modules/**']

const onPostgres = {
  ...quick,
  include: database,
  globalSetup: ['apps/server/src/testing/postgres.ts'],
}

/** What takes longest and waits most, longest first: begun last, each would run alone at the end. */
const LONG = [
  'backup/backup.db.test.ts',
  'simulator/sabotage.sim.test.ts',
  'chaos/several.test.ts',
  'spec/pages.test.ts',
  'chaos/kill.test.ts',
  'e2e/gallery.test.ts',
  'sandbox/chains.test.ts',
  'embedded/start-postgres.test.ts',
  'http/access-matrix.db.test.ts',
  'payouts/payouts.db.test.ts',
  'chaos/nodes.test.ts',
  'chaos/vault.test.ts',
]

/** Puts the long files of a project before its others: those of one project stay together, for whom workers are kept. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    const projects = [...new Set(usual.map(({ project }) => project.name))]
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name)
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(name))
      return at === -1 ? LONG.length : at
    }
    return usual.toSorted((a, b) => place(a) - place(b) || rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    ...shared,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...quick,
          name: 'unit',
          include: unit,
          exclude: [...elsewhere, ...database, ...simulation],
        },
      },
      { test: { ...onPostgres, name: 'database', exclude: elsewhere } },
      { test: { ...onPostgres, name: 'database-15', exclude: [...elsewhere, ...sameOnPostgres15] } },
      { test: { ...shared, name: 'simulation', include: simulation, exclude: elsewhere, testTimeout: 180_000 } },
      {
        plugins: [textsPlugin()],
        test: {
          ...shared,
          maxWorkers: 3,
          // Each file has a window of its own; the worker that holds them stays.
          pool: 'vmThreads',
          name: 'screen',
          include: screens,
          exclude: elsewhere,
          environment: 'happy-dom',
          setupFiles: ['apps/dashboard/src/testing/english.ts'],
        },
      },
      {
        test: {
          ...shared,
          // An instance waits for its chains and its pages for most of its time.
          maxWorkers: 3,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: elsewhere,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // A page on a busy machine takes longer than the second that is the default.
          expect: { poll: { timeout: BUSY_PAGE_MS } },
        },
      },
    ],
  },
})

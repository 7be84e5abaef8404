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
 * What PostgreSQL 15 might answer differently: every migration, every route (fuzz), the upgrade of an older install, and
 * of each part of the program the file that runs most of its statements.
 */
const onPostgres15 = [
  '**/testing/fuzz/fuzz.db.test.ts',
  '**/testing/upgrade/upgrade.db.test.ts',
  '**/db/{database,prepared,table-growth}.db.test.ts',
  '**/jobs/queue.db.test.ts',
  '**/analytics/figures.db.test.ts',
  '**/audit/audit.db.test.ts',
  '**/auth/sessions/service.db.test.ts',
  '**/deposits/ledger-invariants.db.test.ts',
  '**/ledger/**/*.db.test.ts',
  '**/payments/crediting/{receive-transfers,service}.db.test.ts',
  '**/payments/{lifecycle,search}/**/*.db.test.ts',
  '**/reconciliation/service.db.test.ts',
  '**/referral/counting/count-log.db.test.ts',
  '**/referral/payouts/payouts.db.test.ts',
  '**/sends/following/sends.db.test.ts',
  '**/sweeps/end-to-end.db.test.ts',
  '**/wallets/wallets.db.test.ts',
  '**/watch/{movements,watch}.db.test.ts',
  '**/webhooks/deliveries/**/*.db.test.ts',
  '**/withdrawals/policy/**/*.db.test.ts',
  '**/withdrawals/sending/end-to-end.db.test.ts',
]
const elsewhere = ['**/node_modules/**']

const onPostgres = {
  ...quick,
  include: database,
  globalSetup: ['apps/server/src/testing/database/postgres.ts'],
}

/** What takes longest and waits most, longest first: begun last, each would run alone at the end. */
const LONG = [
  'backup/backup.db.test.ts',
  'simulator/sabotage.sim.test.ts',
  'chaos/several.test.ts',
  'spec/pages.test.ts',
  'chaos/kill.test.ts',
  'e2e/families.test.ts',
  'spec/errors.test.ts',
  'spec/shell.test.ts',
  'sandbox/chains.test.ts',
  'embedded/start-postgres.test.ts',
  'http/access-matrix.db.test.ts',
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
      { test: { ...onPostgres, name: 'database-15', include: onPostgres15, exclude: elsewhere } },
      {
        test: {
          ...shared,
          // Each file computes alone for a minute: with two workers the third would run beside an idle core.
          maxWorkers: 3,
          name: 'simulation',
          include: simulation,
          exclude: elsewhere,
          testTimeout: 180_000,
          globalSetup: ['apps/server/src/testing/simulator/setup.ts'],
        },
      },
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
          // An instance waits for its chains and its pages for some of its time.
          maxWorkers: 3,
          // What drives the browser and the chains is loaded once in each worker: seconds of every file.
          isolate: false,
          name: 'e2e',
          globalSetup: ['e2e/installed.ts'],
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

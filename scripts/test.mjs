/**
 * `npm test`: installs what is missing, runs every suite, and ends with what took how long, in which browser, every
 * failure by name, and `N passed, N failed`.
 */
import { fileURLToPath } from 'node:url'

import { CommandError, finish, say } from './bootstrap/command.mjs'
import { installPackages } from './bootstrap/packages.mjs'
import { buildStale } from './build.mjs'
import { chromiumProgram, chromiumVersion, needChromium } from './testing/chromium.mjs'
import { wantLitecoin } from './testing/litecoin.mjs'
import { wantPgbouncer } from './testing/pgbouncer.mjs'
import { withPostgres15 } from './testing/postgres-15.mjs'
import { runProjects, runScript } from './testing/suites.mjs'
import { summaryOf } from './testing/summary.mjs'
import { temporaryFolder } from './testing/temporary.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

const stages = [
  { name: 'check', run: () => runScript(root, 'scripts/check.ts') },
  { name: 'unit, contract, database and screen tests', run: () => runProjects(root, ['unit', 'database', 'screen']) },
  { name: 'simulated chains, crashes and clocks', run: () => runProjects(root, ['simulation']) },
  { name: 'end-to-end tests', run: runEndToEnd },
  { name: 'database tests on PostgreSQL 15', run: runOnPostgres15 },
]

async function runEndToEnd() {
  await needChromium()
  await wantPgbouncer()
  await buildStale(root)
  return { ...(await runProjects(root, ['e2e'])), browser: `${chromiumVersion()} (${chromiumProgram()})` }
}

/** What is drawn by chance was drawn in full before: here a share of it meets every statement. */
const share = {
  KASSA_FUZZ_REQUESTS: '1500',
  KASSA_UPGRADE_PAYMENTS: '500',
  KASSA_REFERRAL_HISTORIES: '25',
}

async function runOnPostgres15() {
  const result = await withPostgres15((url) =>
    runProjects(root, ['database-15'], { ...share, ...process.env, KASSA_TEST_DATABASE_URL: url }),
  )
  if (result) return result
  say('Not run: it needs root on Debian, or KASSA_TEST_DATABASE_URL with the address of a PostgreSQL 15.')
  return { passed: 0, failures: [] }
}

/** A stage that cannot run is one failure and does not hide the others. */
async function runStage({ name, run }) {
  say(`\n── ${name}`)
  const started = Date.now()
  const result = await run().catch((error) => {
    console.error(error instanceof CommandError ? error.message : error)
    return { passed: 0, failures: [error.message] }
  })
  return { name, seconds: Math.round((Date.now() - started) / 1000), ...result }
}

await finish(async () => {
  await installPackages(root, { dev: true })
  process.env.KASSA_TEST_FOLDER ??= temporaryFolder()
  await wantLitecoin()
  const results = []
  for (const stage of stages) results.push(await runStage(stage))
  for (const line of summaryOf(results)) say(line)
  process.exitCode = results.some(({ failures }) => failures.length > 0) ? 1 : 0
})

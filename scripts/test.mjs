/** `npm test`: installs what is missing, runs every suite, and ends with `N passed, N failed`. */
import { fileURLToPath } from 'node:url'

import { Refusal, finish, say } from './bootstrap/command.mjs'
import { installPackages } from './bootstrap/packages.mjs'
import { buildStale } from './build.mjs'
import { needChromium } from './testing/chromium.mjs'
import { wantPgbouncer } from './testing/pgbouncer.mjs'
import { withPostgres15 } from './testing/postgres-15.mjs'
import { runProjects, runScript } from './testing/suites.mjs'

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
  return runProjects(root, ['e2e'])
}

async function runOnPostgres15() {
  const counts = await withPostgres15((url) => runProjects(root, ['database'], { KASSA_TEST_DATABASE_URL: url }))
  if (counts) return counts
  say('Not run: it needs root on Debian, or KASSA_TEST_DATABASE_URL with the address of a PostgreSQL 15.')
  return { passed: 0, failed: 0 }
}

/** A stage that cannot run is one failure and does not hide the others. */
async function runStage({ name, run }) {
  say(`\n── ${name}`)
  try {
    return await run()
  } catch (error) {
    console.error(error instanceof Refusal ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

await finish(async () => {
  await installPackages(root, { dev: true })
  const total = { passed: 0, failed: 0 }
  for (const stage of stages) {
    const { passed, failed } = await runStage(stage)
    total.passed += passed
    total.failed += failed
  }
  say(`\n${total.passed} passed, ${total.failed} failed`)
  process.exitCode = total.failed === 0 ? 0 : 1
})

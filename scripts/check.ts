/** `npm run check`: every question about the code, two at a time, one line per answer. */
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { checkBareAlternatives } from './checks/bare-alternatives.ts'
import { checkByteBudgets } from './checks/byte-budgets.ts'
import { checkChainSpellings } from './checks/chain-spellings.ts'
import { toolOutcome } from './checks/command.ts'
import { checkCommitSubjects } from './checks/commit-subjects.ts'
import { checkCrowdedFolders } from './checks/crowded-folders.ts'
import { checkDocstrings } from './checks/docstrings.ts'
import { checkGeneratedDocs } from './checks/generated-docs.ts'
import { checkImports } from './checks/imports.ts'
import { checkListedRoutes } from './checks/listed-routes.ts'
import { checkMigrations } from './checks/migrations.ts'
import { checkModuleList } from './checks/module-list.ts'
import { checkNames } from './checks/names.ts'
import { type Check, line, type Outcome } from './checks/outcome.ts'
import { checkOutsideCalls } from './checks/outside-calls.ts'
import { checkReExports } from './checks/re-exports.ts'
import { checkRouteFields } from './checks/route-fields.ts'
import { checkServerRoles } from './checks/server-roles.ts'
import { checkSizes } from './checks/sizes.ts'
import { checkSpecificationRows } from './checks/specification-rows.ts'
import { checkSpecificationTexts } from './checks/specification-texts.ts'
import { checkTableWriters } from './checks/table-writers.ts'
import { checkUnraisedErrors } from './checks/unraised-errors.ts'
import { checkUnusedReasons } from './checks/unused-reasons.ts'
import { checkWrittenDocs } from './checks/written-docs.ts'
import { checkWrittenPaths } from './checks/written-paths.ts'

const tool = (name: string, ...command: [string, ...string[]]): Check => ({
  name,
  run: (root) => toolOutcome(root, command[0], command.slice(1)),
})

/** One thread: several work out the same types several times. */
const types = (name: string, project: string): Check =>
  tool(`types: ${name}`, 'tsc', '--noEmit', '--singleThreaded', '-p', project)

/** Slow ones first, so that the two lanes end together. */
const checks: readonly Check[] = [
  tool('lint', 'oxlint', '--type-aware', '--deny-warnings', '.'),
  { name: 'byte budgets', run: checkByteBudgets },
  types('server and packages', 'tsconfig.json'),
  types('dashboard', 'apps/dashboard'),
  types('checkout', 'apps/checkout'),
  types('signer', 'packages/signer'),
  tool('dead code', 'knip', '--no-progress'),
  { name: 'imports', run: checkImports },
  tool('format', 'oxfmt', '--check', '.'),
  { name: 'generated docs', run: checkGeneratedDocs },
  tool('texts of the dashboard', 'lingui', 'check', 'sync', '--config', 'apps/dashboard/lingui.config.ts'),
  { name: 'specification texts', run: checkSpecificationTexts },
  { name: 'specification rows', run: checkSpecificationRows },
  { name: 'sizes', run: checkSizes },
  { name: 'roles of server files', run: checkServerRoles },
  { name: 'list of modules', run: checkModuleList },
  { name: 'writers of tables', run: checkTableWriters },
  { name: 'calls outside', run: checkOutsideCalls },
  { name: 'spellings of chains', run: checkChainSpellings },
  { name: 'alternatives in SQL', run: checkBareAlternatives },
  { name: 'docstrings', run: checkDocstrings },
  { name: 'names', run: checkNames },
  { name: 're-exports', run: checkReExports },
  { name: 'crowded folders', run: checkCrowdedFolders },
  { name: 'unraised errors', run: checkUnraisedErrors },
  { name: 'unused reasons', run: checkUnusedReasons },
  { name: 'migrations', run: checkMigrations },
  { name: 'commit subjects', run: checkCommitSubjects },
  { name: 'written docs', run: checkWrittenDocs },
  { name: 'fields of routes', run: checkRouteFields },
  { name: 'listed routes', run: checkListedRoutes },
  { name: 'written paths', run: checkWrittenPaths },
]

/** Two checks at a time: most of them are a process of their own, and the smallest machine has two cores. */
const LANES = 2

type Answer = { readonly check: Check; readonly outcome: Outcome; readonly seconds: number }

async function ask(check: Check, root: string): Promise<Answer> {
  const start = performance.now()
  const outcome = await check.run(root).catch((error: unknown) => ({
    findings: [{ file: '', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }],
  }))
  const answer = { check, outcome, seconds: (performance.now() - start) / 1000 }
  print(answer)
  return answer
}

function print({ check, outcome, seconds }: Answer): void {
  const mark = outcome.findings.length === 0 ? '✓' : '✗'
  const note = 'note' in outcome && outcome.note !== undefined ? `  ${outcome.note}` : ''
  console.log(`${mark} ${check.name.padEnd(28)} ${seconds.toFixed(1).padStart(5)} s${note}`)
}

async function askAll(root: string, only: readonly string[]): Promise<Answer[]> {
  const waiting = checks.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
  const answers: Answer[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) answers.push(await ask(next, root))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return answers
}

const answers = await askAll(join(import.meta.dirname, '..'), process.argv.slice(2))
const failed = answers.filter(({ outcome }) => outcome.findings.length > 0)
for (const { check, outcome } of failed) {
  console.log(`\n── ${check.name}`)
  for (const finding of outcome.findings) console.log(line(finding))
}
if (failed.length > 0) {
  console.log(
    `\n${failed.length} of ${answers.length} checks failed: ${failed.map(({ check }) => check.name).join(', ')}`,
  )
}
process.exitCode = failed.length > 0 ? 1 : 0

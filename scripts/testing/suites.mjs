import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runShown } from '../bootstrap/command.mjs'
import { findNode } from '../bootstrap/node.mjs'

/** Runs the named vitest projects and counts their tests. */
export async function runProjects(root, projects, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-report-'))
  const file = join(folder, 'report.json')
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...chosen, ...reporters]
  const code = await runShown(findNode(root), args, { cwd: root, env: { ...process.env, ...env, TZ: 'UTC' } })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  rmSync(folder, { recursive: true })
  return countTests(report, code)
}

/**
 * Counts the tests of a vitest JSON report. A file that could not be loaded counts as one failure, and so does a run
 * that failed otherwise or found nothing to run.
 */
export function countTests(report, code) {
  const files = report?.testResults ?? []
  const unloaded = files.filter((file) => file.status === 'failed' && !file.assertionResults.some(isFailed)).length
  const passed = report?.numPassedTests ?? 0
  const failed = (report?.numFailedTests ?? 0) + unloaded
  const isUnexplained = failed === 0 && (code !== 0 || passed === 0)
  return { passed, failed: isUnexplained ? 1 : failed }
}

function isFailed(test) {
  return test.status === 'failed'
}

/** Runs a script of the project as one test. */
export async function runScript(root, script) {
  const code = await runShown(findNode(root), [join(root, script)], { cwd: root })
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

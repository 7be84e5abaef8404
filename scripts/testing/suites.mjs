import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { runShown } from '../bootstrap/command.mjs'
import { findNode } from '../bootstrap/node.mjs'

/** Runs the named vitest projects; returns what `readReport` does. */
export async function runProjects(root, projects, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'kassa-report-'))
  const file = join(folder, 'report.json')
  const chosen = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...chosen, ...reporters]
  const code = await runShown(findNode(root), args, { cwd: root, env: { ...process.env, ...env, TZ: 'UTC' } })
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  rmSync(folder, { recursive: true })
  return readReport(root, report, code)
}

/**
 * Reads a vitest JSON report: how many tests passed, one sentence per failure, and the files that took longest. A file
 * that could not be loaded counts as one failure, and so does a run that failed otherwise or found nothing to run.
 */
export function readReport(root, report, code) {
  const files = report?.testResults ?? []
  const passed = report?.numPassedTests ?? 0
  const failures = files.flatMap((file) => failuresOf(root, file))
  const isUnexplained = failures.length === 0 && (code !== 0 || passed === 0)
  if (isUnexplained) failures.push('the run ended without saying what failed: its output above says more')
  return { passed, failures, slowest: slowestOf(root, files) }
}

function failuresOf(root, file) {
  if (file.status !== 'failed') return []
  const name = relative(root, file.name)
  const failed = file.assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return [`${name}: ${firstLine(file.message)}`]
  return failed.map((test) => `${name} › ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

function firstLine(message) {
  return (message ?? '').split('\n')[0]
}

function slowestOf(root, files) {
  return files
    .map((file) => ({ name: relative(root, file.name), seconds: Math.round((file.endTime - file.startTime) / 1000) }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 3)
}

/** Runs a script of the project as one test. */
export async function runScript(root, script) {
  const code = await runShown(findNode(root), [join(root, script)], { cwd: root })
  return code === 0 ? { passed: 1, failures: [] } : { passed: 0, failures: [`${script}: see above`] }
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { runQuietly, say, systemPath } from './command.mjs'

/**
 * Installs the locked packages when one is missing or of another version. `dev` asks for those that only development
 * needs; where they are installed already, they stay.
 */
export async function installPackages(root, { dev }) {
  const locked = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules/.package-lock.json'))
  if (isComplete(locked, installed, dev)) return
  const isFirst = Object.keys(installed).length === 0
  say(
    isFirst
      ? 'Installing packages, once: about half a minute…'
      : 'Installing packages, the locked versions have changed…',
  )
  const omit = dev || hasDevelopmentPackages(locked, installed) ? [] : ['--omit=dev']
  await runQuietly({
    title: 'Installing the packages with npm',
    command: 'npm',
    args: ['ci', ...omit, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    cwd: root,
    env: { ...process.env, PATH: systemPath(), NODE_ENV: '' },
  })
}

/**
 * Whether every locked package is installed in its version. npm lists what it installed in a lockfile of its own,
 * written last. Packages for other platforms are optional and may be absent.
 */
export function isComplete(locked, installed, dev) {
  return Object.entries(locked).every(([path, wanted]) => {
    const found = installed[path]
    if (path === '' || wanted.link) return true
    if (found) return found.version === wanted.version
    return wanted.optional || wanted.devOptional || (wanted.dev && !dev)
  })
}

function hasDevelopmentPackages(locked, installed) {
  return Object.keys(installed).some((path) => locked[path]?.dev)
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

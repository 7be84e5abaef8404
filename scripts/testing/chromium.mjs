import { execFileSync } from 'node:child_process'

import { CommandError } from '../bootstrap/command.mjs'
import { canInstall, installDebianPackage, isOnPath } from './debian.mjs'

/** Makes sure that the end-to-end tests find a Chromium. @throws CommandError that says how to get one. */
export async function needChromium() {
  if (isOnPath('chromium')) return
  if (canInstall) return installDebianPackage('chromium')
  throw new CommandError(
    'The end-to-end tests need the program chromium on PATH (Debian: sudo apt-get install chromium).',
  )
}

/**
 * Returns the name and version of the Chromium on PATH, as it says them. A test that fails on one machine only may rest
 * on a version, and Debian changes it every few weeks.
 */
export function chromiumVersion(program = 'chromium') {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return text.trim().split('\n').at(-1)
  } catch (error) {
    return `${program} that does not say its version (${error.message.split('\n')[0]})`
  }
}

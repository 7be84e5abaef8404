import { execFileSync } from 'node:child_process'

import { CommandError, say } from '../bootstrap/command.mjs'
import { canInstall, installDebianPackage, isOnPath } from './debian.mjs'

/** Debian's packages and programs: the part of Chromium that draws pages without a window, which costs less, and all of it. */
const PROGRAMS = ['chromium-headless-shell', 'chromium']

/** Makes sure that the end-to-end tests find a Chromium, the cheaper one if there is. @throws CommandError that says how to get one. */
export async function needChromium() {
  const [wanted, whole] = PROGRAMS
  if (isOnPath(wanted)) return
  if (!canInstall) {
    if (isOnPath(whole)) return
    throw new CommandError(
      `The end-to-end tests need the program ${wanted} or ${whole} on PATH (Debian: sudo apt-get install ${wanted}).`,
    )
  }
  try {
    await installDebianPackage(wanted)
  } catch (error) {
    say(`${wanted} could not be installed; the end-to-end tests use ${whole}. ${error.message}`)
    if (!isOnPath(whole)) await installDebianPackage(whole)
  }
}

/** The program that the end-to-end tests use. */
export function chromiumProgram(isHere = isOnPath) {
  return PROGRAMS.find((name) => isHere(name)) ?? PROGRAMS[0]
}

/**
 * Returns the name and version of the Chromium on PATH, as it says them. A test that fails on one machine only may rest
 * on a version, and Debian changes it every few weeks.
 */
export function chromiumVersion(program = chromiumProgram()) {
  try {
    const text = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return text.trim().split('\n').at(-1)
  } catch (error) {
    return `${program} that does not say its version (${error.message.split('\n')[0]})`
  }
}

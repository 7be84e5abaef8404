import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

import { runQuietly, say } from '../bootstrap/command.mjs'

/** Whether missing packages of the system can be installed here: as root, on a Debian. */
export const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/** Installs a Debian package. @throws CommandError with apt's words when that fails. */
export async function installDebianPackage(name) {
  say(`Installing ${name} from Debian's packages…`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (title, args) => runQuietly({ title, command: 'apt-get', args: ['-qq', ...args], env })
  await apt('Reading the list of Debian packages', ['update'])
  await apt(`Installing ${name}`, ['install', '-y', '--no-install-recommends', name])
}

/** Whether a program is on the search path. */
export function isOnPath(program) {
  try {
    execFileSync('which', [program], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

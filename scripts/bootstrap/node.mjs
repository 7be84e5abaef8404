import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { CommandError } from './command.mjs'

const least = [24, 11]

/**
 * The Node that Kassa runs on: the one among its packages, else the one that runs this.
 * @throws CommandError when that is too old.
 */
export function findNode(root) {
  const own = join(root, 'node_modules/.bin/node')
  if (existsSync(own)) return own
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > least[0] || (major === least[0] && minor >= least[1])) return process.execPath
  throw new CommandError(
    `Kassa brings its own Node on Linux only. Here it needs Node ${least.join('.')} or newer, and this is ${process.versions.node}: https://nodejs.org`,
  )
}

/**
 * `npm run remove-data`: deletes the data folder and the embedded database, which may lie elsewhere. Asks first, or takes
 * `--yes`. Kassa must be stopped; an external database (DATABASE_URL) and a key stored elsewhere stay.
 */
import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

import { processEnvironment, SettingError } from '../config/config.ts'
import { databaseElsewhere } from '../db/embedded/location.ts'
import { stopLeftover } from '../db/embedded/server.ts'
import { claimInstance } from '../process/instance.ts'
import { StartError } from '../process/start-error.ts'

try {
  process.exitCode = await removeData()
} catch (thrown) {
  if (!(thrown instanceof SettingError || thrown instanceof StartError)) throw thrown
  console.log(thrown.message)
  process.exitCode = 1
}

async function removeData(): Promise<number> {
  const { values } = parseArgs({ options: { yes: { type: 'boolean', default: false } } })
  const { home, databaseUrl, masterKeyFile, port } = processEnvironment()
  const folder = resolve(home)
  if (!existsSync(folder)) return say(`There is nothing to delete: ${folder} does not exist.`, 0)
  const instance = claimInstance({ home: folder, url: `http://localhost:${port}` })
  if (instance.kind === 'running') return say(`Kassa is running on ${instance.url}. Stop it first.`, 1)
  const elsewhere = databaseElsewhere(folder)
  const folders = elsewhere === null ? [folder] : [elsewhere, folder]
  say(`This deletes for ever:\n${folders.map((one) => `  ${one}`).join('\n')}`, 0)
  if (databaseUrl !== null) say('The database that DATABASE_URL names is left as it is.', 0)
  if (masterKeyFile !== null) say(`The master key in ${masterKeyFile} is left as it is.`, 0)
  if (!values.yes && !(await isConfirmed())) {
    instance.release()
    return say('Nothing was deleted.', 1)
  }
  await stopLeftover(join(elsewhere ?? join(folder, 'postgres'), 'data'))
  // The folder that tells where the database is goes last: what is interrupted can be repeated.
  for (const one of folders) rmSync(one, { recursive: true, force: true })
  return say('Deleted.', 0)
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY) {
    say('Nobody can be asked here: add -- --yes', 1)
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question('Type "delete" to go on: ')).trim() === 'delete'
  } finally {
    terminal.close()
  }
}

function say(line: string, code: number): number {
  console.log(line)
  return code
}

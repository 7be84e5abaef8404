/**
 * `npm run backup -- [--to <folder or file>] [--without-master-key]`: writes the database as it is at one moment, and the
 * master key, to one encrypted file, and reads it back. Kassa may be running. docs/guides/backup.md tells the rest.
 */
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { keysFrom } from '../backup/archive.ts'
import { verifyBackup } from '../backup/read-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { processEnvironment } from '../config/config.ts'
import { findMasterKey } from '../config/master-key.ts'
import type { Context } from '../context.ts'
import { recordBackup, type WrittenBackup } from '../modules/backups/service.ts'
import { newPassphrase } from './passphrase.ts'
import { CommandRefused, runCommand } from './with-context.ts'

const USAGE = 'Use: npm run backup -- [--to <folder or new file>] [--without-master-key]'

process.exitCode = await runCommand('backup', async (ctx) => {
  const { config, now } = ctx
  const { to = join(config.home, 'backups'), 'without-master-key': isWithout = false } = readArguments()
  const passphrase = await newPassphrase()
  const takenAt = now()
  const file = fileFor(resolve(to), config.network, takenAt)
  const { rows, bytes } = await takeBackup({
    connectionString: config.databaseDirectUrl,
    masterKey: findMasterKey(processEnvironment()),
    withMasterKey: !isWithout,
    passphrase,
    version: config.version,
    home: config.home,
    file,
    now: takenAt,
  })
  // Derived anew, because only this shows that the passphrase opens what was written.
  await verifyBackup(file, keysFrom(passphrase))
  await note(ctx, { takenAt, rows, bytes, hasMasterKey: !isWithout, path: file })
  console.log(`${file}: ${rows} rows in ${bytes} bytes, read back and whole.`)
  console.log(
    isWithout
      ? 'The master key is not in it: without the key this backup cannot be restored. Keep the key elsewhere.'
      : 'Database and master key are in it, encrypted. Without the passphrase nobody can restore it, nor can you.',
  )
  console.log('Keep a copy on another machine, and the passphrase away from both.')
  return 0
})

/** Lets the dashboard know. The backup is whole without it: the tables of a database that is still to be upgraded lack this one. */
async function note(ctx: Context, taken: Omit<WrittenBackup, 'kind' | 'version'>): Promise<void> {
  try {
    await recordBackup(ctx, { kind: 'taken', ...taken, version: ctx.config.version })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.log(`The dashboard will not know of this backup: it could not be noted in the database (${reason}).`)
  }
}

function readArguments() {
  try {
    return parseArgs({ options: { to: { type: 'string' }, 'without-master-key': { type: 'boolean' } } }).values
  } catch {
    throw new CommandRefused(USAGE)
  }
}

/** A name of its own in a folder, which is made when it does not exist; or the file that was named. */
function fileFor(to: string, network: string, takenAt: Date): string {
  const isFile = to.endsWith('.kassa')
  const folder = isFile ? dirname(to) : to
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new CommandRefused(`The folder ${folder} cannot be made.`, { cause })
  }
  if (isFile && existsSync(to) && statSync(to).isDirectory()) throw new CommandRefused(`${to} is a folder.`)
  const moment = takenAt.toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')
  return isFile ? to : join(folder, `kassa-${network}-${moment}.kassa`)
}

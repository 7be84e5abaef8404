/**
 * `npm run restore -- <file> [--check]`: brings a backup into an empty database and a folder without a master key, once all of
 * the file was found as it was written; `--check` only looks. docs/guides/backup.md tells what to do before and after.
 */
import { INVARIANTS } from '../app.ts'
import { timingSafeEqual } from 'node:crypto'
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { type KeysOf, keysFrom } from '../backup/archive.ts'
import type { Manifest } from '../backup/content.ts'
import { type Verified, verifyBackup } from '../backup/read-backup.ts'
import { BackupRefused } from '../backup/refused.ts'
import { migrationsSince, restoreBackup } from '../backup/restore-backup.ts'
import { fingerprintOf } from '../backup/take-backup.ts'
import { type Environment, processEnvironment } from '../config/config.ts'
import { masterKeyPlace, writeKeyFile } from '../config/master-key.ts'
import { asSystem, type Context } from '../context.ts'
import { endEveryPasswordLink } from '../modules/auth/passwords/service.ts'
import { endEverySession } from '../modules/auth/sessions/service.ts'
import { recordBackup } from '../modules/backups/service.ts'
import { unpairEveryDevice } from '../modules/devices/service.ts'
import { verify } from '../modules/ledger/service.ts'
import { endEveryReferralToken } from '../modules/referral/referrers/service.ts'
import { withholdOpenAddresses } from '../modules/wallets/service.ts'
import { claimInstance } from '../process/instance.ts'
import { readPassphrase } from './passphrase.ts'
import { CommandRefused, reportRefusals, withContextOn, withDatabase } from './with-context.ts'

const USAGE = 'Use: npm run restore -- <backup file> [--check]'

process.exitCode = await reportRefusals(async () => {
  const { file, isCheck } = readArguments()
  const keysOf = keysFrom(await readPassphrase())
  const verified = await verifyBackup(file, keysOf)
  const { kassa, takenAt, network } = verified.manifest
  console.log(
    `A backup of ${network} by Kassa ${kassa}, taken ${takenAt}: ${verified.rows} rows, every byte as it was written.`,
  )
  await migrationsSince(verified.manifest)
  if (isCheck) return 0
  const environment = processEnvironment()
  return alone(environment, (home) => restore({ ...environment, home }, { file, keysOf, verified }))
})

function readArguments(): { file: string; isCheck: boolean } {
  try {
    const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true })
    const [file, ...rest] = positionals
    if (file === undefined || rest.length > 0) throw new CommandRefused(USAGE)
    return { file: resolve(file), isCheck: values.check === true }
  } catch {
    throw new CommandRefused(USAGE)
  }
}

/** Runs the work as the only Kassa of this data folder. */
async function alone(environment: Environment, work: (home: string) => Promise<number>): Promise<number> {
  const instance = claimInstance({ home: environment.home, url: 'npm run restore' })
  if (instance.kind === 'running') {
    throw new CommandRefused(
      `Kassa is running on ${environment.home} (${instance.url}). Stop it first; a restore needs an empty database.`,
    )
  }
  try {
    return await work(instance.home)
  } finally {
    instance.release()
  }
}

type Source = { readonly file: string; readonly keysOf: KeysOf; readonly verified: Verified }

async function restore(environment: Environment, source: Source): Promise<number> {
  const { manifest } = source.verified
  if (manifest.network !== environment.network) {
    throw new BackupRefused(
      `This is a backup of ${manifest.network}, and KASSA_NETWORK is ${environment.network}. Nothing was changed. ` +
        `Set KASSA_NETWORK=${manifest.network}.`,
    )
  }
  const masterKey = keyFor(environment, manifest)
  return withDatabase(environment, (databaseUrl) =>
    withContextOn({ environment, databaseUrl, masterKey, name: 'restore' }, async (ctx) => {
      const connectionString = ctx.config.databaseDirectUrl
      let ended: Ended = { links: 0, devices: 0, pages: 0 }
      const beforeCommit = async (inside: Context) => {
        ended = await forgetWhatChanged(inside)
        await noteRestore(inside, source)
        keepKey(environment, masterKey)
      }
      await restoreBackup(ctx, { ...source, connectionString, home: environment.home, beforeCommit })
      const broken = await verify(asSystem(ctx), INVARIANTS)
      for (const { rule, rows, examples } of broken)
        console.log(`BROKEN  ${rule} ${rows} row(s): ${examples.join(', ')}`)
      console.log(
        broken.length === 0
          ? 'Restored. Every seal of the journal fits, and the books balance.'
          : 'Restored, but the books do not hold. They may have been so when the backup was taken.',
      )
      sayNext(manifest, ended)
      return broken.length === 0 ? 0 : 1
    }),
  )
}

/** How many links, devices and pages were ended. */
type Ended = { readonly links: number; readonly devices: number; readonly pages: number }

/**
 * The backup does not know what happened since: free addresses may have been assigned, and are not assigned again. Devices, links
 * and pages may have been revoked or used, so all of them end.
 */
async function forgetWhatChanged(ctx: Context): Promise<Ended> {
  await withholdOpenAddresses(ctx)
  await endEverySession(ctx)
  return {
    links: await endEveryPasswordLink(ctx),
    devices: await unpairEveryDevice(ctx),
    pages: await endEveryReferralToken(ctx),
  }
}

/** The restored rows know nothing of the backup that they came from, which is the newest there is. */
async function noteRestore(ctx: Context, { file, verified: { manifest, rows } }: Source): Promise<void> {
  await recordBackup(ctx, {
    kind: 'restored',
    takenAt: new Date(manifest.takenAt),
    rows,
    bytes: statSync(file).size,
    hasMasterKey: manifest.masterKey !== null,
    version: manifest.kassa,
    path: file,
  })
}

/** The key the restored secrets are sealed with. @throws BackupRefused when the environment has another one, or none */
function keyFor(environment: Environment, manifest: Manifest): Buffer {
  const place = masterKeyPlace(environment)
  const key = 'known' in place ? place.known : manifest.masterKey && Buffer.from(manifest.masterKey, 'hex')
  if (!key) {
    throw new BackupRefused(
      'The master key is not in this backup. Nothing was changed. Set KASSA_MASTER_KEY or KASSA_MASTER_KEY_FILE to the key it ' +
        'was taken with.',
    )
  }
  if (!timingSafeEqual(Buffer.from(fingerprintOf(key)), Buffer.from(manifest.keyFingerprint))) {
    throw new BackupRefused(
      'The master key of the environment is not the one of this backup: its secrets could not be read. Nothing was changed. ' +
        'Set the right one, or name a file that does not exist yet in KASSA_MASTER_KEY_FILE.',
    )
  }
  return key
}

/** A try that is killed behind this leaves the key and no rows; the next one finds the key to be the right one. */
function keepKey(environment: Environment, masterKey: Buffer): void {
  const place = masterKeyPlace(environment)
  if ('known' in place) return
  writeKeyFile(place.file, masterKey)
  console.log(`The master key is in ${place.file}.`)
}

function sayNext({ takenAt }: Manifest, { links, devices, pages }: Ended): void {
  console.log(`What to do next (docs/guides/backup.md):
  1. npm start. Blocks since ${takenAt} are read again, and money to addresses that were given out by then is credited.
  2. npm run check-books, when reading has caught up: it compares the books with the chains.
  3. Sign in again: every session ended. Revoke again the API keys, and switch off again the people, that you did since then.
     Also ended: ${devices} signing device(s), pair each again; ${links} password link(s) and invitation(s), send them again;
     ${pages} page(s) of promoters, which the shop opens again.
  4. Payment links and customers made since then are unknown: make them again. They get new addresses; old ones are not assigned again.`)
}

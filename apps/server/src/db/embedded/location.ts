import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { type Account, canOthersEnter } from './account.ts'
import { StartError } from '../../process/start-error.ts'

/** Linux allows 108 bytes for a socket's path, the closing zero included; macOS 104. */
const longestSocketPath = 103

/** Where the database of one KASSA_HOME lives when its own user cannot enter that folder. */
const outsideRoot = '/var/lib/kassa'

/** In KASSA_HOME: where its database is. */
const NOTE = 'postgres-folder.txt'

/**
 * Returns the folder of the database when it is not below KASSA_HOME, else null.
 * @throws StartError when the note names a folder that Kassa did not make
 */
export function databaseElsewhere(home: string): string | null {
  const note = join(home, NOTE)
  if (!existsSync(note)) return null
  const folder = readFileSync(note, 'utf8').trim()
  if (dirname(folder) === outsideRoot && /^[0-9a-f]{12}$/.test(basename(folder))) return folder
  throw new StartError(`${note} names ${folder}, which is no folder of Kassa's. Look at it before anything is deleted.`)
}

/**
 * The folder that holds the database's runtime, data and log: `postgres` below KASSA_HOME; or, when Kassa runs as root
 * and another user could not enter it there, `/var/lib/kassa/<hash>`, noted in KASSA_HOME and used from then on.
 * @throws StartError when the noted folder is missing, since an empty database in its place would hide the loss.
 */
export function databaseFolder(home: string): string {
  const note = join(home, NOTE)
  const inside = join(home, 'postgres')
  if (existsSync(note)) {
    const folder = readFileSync(note, 'utf8').trim()
    if (existsSync(folder)) return folder
    throw new StartError(
      `The database of ${home} was in ${folder}, which is gone. Restore it, or delete ${note} to start empty.`,
    )
  }
  const isRoot = process.getuid?.() === 0
  if (!isRoot || existsSync(join(inside, 'data')) || canOthersEnter(home)) return openFolder(inside)
  const outside = openFolder(join(outsideRoot, nameOf(home)))
  writeFileSync(note, `${outside}\n`)
  return outside
}

/** Whatever the umask, the database's user can enter: its data folder inside has its own lock, 0700. */
function openFolder(folder: string): string {
  mkdirSync(folder, { recursive: true })
  if (folder.startsWith(outsideRoot)) chmodSync(outsideRoot, 0o755)
  chmodSync(folder, 0o755)
  return folder
}

/**
 * A short folder for the unix socket, entered by the database's user alone: the server trusts every client of it.
 * It is in the temporary folder because a path below KASSA_HOME may be longer than a socket's name can be.
 * @throws StartError when the folder exists and belongs to someone else.
 */
export function socketFolder(home: string, account: Account, temporary = tmpdir()): string {
  const folder = join(isUsable(temporary, account) ? temporary : '/tmp', `kassa-${nameOf(home)}`)
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 })
  const found = lstatSync(folder)
  const owner = account.uid ?? process.getuid?.()
  const isFresh = found.uid === process.getuid?.()
  if (!found.isDirectory() || (found.uid !== owner && !isFresh))
    throw new StartError(
      `${folder} belongs to another user. Kassa needs it for the database's socket: remove it and start again.`,
    )
  if (account.uid !== undefined && account.gid !== undefined) chownSync(folder, account.uid, account.gid)
  chmodSync(folder, 0o700)
  return folder
}

function isUsable(temporary: string, account: Account): boolean {
  const longest = join(temporary, `kassa-${'0'.repeat(12)}`, '.s.PGSQL.5432.lock')
  return Buffer.byteLength(longest) <= longestSocketPath && (account.uid === undefined || canOthersEnter(temporary))
}

function nameOf(home: string): string {
  return createHash('sha256').update(realpathSync(home)).digest('hex').slice(0, 12)
}

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'

import { type Environment, SettingError } from './config.ts'

/** AES-256 wraps the data keys. */
const KEY_BYTES = 32

/**
 * Finds the master key: the variable, the named file, or on the sandbox a file in the data folder, made at first start.
 * @throws SettingError when there is none, it has the wrong size, others may read its file, or on mainnet the file lies in
 * the data folder
 */
export function findMasterKey(environment: Environment): Buffer {
  if (environment.masterKeyText !== null) return parseKey(environment.masterKeyText, 'KASSA_MASTER_KEY')
  if (environment.masterKeyFile !== null) {
    requireElsewhere(environment, environment.masterKeyFile)
    return readKeyFile(environment.masterKeyFile)
  }
  if (environment.network !== 'sandbox') {
    throw new SettingError(
      `KASSA_MASTER_KEY or KASSA_MASTER_KEY_FILE is required on ${environment.network}. ` +
        'Make one with: openssl rand -hex 32. Keep it outside the data folder.',
    )
  }
  return sandboxKey(join(environment.home, 'master.key'))
}

/** Where a restored key goes: nowhere when the environment has it already. */
export type KeyPlace = { readonly known: Buffer } | { readonly file: string }

/**
 * Finds the master key of a restored install without making one, or the file it is to be written to.
 * @throws SettingError when the environment names neither
 */
export function masterKeyPlace(environment: Environment): KeyPlace {
  const { masterKeyText, masterKeyFile, network, home } = environment
  if (masterKeyText !== null) return { known: parseKey(masterKeyText, 'KASSA_MASTER_KEY') }
  if (masterKeyFile === null && network !== 'sandbox') {
    throw new SettingError(
      'KASSA_MASTER_KEY_FILE is required: a file that does not exist yet, outside the data folder, which gets the master key.',
    )
  }
  const file = masterKeyFile ?? join(home, 'master.key')
  requireElsewhere(environment, file)
  return existsSync(file) ? { known: readKeyFile(file) } : { file }
}

/** Writes the master key to a new file that only its owner reads. */
export function writeKeyFile(file: string, key: Buffer): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${key.toString('hex')}\n`, { mode: 0o400, flag: 'wx', flush: true })
}

/** A copy of the data folder, such as a backup of the whole disk, must not contain the key to it. */
function requireElsewhere({ network, home }: Environment, file: string): void {
  if (network !== 'mainnet') return
  const way = relative(realPath(home), realPath(file))
  if (way === '..' || way.startsWith(`..${sep}`) || resolve(way) === way) return
  throw new SettingError(
    `The master key lies in the data folder, ${home}. On mainnet it must lie elsewhere, so that a copy of the folder does ` +
      'not open its own secrets: move the file, and name its new place in KASSA_MASTER_KEY_FILE.',
  )
}

/** The path without links; of what does not exist yet, that of its folder. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path)
  const folder = dirname(resolve(path))
  return existsSync(folder) ? join(realpathSync(folder), path.split(sep).at(-1) ?? '') : resolve(path)
}

function readKeyFile(path: string): Buffer {
  let mode: number
  try {
    mode = statSync(path).mode
  } catch (cause) {
    throw new SettingError(`KASSA_MASTER_KEY_FILE cannot be read at ${path}.`, { cause })
  }
  if ((mode & 0o077) !== 0) throw new SettingError(`Others may read ${path}. Run: chmod 0400 ${path}`)
  return parseKey(readFileSync(path, 'utf8').trim(), path)
}

function sandboxKey(path: string): Buffer {
  try {
    writeFileSync(path, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o400, flag: 'wx' })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  }
  return readKeyFile(path)
}

function parseKey(text: string, source: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
  if (key.length !== KEY_BYTES) throw new SettingError(`${source} does not hold 32 bytes as hex or base64.`)
  return key
}

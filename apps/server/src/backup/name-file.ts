import { closeSync, linkSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { BackupRefused } from './refused.ts'

/** What file systems without hard links answer: USB sticks (exFAT) and many network shares. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'])

/** What file systems answer that do not flush folders: what they hold is flushed with the file. */
const NO_FLUSH = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF', 'EPERM'])

/** Gives a complete file its name on disk, and never replaces another file. @throws BackupRefused when one has the name */
export async function nameFile(unfinished: string, file: string): Promise<void> {
  await flush(unfinished)
  try {
    // A link, unlike a move, never replaces a file that was created meanwhile.
    linkSync(unfinished, file)
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw explain(error, file)
    takeName(unfinished, file)
  }
  await flush(dirname(file)).catch((error: unknown) => {
    if (!NO_FLUSH.has(codeOf(error))) throw error
  })
}

/** A file that has not grown for so long is not being written any more: its process was killed. */
const ABANDONED_MS = 3_600_000

/** Removes what killed backups left in the folder, also those of other machines that share it. */
export function removeAbandoned(folder: string, now: Date): void {
  for (const name of namesIn(folder)) {
    if (!/^\..+\.kassa\.unfinished-\d+$/.test(name)) continue
    const path = join(folder, name)
    try {
      if (now.getTime() - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path)
    } catch {
      // It is gone, or another user's: what cannot be removed stops no backup.
    }
  }
}

/** A folder that may be written to, but not listed, looks empty. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** An empty file takes the name from everybody else, and is replaced at once. */
function takeName(unfinished: string, file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    throw explain(error, file)
  }
  try {
    renameSync(unfinished, file)
  } catch (error) {
    // A share may have moved the file although its answer was lost: then it has all of the backup.
    if (statSync(file, { throwIfNoEntry: false })?.size === 0) rmSync(file, { force: true })
    throw error
  }
}

function explain(error: unknown, file: string): unknown {
  return codeOf(error) === 'EEXIST'
    ? new BackupRefused(`${file} exists already. A backup never replaces another file.`, { cause: error })
    : error
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Backup } from '@kassa/contract/backups/schemas.ts'

import type { BackupRow } from './tables.ts'

/** A disk of the network that does not answer must not keep the page waiting. */
const LOOKED_WITHIN_MS = 2000

/**
 * Returns what became of the file of a backup; null where it was written on another machine, an older version noted it, or its
 * disk does not answer. Call it outside of transactions.
 */
export async function fileState(
  { host, path, bytes }: Pick<BackupRow, 'host' | 'path' | 'bytes'>,
  within = LOOKED_WITHIN_MS,
): Promise<Backup['file']> {
  if (path === null || host !== hostname()) return null
  return Promise.race([look(path, Number(bytes)), sleep(within, null, { ref: false })])
}

async function look(path: string, bytes: number): Promise<Backup['file']> {
  try {
    const { size } = await stat(path)
    return size === bytes ? 'found' : 'changed'
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    // Anything else, such as a folder that this user may not read, says nothing about the file.
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : null
  }
}

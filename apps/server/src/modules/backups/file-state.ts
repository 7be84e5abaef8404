import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

import type { Backup } from '@kassa/contract/backups/schemas.ts'

import type { Context } from '../../context.ts'
import { remembered } from '../../memory.ts'
import type { BackupRow } from './tables.ts'

/** A disk of the network that does not answer must not keep the page waiting. */
const LOOKED_WITHIN_MS = 2000

/** The size of a file; null where that cannot be known. */
type Found = number | 'missing' | null

/**
 * Looks that have not ended, by path. A disk that does not answer keeps a thread for each, of which a process has four for all
 * of its files and names: whoever asks meanwhile waits for the same look.
 */
const looks = remembered(() => new Map<string, Promise<Found>>())

/**
 * Returns what became of the file of a backup; null where it was written on another machine, an older version noted it, or its
 * disk does not answer. Call it outside of transactions.
 */
export async function fileState(
  ctx: Pick<Context, 'memory'>,
  { host, path, bytes }: Pick<BackupRow, 'host' | 'path' | 'bytes'>,
  within = LOOKED_WITHIN_MS,
): Promise<Backup['file']> {
  if (path === null || host !== hostname()) return null
  const found = await Promise.race([look(ctx, path), sleep(within, null, { ref: false })])
  if (typeof found !== 'number') return found
  return found === Number(bytes) ? 'found' : 'changed'
}

function look(ctx: Pick<Context, 'memory'>, path: string): Promise<Found> {
  const open = looks(ctx)
  const begun = open.get(path)
  if (begun) return begun
  const own = sizeOf(path).finally(() => open.delete(path))
  open.set(path, own)
  return own
}

async function sizeOf(path: string): Promise<Found> {
  try {
    return (await stat(path)).size
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
    // Anything else, such as a folder that this user may not read, says nothing about the file.
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : null
  }
}

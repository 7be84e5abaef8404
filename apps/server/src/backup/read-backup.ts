import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

import { type KeysOf, unseal } from './archive.ts'
import { type Content, type Manifest, readContent } from './content.ts'
import { BackupRefused } from './refused.ts'

/** Opens a backup for reading it once, from its beginning. @throws BackupRefused, then or while it is read */
export async function openBackup(file: string, keysOf: KeysOf): Promise<Content> {
  const source = createReadStream(file)
  const opened = pipeline(Readable.from(unseal(source, keysOf)), createGunzip(), () => undefined)
  return readContent(bytesOf(opened))
}

async function* bytesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* stream
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    if (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'EISDIR'].includes(String(error.code))) {
      throw new BackupRefused(`The backup cannot be read: ${error.message}.`, { cause: error })
    }
    throw error
  }
}

export type Verified = {
  readonly manifest: Manifest
  readonly rows: number
  /** The job queues, a line each. */
  readonly queues: readonly string[]
}

/** Reads all of a backup and keeps nothing of it. @throws BackupRefused when one byte is not as it was written */
export async function verifyBackup(file: string, keysOf: KeysOf): Promise<Verified> {
  const { manifest, parts } = await openBackup(file, keysOf)
  const queues: string[] = []
  let rows = 0
  for await (const { part, lines } of parts) {
    if ('sequences' in part) rows = part.lines
    if (!('queues' in part)) continue
    for await (const piece of lines) queues.push(...piece.toString().trimEnd().split('\n'))
  }
  return { manifest, rows, queues }
}

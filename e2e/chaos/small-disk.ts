/** A file system of a few megabytes that a test fills up; only root may mount one. */
import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export type SmallDisk = {
  /** Leaves no byte free. */
  readonly fill: () => void
  /** Gives back what `fill` took. */
  readonly free: () => void
  readonly remove: () => void
}

export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/mount')

/** Mounts an empty file system of so many megabytes on the folder, which is made. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder])
  const balloon = join(folder, 'balloon')
  return {
    fill: () => {
      for (const step of [1 << 20, 4096]) blowUp(balloon, Buffer.alloc(step))
    },
    free: () => rmSync(balloon, { force: true }),
    remove: () => void execFileSync('umount', ['--lazy', folder]),
  }
}

function blowUp(file: string, piece: Buffer): void {
  const handle = openSync(file, 'a')
  try {
    for (;;) if (writeSync(handle, piece) < piece.length) return
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(handle)
  }
}

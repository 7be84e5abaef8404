import fs from 'node:fs'
import { freemem, tmpdir } from 'node:os'

const GIB = 1024 ** 3

/** A file system in memory: a database of its own per test is a thousand files, which cost four times as much on a disk. */
const IN_MEMORY = '/dev/shm'

/** What the databases, instances and browsers of one run hold at most, and what the programs need beside it. */
const NEEDED = { files: 4 * GIB, memory: 8 * GIB }

/** Where tests keep databases and data folders; root's own temporary folder may be closed to the user PostgreSQL runs as. */
export function temporaryFolder() {
  if (hasRoom()) return IN_MEMORY
  return process.getuid?.() === 0 ? '/tmp' : tmpdir()
}

function hasRoom() {
  try {
    fs.accessSync(IN_MEMORY, fs.constants.W_OK)
    const { bavail, bsize } = fs.statfsSync(IN_MEMORY)
    return bavail * bsize >= NEEDED.files && freemem() >= NEEDED.memory
  } catch {
    // Neither other systems nor Node before 18.15 can say.
    return false
  }
}

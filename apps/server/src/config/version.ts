import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import packageFile from '../../package.json' with { type: 'json' }

/** The version of this server, as its package states it. */
export const VERSION: string = packageFile.version

/** Written into the program by `apps/server/build.mjs`; there is none where the sources run. */
declare const KASSA_IS_BUILT: true | undefined

export type Build = {
  /** The commit of the sources, with a plus where files differed from it; null where they came without a repository. */
  readonly commit: string | null
  /** RFC 3339. */
  readonly builtAt: string
}

/** What the program and its pages were built from, and when; null where the sources run. */
export const BUILD: Build | null = typeof KASSA_IS_BUILT === 'undefined' ? null : readBuild()

/** Reads what `scripts/build.mjs` noted; null where the server alone was built. */
function readBuild(): Build | null {
  try {
    return JSON.parse(readFileSync(join(import.meta.dirname, '../../build/built.json'), 'utf8')) as Build
  } catch {
    return null
  }
}

import packageFile from '../../package.json' with { type: 'json' }

/** The version of this server, as its package states it. */
export const VERSION: string = packageFile.version

/** Written into the program by `apps/server/build.mjs`; there is none where the sources run. */
declare const KASSA_BUILD: Build | undefined

export type Build = {
  /** The commit of the sources, with a plus where files differed from it; null where they came without a repository. */
  readonly commit: string | null
  /** RFC 3339. */
  readonly builtAt: string
}

/** What the program was built from, and when; null where the sources run. */
export const BUILD: Build | null = typeof KASSA_BUILD === 'undefined' ? null : KASSA_BUILD

import type { Version } from '@kassa/contract/system/routes.ts'

import type { Build } from '../config/version.ts'

/** Which version runs, as the wire has it. */
export function versionView(version: string, build: Build | null): Version {
  return {
    version,
    build: build?.commit ?? (build === null ? 'source' : ''),
    builtAt: build === null ? null : new Date(build.builtAt),
    image: '',
  }
}

import { DEPOSIT_REASONS } from '@kassa/contract/deposits/reasons.ts'
import { REASONS } from '@kassa/contract/reasons.ts'
import type { Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources } from './source-files.ts'

const CATALOGUES = 'packages/contract/src/reasons.ts'

/** Reasons come from rules of the server and of chain families. */
const PRODUCES = /^(apps\/server|packages\/chains)\/src\//

/** A code in quotes that nothing is compared with: `code: 'late'`, `isX ? 'late' : …`. */
const NAMED = /(?<!(?:[!=]==?|\bcase)\s*)(?<quote>['"`])(?<code>[A-Za-z][A-Za-z0-9_]+)\k<quote>(?!\s*[!=]==?)/g

const published: readonly string[] = [...REASONS.flatMap(({ catalogue }) => Object.keys(catalogue)), ...DEPOSIT_REASONS]

/** Finds codes of reasons that no rule of the server produces: a screen would word what cannot come. */
export async function checkUnusedReasons(root: string, codes: readonly string[] = published): Promise<Outcome> {
  const sources = await readSources(root, (path) => PRODUCES.test(path) && isWrittenCode(path) && !isTestCode(path))
  const lines = sources.flatMap(({ text }) => text.split('\n')).filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
  const produced = new Set(lines.flatMap((line) => [...line.matchAll(NAMED)].map(({ groups }) => groups?.['code'])))
  return {
    findings: codes
      .filter((code) => !produced.has(code))
      .map((code) => ({
        file: CATALOGUES,
        message: `Nothing produces ${code}: it enters its catalogue with the rule that returns it`,
      })),
    note: `${codes.length} codes`,
  }
}

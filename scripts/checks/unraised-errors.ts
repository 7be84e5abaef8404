import { CONTRACT } from '@kassa/contract/contract.ts'
import { COMMON_ERRORS, ERRORS } from '@kassa/contract/errors.ts'
import type { Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources } from './source-files.ts'

const CATALOGUE = 'packages/contract/src/errors.ts'

/** Where an answer comes from: the server, the packages whose errors it passes on, and the decoder of the contract. */
const RAISES = /^(apps\/server|packages\/(chains|primitives)|packages\/contract\/src\/kit)\//

/** A code in quotes that nothing is compared with: `fail('CODE')`, `code: 'CODE'`, `isX ? 'CODE' : …`. */
const NAMED = /(?<!(?:[!=]==?|\bcase)\s*)(?<quote>['"`])(?<code>[A-Z][A-Z0-9_]+)\k<quote>(?!\s*[!=]==?)/g

/** Codes that some answer may carry: any answer, or that of a route which says so. */
const answered: readonly string[] = [
  ...COMMON_ERRORS,
  ...Object.values(CONTRACT).flatMap((routes) => Object.values(routes).flatMap(({ errors }) => errors)),
]

/** Finds codes of the published catalogue that nothing raises or no route answers: a client would prepare for what cannot come. */
export async function checkUnraisedErrors(
  root: string,
  catalogue = { codes: Object.keys(ERRORS) as readonly string[], answered },
): Promise<Outcome> {
  const sources = await readSources(root, (path) => RAISES.test(path) && isWrittenCode(path) && !isTestCode(path))
  const lines = sources.flatMap(({ text }) => text.split('\n')).filter((line) => !/^\s*(\/\/|\/?\*)/.test(line))
  const raised = new Set(lines.flatMap((line) => [...line.matchAll(NAMED)].map(({ groups }) => groups?.['code'])))
  const { codes } = catalogue
  const inCatalogue = (message: string) => ({ file: CATALOGUE, message })
  return {
    findings: [
      ...codes
        .filter((code) => !raised.has(code))
        .map((code) => inCatalogue(`Nothing raises ${code}: it enters the catalogue with what raises it`)),
      ...codes
        .filter((code) => !catalogue.answered.includes(code))
        .map((code) => inCatalogue(`No route answers ${code}: declare it at the routes that do`)),
    ],
    note: `${codes.length} codes`,
  }
}

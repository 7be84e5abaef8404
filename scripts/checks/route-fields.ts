import type { Outcome } from './outcome.ts'
import { isTestCode, linesMatching, readSources } from './source-files.ts'

const GONE = ['params', 'query', 'body', 'response', 'errors', 'summary', 'rate', 'status', 'stream', 'fileName']

/** Finds fields of a route that the dashboard's build has taken out of it (docs/decisions/0018). */
export async function checkRouteFields(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => /^apps\/dashboard\/src\/.*\.tsx?$/.test(path) && !isTestCode(path))
  const read = new RegExp(`(?<!typeof )\\b\\w+Routes\\.\\w+\\.(${GONE.join('|')})\\b`)
  return {
    findings: sources.flatMap((source) =>
      linesMatching(source, read).map(({ line }) => ({
        file: source.path,
        line,
        message: 'The program has of a route only what calls it: import the schema from the file that holds it',
      })),
    ),
    note: `${sources.length} files`,
  }
}

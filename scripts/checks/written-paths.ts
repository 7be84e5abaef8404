import type { Outcome } from './outcome.ts'
import { isTestCode, linesMatching, readSources } from './source-files.ts'

const dashboard = 'apps/dashboard/src/'
const table = `${dashboard}lib/paths.ts`

/** Finds addresses of the dashboard written by hand: each is built and compared by `paths`, whose types know its parameters. */
export async function checkWrittenPaths(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => path.startsWith(dashboard) && /\.tsx?$/.test(path))
  const text = sources.find(({ path }) => path === table)?.text ?? ''
  const firstParts = new Set([...text.matchAll(/\bpath\('\/([\w-]+)/g)].map(([, part = '']) => part))
  if (firstParts.size === 0) return { findings: [{ file: table, message: 'names no path' }], note: '' }
  const written = new RegExp(`(?<!\\bid: )(['"\`])/(${[...firstParts].join('|')})(?=[/?'"\`$]|$)`)
  const screens = sources.filter(
    ({ path }) => path !== table && !isTestCode(path) && !path.startsWith(`${dashboard}gallery/`),
  )
  return {
    findings: screens.flatMap((source) =>
      linesMatching(source, written).map(({ line }) => ({
        file: source.path,
        line,
        message: 'An address of the dashboard is written by hand: take it from `paths` (lib/paths.ts)',
      })),
    ),
    note: `${firstParts.size} first parts in ${screens.length} files`,
  }
}

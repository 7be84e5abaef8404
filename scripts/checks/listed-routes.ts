import type { Outcome } from './outcome.ts'
import { isTestCode, linesMatching, readSources, withoutComments } from './source-files.ts'

const folder = 'packages/contract/src/'
const list = `${folder}contract.ts`

/**
 * Finds routes that `contract.ts` does not list. Tests call them by their value, and find no fault; the built dashboard takes from
 * the list what it needs of a route, and the server takes from it what it mounts and prints.
 */
export async function checkListedRoutes(root: string): Promise<Outcome> {
  const isRoutes = (path: string) => path.startsWith(folder) && /[/-]routes\.ts$/.test(path) && !isTestCode(path)
  const sources = await readSources(root, (path) => path === list || isRoutes(path))
  const listed = listedIn(sources.find(({ path }) => path === list)?.text ?? '')
  const exported = sources
    .filter(({ path }) => path !== list)
    .flatMap((source) =>
      linesMatching(source, /^export const \w+Routes\b/).map(({ line, text }) => ({
        file: source.path,
        line,
        name: /\w+Routes\b/.exec(text)?.[0] ?? '',
      })),
    )
  return {
    findings: exported
      .filter(({ name }) => !listed.has(name))
      .map(({ file, line, name }) => ({ file, line, message: `${list} lists every route: add ${name} to CONTRACT` })),
    note: `${exported.length} groups of routes`,
  }
}

/** The values of `CONTRACT`. */
function listedIn(text: string): ReadonlySet<string> {
  const [, body = ''] = /^export const CONTRACT = \{\n([\s\S]*?)^\}/m.exec(withoutComments(text)) ?? []
  return new Set([...body.matchAll(/\b(\w+Routes)\b/g)].map(([, name = '']) => name))
}

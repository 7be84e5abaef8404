import { architectureRules, moduleOrder } from './architecture-rules.ts'
import type { Finding, Outcome } from './outcome.ts'
import { readSources, withoutComments } from './source-files.ts'

const app = 'apps/server/src/app.ts'
const modules = 'apps/server/src/modules/'

/** Finds modules that `app.ts` does not list, or lists in another order than theirs, and those with another name than their folder's. */
export async function checkModuleList(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => path === app || path.startsWith(modules))
  const folders = new Set(
    sources.filter(({ path }) => path !== app).map(({ path }) => path.slice(modules.length).split('/')[0] ?? ''),
  )
  const expected = moduleOrder.filter((name) => folders.has(name))
  const listed = listedIn(sources.find(({ path }) => path === app)?.text ?? '')
  return {
    findings: [
      ...(listed.join() === expected.join() ? [] : [{ file: app, message: differing(listed, expected) }]),
      ...expected.flatMap((name) =>
        misnamed(name, sources.find(({ path }) => path === `${modules}${name}/module.ts`)?.text),
      ),
    ],
    note: `${listed.length} modules`,
  }
}

/** The names in `MODULES`, as folders write them; what a module is made of stands in brackets behind its name. */
function listedIn(text: string): string[] {
  const [, list = ''] = /^const MODULES\b[^=]*= \[\n([\s\S]*?)^\]/m.exec(withoutComments(text)) ?? []
  return list.split('\n').flatMap((line) => {
    const name = /^ {2}(\w+)/.exec(line)?.[1]
    return name === undefined ? [] : [name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]
  })
}

function differing(listed: readonly string[], expected: readonly string[]): string {
  return `MODULES is ${listed.join(', ')}; expected: ${expected.join(', ')}. ${architectureRules.modules}`
}

function misnamed(name: string, text: string | undefined): Finding[] {
  if (text?.includes(`name: '${name}'`)) return []
  return [{ file: `${modules}${name}/module.ts`, message: architectureRules.modules }]
}

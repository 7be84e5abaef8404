import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Rollup } from 'vite'

type Modules = {
  readonly getModuleInfo: (id: string) => Pick<Rollup.ModuleInfo, 'code' | 'importedIds' | 'dynamicImporters'> | null
}

/** What every page needs before it can be used. */
const PROGRAM = ['main.tsx']

/** What stands around the pages of a session. */
const FRAME = ['app/shell/Shell.tsx']

/** Pages that open without a session, and what stands around them. */
const OPEN = [
  ...['app/layouts/PublicLayout.tsx', 'app/layouts/BareLayout.tsx'],
  ...['login', 'landing', 'signup', 'logout', 'forgot-password', 'create-password', 'set-password'].map(route),
  ...['privacy-policy', 'cookie-policy', 'planned'].map(route),
]

/** What a session opens first; all that each needs beyond what came before becomes one file. */
const FILES = [
  { name: 'Shell', starts: FRAME },
  { name: 'first-page', starts: [route('project-dashboard')] },
]

/** What a library's list names beside what every page needs of it, and only some pages use. */
const SOME_PAGES = /\/(?:useBlocker|queriesObserver|useQueries)\.js$/

/** The shapes of all answers, which come beside the first request of every page. */
const ANSWERS = ['api/answers.ts']

/**
 * Says which file a module goes to; no answer leaves it to the bundler, whose files are by the dozen and small: a file is
 * compressed with what it holds, and asked for one by one. The program is one file, with what both the frame and the pages
 * without a session need. What answers are read with is a file that needs no page's, as it comes with each of them; what
 * the frame and the first page need of it themselves are two more. What the first page shares with pages without a session
 * are parts that most pages are made of.
 */
export function fileOf(id: string, modules: Modules): string | undefined {
  if (FRAME.map(idOf).includes(id)) return 'Shell'
  if (isAskedFor(id, modules) || SOME_PAGES.test(id)) return undefined
  const isOpen = isReached(id, OPEN, modules)
  if (isReached(id, PROGRAM, modules) || (isOpen && isReached(id, FRAME, modules))) return 'index'
  const page = FILES.find(({ starts }) => isReached(id, starts, modules))?.name
  if (!isOpen && isReached(id, ANSWERS, modules)) return page === undefined ? 'schemas' : `facts-${page}`
  return page === 'first-page' && isOpen ? 'parts' : page
}

/** What is loaded by its own name stays a file of its own. */
function isAskedFor(id: string, modules: Modules): boolean {
  return (modules.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0
}

function route(name: string): string {
  return `routes/${name}.tsx`
}

const reached = new Map<readonly string[], Set<string>>()

function isReached(id: string, starts: readonly string[], modules: Modules): boolean {
  const known = reached.get(starts) ?? closureOf(starts.map(idOf), modules)
  reached.set(starts, known)
  return known.has(id)
}

function idOf(path: string): string {
  return fileURLToPath(new URL(`src/${path}`, import.meta.url))
}

/** The modules and everything they import before they run. */
function closureOf(starts: readonly string[], modules: Modules): Set<string> {
  const all = new Set(starts)
  for (const id of all) {
    const { code, importedIds = [] } = modules.getModuleInfo(id) ?? {}
    for (const next of importedIds) {
      if (!isIconList(next)) all.add(next)
      else for (const icon of iconsIn(code ?? '', next, modules)) all.add(icon)
    }
  }
  return all
}

/** One file names all icons: what imports it says by name which of them it needs. */
function isIconList(id: string): boolean {
  return id.endsWith('/lucide-react.mjs')
}

function iconsIn(code: string, list: string, modules: Modules): readonly string[] {
  const [, names = ''] = /import\s*\{([^}]*)\}\s*from\s*['"]lucide-react['"]/.exec(code) ?? []
  const files = iconFiles(modules.getModuleInfo(list)?.code ?? '')
  return names.split(',').flatMap((name) => {
    const file = files.get(name.trim().split(' ')[0] ?? '')
    return file === undefined ? [] : [join(dirname(list), file)]
  })
}

/** Icons have several names each: `export { default as A, default as B } from './icons/a.mjs'`. */
function iconFiles(code: string): Map<string, string> {
  const lines = [...code.matchAll(/export\s*\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g)]
  return new Map(
    lines.flatMap(([, names = '', file = '']) =>
      names.split(',').map((name) => [name.trim().split(' ').at(-1) ?? '', file] as const),
    ),
  )
}

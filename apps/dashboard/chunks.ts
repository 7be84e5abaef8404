import { fileURLToPath } from 'node:url'

import type { Rollup } from 'vite'

type Modules = { readonly getModuleInfo: (id: string) => Pick<Rollup.ModuleInfo, 'importedIds'> | null }

/** Pages that open without a session, and what stands around them. */
const OPEN = [
  'main.tsx',
  'app/PublicLayout.tsx',
  'app/BareLayout.tsx',
  ...['landing', 'login', 'signup', 'logout', 'forgot-password', 'create-password', 'set-password'].map(route),
  ...['privacy-policy', 'cookie-policy', 'planned'].map(route),
]

/** What a session opens first; each becomes one file with all that nothing before it needs. */
const FILES = [
  { name: 'Shell', starts: ['app/shell/Shell.tsx'] },
  { name: 'project-dashboard', starts: [route('project-dashboard')] },
]

/**
 * Says which file a module goes to; no answer leaves it to the bundler, whose files are by the dozen and small: a file is
 * compressed with what it holds, and asked for one by one.
 */
export function fileOf(id: string, modules: Modules): string | undefined {
  if (isReached(id, OPEN, modules)) return undefined
  return FILES.find(({ starts }) => isReached(id, starts, modules))?.name
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
  for (const id of all) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) all.add(next)
  return all
}

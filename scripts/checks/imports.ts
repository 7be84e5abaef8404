import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cruise, type ICruiseOptions, type ICruiseResult, type IModule } from 'dependency-cruiser'
import { architectureRules } from './architecture-rules.ts'
import { importRules } from './import-rules.ts'
import type { Finding, Outcome } from './outcome.ts'

const floors = ['packages', 'apps', 'e2e', 'bench', 'scripts']

/** Asks the import checker and compares every import with the package.json of the package it stands in. */
export async function checkImports(root: string): Promise<Outcome> {
  const { forbidden, options } = importRules
  const { enhancedResolveOptions, ...cruiseOptions } = options
  const { output } = await cruise(
    floors.filter((folder) => existsSync(join(root, folder))),
    { ...cruiseOptions, baseDir: root, validate: true, ruleSet: { forbidden } } as ICruiseOptions,
    enhancedResolveOptions,
  )
  if (typeof output === 'string') throw new Error('dependency-cruiser answered with text instead of a result')
  const { modules, summary } = output
  const imports = modules.reduce((sum, module) => sum + module.dependencies.length, 0)
  if (imports === 0)
    return { findings: [{ file: '', message: 'The import checker read no import at all: is its parser swc?' }] }
  return {
    findings: [...violations(summary), ...(await undeclared(root, modules))],
    note: `${modules.filter((module) => !module.source.includes('node_modules')).length} files, largest circle ${largestCircle(modules)}`,
  }
}

function violations(summary: ICruiseResult['summary']): Finding[] {
  return summary.violations.map(({ from, to, rule, comment }) => ({
    file: from,
    message: `imports ${to}  [${rule.name}] ${comment ?? ''}`.trimEnd(),
  }))
}

/** Counts the files of the longest loop of imports, types included; 0 when there is none. */
function largestCircle(modules: readonly IModule[]): number {
  const loops = modules.flatMap((module) => module.dependencies.map((dependency) => dependency.cycle?.length ?? 0))
  return Math.max(0, ...loops)
}

/** Finds imports of a workspace or npm package that the importing package does not declare. */
async function undeclared(root: string, modules: readonly IModule[]): Promise<Finding[]> {
  const manifests = new Map<string, Promise<Manifest>>()
  const findings: Finding[] = []
  for (const module of modules.filter(
    ({ source }) => /^(packages|apps)\//.test(source) && !source.includes('node_modules'),
  )) {
    const home = module.source.split('/').slice(0, 2).join('/')
    const manifest = await getOrSet(manifests, home, () => readManifest(root, home))
    for (const dependency of module.dependencies) {
      const name = packageName(dependency.module)
      if (name === null || dependency.coreModule || dependency.couldNotResolve) continue
      if (name === manifest.name || isDeclared(manifest, name, module.source)) continue
      findings.push({ file: module.source, message: `imports ${name}  [declared] ${architectureRules.declared}` })
    }
  }
  return findings
}

type Manifest = {
  readonly name?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function isDeclared(manifest: Manifest, name: string, file: string): boolean {
  const types = `@types/${name}`
  if (manifest.dependencies?.[name] !== undefined) return true
  const forTests = /\.test\.tsx?$|\/testing\/|\.config\.ts$|\/scripts\//.test(file)
  const dev = manifest.devDependencies ?? {}
  return forTests && (dev[name] !== undefined || dev[types] !== undefined)
}

async function readManifest(root: string, home: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(root, home, 'package.json'), 'utf8')) as Manifest
}

/** Names the package of a bare specifier (`@scope/name/file.ts` → `@scope/name`); null for a relative one. */
function packageName(specifier: string): string | null {
  if (/^[./]/.test(specifier) || specifier.startsWith('node:') || specifier.startsWith('virtual:')) return null
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function getOrSet<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

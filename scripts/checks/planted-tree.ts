import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files of a planted tree: path relative to its root → text. */
export type Planted = Readonly<Record<string, string>>

const root = join(import.meta.dirname, '../..')

const manifests: Planted = {
  'package.json': json({ name: 'kassa', private: true, type: 'module', workspaces: ['packages/*', 'apps/*'] }),
  'packages/primitives/package.json': json(workspace('primitives', [])),
  'packages/contract/package.json': json(workspace('contract', ['@kassa/primitives', 'zod'])),
  'packages/keys/package.json': json(workspace('keys', [])),
  'packages/chains/package.json': json(workspace('chains', ['@kassa/primitives', '@kassa/keys', 'viem'])),
  'apps/server/package.json': json(
    workspace('server', ['@kassa/primitives', '@kassa/contract', '@kassa/chains', '@kassa/checkout', 'kysely']),
  ),
  'apps/dashboard/package.json': json(workspace('dashboard', ['@kassa/contract', 'react'])),
  'apps/checkout/package.json': json(workspace('checkout', ['@kassa/contract'])),
}

/**
 * Writes a small checkout of Kassa's layout to a temporary folder, with the real settings of the checks, and gives its
 * root to `work`; the folder is removed afterwards. Imports of `zod`, `kysely` and `viem` resolve to empty packages.
 */
export async function inPlantedTree<T>(files: Planted, work: (root: string) => Promise<T>): Promise<T> {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'kassa-planted-')))
  try {
    for (const [path, text] of Object.entries({ ...manifests, ...files })) write(tree, path, text)
    for (const name of ['zod', 'kysely', 'viem', 'undeclared']) {
      write(
        tree,
        `node_modules/${name}/package.json`,
        json({ name, version: '1.0.0', type: 'module', main: 'index.js' }),
      )
      write(tree, `node_modules/${name}/index.js`, 'export const z = 1\n')
    }
    mkdirSync(join(tree, 'node_modules/@kassa'), { recursive: true })
    for (const home of Object.keys(manifests).filter((path) => path.includes('/'))) {
      const folder = dirname(home)
      symlinkSync(`../../${folder}`, join(tree, `node_modules/@kassa/${folder.split('/')[1] ?? ''}`))
    }
    symlinkSync(join(root, 'node_modules/@types'), join(tree, 'node_modules/@types'))
    for (const name of ['.oxlintrc.json', 'tsconfig.base.json', 'tsconfig.json', '.gitignore']) {
      cpSync(join(root, name), join(tree, name))
    }
    execFileSync('git', ['init', '-q'], { cwd: tree })
    return await work(tree)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

function write(tree: string, path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

function workspace(name: string, dependencies: readonly string[]): object {
  return {
    name: `@kassa/${name}`,
    version: '0.0.0',
    type: 'module',
    exports: { './*': './src/*' },
    dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '*'])),
  }
}

function json(value: object): string {
  return JSON.stringify(value)
}

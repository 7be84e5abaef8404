import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runnerImport } from 'vite'
import { textsPlugin } from '../../apps/dashboard/texts-plugin.ts'

/** A page of the dashboard as its table names it, with the file its program begins in. */
export type WeighedPage = {
  readonly name: string
  readonly layout: 'public' | 'shell'
  readonly chunk: string
  /** In kB. */
  readonly budget: number
}

/** What is loaded when it is first asked for, and by which chunks it is asked for. */
export type LazyPart = {
  readonly name: string
  readonly chunk: string
  readonly over: readonly string[]
  readonly budget: number
  readonly isPlanned?: true
}

const signedIn = ['index', 'Shell', 'page-project-dashboard', 'answers'] as const
/** The dialog that adds a wallet stands open before it asks for keys. */
const addingWallet = [...signedIn, 'page-deposit-wallet', 'AddWalletDialog'] as const

/** The parts that pages load later, each with what it may weigh beside them (gzip). */
export const lazyParts: readonly LazyPart[] = [
  { name: 'answers', chunk: 'answers', over: ['index', 'PublicLayout', 'page-login'], budget: 48_000 },
  { name: 'palette', chunk: 'Palette', over: signedIn, budget: 12_000 },
  { name: 'QR', chunk: 'qr', over: signedIn, budget: 7_000 },
  { name: 'keys', chunk: 'derive-account', over: addingWallet, budget: 28_000 },
  { name: 'recovery phrase', chunk: 'new-seed-phrase', over: [...addingWallet, 'derive-account'], budget: 10_000 },
  { name: 'charts', chunk: 'GraphCard', over: signedIn, budget: 25_000 },
  { name: 'browser wallet', chunk: 'browser-wallet', over: signedIn, budget: 250_000, isPlanned: true },
]

/** Reads the table of pages as the program has it. @throws Error when a page loads no file of `routes` */
export async function readPages(root: string): Promise<WeighedPage[]> {
  type Row = Pick<WeighedPage, 'layout' | 'budget'> & {
    readonly path: { readonly pattern: string }
    readonly load: unknown
  }
  const folder = join(root, 'apps/dashboard')
  const { module } = await runnerImport<{ PAGES: readonly Row[] }>(join(folder, 'src/app/pages.ts'), {
    root: folder,
    configFile: false,
    logLevel: 'error',
    plugins: [textsPlugin()],
  })
  return module.PAGES.map(({ path: { pattern: name }, layout, budget, load }) => {
    // The import that `load` makes: the build names the page's program after its file.
    const [, route] = /routes\/([\w-]+)\.tsx/.exec(String(load)) ?? []
    if (route === undefined) throw new Error(`The page ${name} loads no file of routes`)
    return { name, layout, chunk: `page-${route}`, budget }
  })
}

/** The files of a build that named chunks need before they run, each with its weight, and the names of all. */
export type Scripts = { readonly bytes: ReadonlyMap<string, number>; readonly all: readonly string[] }

/** Finds what the named chunks import before they run; chunks they load later are left out. */
export async function scriptsOf(root: string, names: readonly string[]): Promise<Scripts> {
  const folder = join(root, 'apps/dashboard/build/assets')
  const all = existsSync(folder) ? (await readdir(folder)).filter((file) => file.endsWith('.js')) : []
  const wanted = names.map((name) => all.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file)))
  const missing = names.filter((_, index) => wanted[index] === undefined)
  if (missing.length > 0) throw new Error(`The dashboard's build has no chunk named ${missing.join(' or ')}`)
  const bytes = new Map<string, number>()
  const visit = async (file: string): Promise<void> => {
    if (bytes.has(file)) return
    bytes.set(file, 0)
    const text = await readFile(join(folder, file), 'utf8')
    bytes.set(file, gzipSync(text).length)
    for (const [, target = ''] of text.matchAll(/(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g))
      await visit(basename(target))
  }
  for (const file of wanted) if (file !== undefined) await visit(file)
  return { bytes, all }
}

/** Weighs the named chunks with everything they import before they run, less what is there before them. */
export async function weigh(root: string, names: readonly string[], before?: Scripts): Promise<number> {
  const { bytes } = await scriptsOf(root, names)
  return [...bytes].reduce((total, [file, size]) => (before?.bytes.has(file) === true ? total : total + size), 0)
}

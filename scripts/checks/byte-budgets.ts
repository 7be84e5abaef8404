import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { renderCheckout } from '../../apps/checkout/src/render/page.ts'
import { renderReceipt } from '../../apps/checkout/src/render/receipt.ts'
import { SAMPLES } from '../../apps/checkout/src/testing/samples.ts'
import { runTool } from './command.ts'
import type { Finding, Outcome } from './outcome.ts'

/** What a browser may be sent, gzip-compressed. */
export const budgets = {
  /** Scripts of the sign-in page. */
  signIn: 150_000,
  /** Scripts of the project dashboard, which every operator opens first; charts are part of it. */
  projectDashboard: 200_000,
  /** Styles, of which the sign-in page gets those of every page. */
  styles: 20_000,
  /** Everything of a checkout page. */
  checkout: 30_000,
} as const

/** From this share of a budget on the check warns. */
const WARNING_SHARE = 0.95

type Part = keyof typeof budgets
type Weights = Readonly<Record<Part, number>>

const names: Readonly<Record<Part, string>> = {
  signIn: 'sign-in (scripts)',
  projectDashboard: 'project dashboard (scripts)',
  styles: 'styles',
  checkout: 'checkout (all)',
}

/** What a page loads before it can be used: the program, its frame and itself. */
const signInChunks = ['index', 'PublicLayout', 'login']
const projectDashboardChunks = ['index', 'Shell', 'project-dashboard']

/** The largest logo a checkout page shows; it counts although a sample has none (apps/checkout/src/render/layout/document.ts). */
const LARGEST_LOGO = 8 * 1024

/** Builds what is stale and weighs what the first pages send. */
export async function checkByteBudgets(root: string): Promise<Outcome> {
  const built = await runTool(root, 'node', ['scripts/build.mjs'])
  if (built.code !== 0) return { findings: [{ file: '', message: built.output }] }
  return judge({
    signIn: await weighSignIn(root),
    projectDashboard: await weighProjectDashboard(root),
    styles: await weighStyles(root),
    checkout: await weighCheckout(root),
  })
}

/** Compares weights with their budgets. */
export function judge(weights: Weights): Outcome {
  const parts = Object.keys(names) as Part[]
  return {
    findings: parts.flatMap((part) => over(names[part], weights[part], budgets[part])),
    note: parts
      .map((part) => `${names[part]} ${kilobytes(weights[part])}${nearly(weights[part], budgets[part])}`)
      .join(', '),
  }
}

/** Weighs all scripts that the built sign-in page needs before it can be used. */
export function weighSignIn(root: string): Promise<number> {
  return weighScripts(join(root, 'apps/dashboard/build'), signInChunks)
}

/** Weighs all scripts that the built project dashboard needs before it can be used. */
export function weighProjectDashboard(root: string): Promise<number> {
  return weighScripts(join(root, 'apps/dashboard/build'), projectDashboardChunks)
}

/** Weighs the style sheets that the built pages name; each is loaded before anything is drawn. */
export async function weighStyles(root: string): Promise<number> {
  const build = join(root, 'apps/dashboard/build')
  const html = await readFile(join(build, 'index.html'), 'utf8')
  const links = [...html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)]
  const files = links.map(([link]) => /\bhref="([^"]+)"/.exec(link)?.[1] ?? '')
  if (files.length === 0) throw new Error("The dashboard's build names no style sheet")
  return sum(await Promise.all(files.map(async (file) => gzipSync(await readFile(join(build, file))).length)))
}

/** Weighs the heaviest checkout page with its script and the largest logo. */
export async function weighCheckout(root: string): Promise<number> {
  const script = await readFile(join(root, 'apps/checkout/build/checkout.js'))
  const pages = Object.values(SAMPLES).flatMap((view) => [renderCheckout(view), renderReceipt(view)])
  return Math.max(...pages.map(({ html }) => gzipSync(html).length)) + gzipSync(script).length + LARGEST_LOGO
}

/** Weighs the named chunks with everything they import before they run; chunks they load later are left out. */
export async function weighScripts(build: string, names: readonly string[]): Promise<number> {
  const folder = join(build, 'assets')
  const files = existsSync(folder) ? (await readdir(folder)).filter((file) => file.endsWith('.js')) : []
  const wanted = names.map((name) => files.find((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file)))
  const missing = names.filter((_, index) => wanted[index] === undefined)
  if (missing.length > 0) throw new Error(`The dashboard's build has no chunk named ${missing.join(' or ')}`)
  const seen = new Map<string, number>()
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.set(file, 0)
    const text = await readFile(join(folder, file), 'utf8')
    seen.set(file, gzipSync(text).length)
    for (const [, target = ''] of text.matchAll(/(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g))
      await visit(basename(target))
  }
  for (const file of wanted) if (file !== undefined) await visit(file)
  return sum([...seen.values()])
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, bytes) => total + bytes, 0)
}

function over(what: string, bytes: number, budget: number): Finding[] {
  if (bytes <= budget) return []
  return [{ file: '', message: `${what} weighs ${kilobytes(bytes)}, its budget is ${kilobytes(budget)} (gzip)` }]
}

/** Says in time that a budget is nearly used up, before the change that goes over it has to pay for all the others. */
function nearly(bytes: number, budget: number): string {
  if (bytes <= budget * WARNING_SHARE) return ''
  return ` (warning: ${Math.floor((bytes / budget) * 100)} % of ${kilobytes(budget)})`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

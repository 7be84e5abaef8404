import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { renderCheckout } from '../../apps/checkout/src/render/page.ts'
import { renderPromoter } from '../../apps/checkout/src/render/promoter/page.ts'
import { renderReceipt } from '../../apps/checkout/src/render/receipt.ts'
import { PROMOTER } from '../../apps/checkout/src/testing/promoter.ts'
import { SAMPLES } from '../../apps/checkout/src/testing/samples.ts'
import { runTool } from './command.ts'
import { type LazyPart, lazyParts, readPages, scriptsOf, weigh, type WeighedPage } from './dashboard-scripts.ts'
import type { Finding, Outcome } from './outcome.ts'

/** What a browser may be sent, gzip-compressed, beside the budgets of single pages (`app/pages.ts` of the dashboard). */
export const budgets = {
  /** Scripts of the sign-in page. */
  signIn: 150_000,
  /** Scripts of the frame around every page of an operator. */
  frame: 150_000,
  /** Scripts of the project dashboard, which every operator opens first; its charts come later. */
  projectDashboard: 190_000,
  /** Styles, of which the sign-in page gets those of every page. */
  styles: 20_000,
  /** Everything of a checkout page. */
  checkout: 30_000,
  /** Everything of the page of a promoter. */
  promoter: 25_000,
} as const

/** The largest budget of a page's own scripts. */
const MOST_OF_A_PAGE = 40_000

/** From this share of a budget on the check warns. */
const WARNING_SHARE = 0.95

/** Something a browser is sent, what it weighs and what it may. */
export type Weight = {
  readonly name: string
  readonly bytes: number
  readonly budget: number
  /** Said also while it is light. */
  readonly isMain?: true
}

/** What a page loads before it can be used: the program, its frame and itself. */
const frameChunks = ['index', 'Shell'] as const
const signInChunks = ['index', 'PublicLayout', 'page-login'] as const
const projectDashboardChunks = [...frameChunks, 'page-project-dashboard'] as const

/** What reads the answers of the server: it comes beside the first request of every page. */
const answersChunk = 'answers'

/** The largest logo a checkout page shows; it counts although a sample has none (apps/checkout/src/render/layout/document.ts). */
const LARGEST_LOGO = 8 * 1024

/** Builds what is stale and weighs what each page sends, and what comes to it later. */
export async function checkByteBudgets(root: string): Promise<Outcome> {
  const built = await runTool(root, 'node', ['scripts/build.mjs'])
  if (built.code !== 0) return { findings: [{ file: '', message: built.output }] }
  const main = async (name: string, bytes: Promise<number>, budget: number): Promise<Weight> => ({
    name,
    bytes: await bytes,
    budget,
    isMain: true,
  })
  return judge([
    await main('sign-in (scripts)', weighSignIn(root), budgets.signIn),
    await main('frame (scripts)', weighFrame(root), budgets.frame),
    await main('project dashboard (scripts)', weighProjectDashboard(root), budgets.projectDashboard),
    await main('styles', weighStyles(root), budgets.styles),
    await main('checkout (all)', weighCheckout(root), budgets.checkout),
    await main('promoter (all)', weighPromoter(root), budgets.promoter),
    ...(await weighPages(root, await readPages(root))),
    ...(await weighLazyParts(root, lazyParts)),
  ])
}

/** Compares weights with their budgets. */
export function judge(weights: readonly Weight[]): Outcome {
  const near = weights.filter((weight) => isNear(weight))
  const main = weights.filter(({ isMain }) => isMain === true).map(({ name, bytes }) => `${name} ${kilobytes(bytes)}`)
  const others = weights.length - main.length
  const warnings = near.map(({ name, bytes, budget }) => `${name} ${percent(bytes, budget)} of ${kilobytes(budget)}`)
  return {
    findings: weights.flatMap(over),
    note: [
      main.join(', '),
      ...(others === 0 ? [] : [`${others} pages and parts`]),
      ...(warnings.length === 0 ? [] : [`warning: ${warnings.join(', ')}`]),
    ].join('; '),
  }
}

/** Weighs all scripts that the built sign-in page needs before it can be used. */
export function weighSignIn(root: string): Promise<number> {
  return weigh(root, signInChunks)
}

/** Weighs all scripts of the built frame. */
function weighFrame(root: string): Promise<number> {
  return weigh(root, frameChunks)
}

/** Weighs all scripts that the built project dashboard needs before it can be used. */
export function weighProjectDashboard(root: string): Promise<number> {
  return weigh(root, projectDashboardChunks)
}

/**
 * Weighs each page's own scripts: those that are not loaded yet. The frame around it is loaded, and the code that reads answers;
 * whoever is signed in has seen the project dashboard.
 */
export async function weighPages(root: string, pages: readonly WeighedPage[]): Promise<Weight[]> {
  return Promise.all(
    pages.map(async ({ name, layout, chunk, budget }) => {
      const around = layout === 'shell' ? projectDashboardChunks : (['index', layoutChunk[layout]] as const)
      const before = await scriptsOf(root, [...around.filter((one) => one !== chunk), answersChunk])
      const bytes = await weigh(root, [chunk], before)
      return { name: `page ${name}`, bytes, budget: Math.min(budget * 1000, MOST_OF_A_PAGE) }
    }),
  )
}

const layoutChunk = { public: 'PublicLayout' } as const

/** Weighs what is loaded when it is first asked for: what of it the page that asks does not have. */
export async function weighLazyParts(root: string, parts: readonly LazyPart[]): Promise<Weight[]> {
  const weights = parts.map(async ({ name, chunk, over: page, budget, isPlanned }): Promise<Weight[]> => {
    const isBuilt = (await scriptsOf(root, [])).all.some((file) => file.startsWith(`${chunk}-`))
    if (isPlanned === true && isBuilt)
      throw new Error(`The lazy part ${name} is built: its budget is not planned any more`)
    if (isPlanned === true) return []
    const before = await scriptsOf(root, page)
    return [{ name: `lazy ${name}`, bytes: await weigh(root, [chunk], before), budget }]
  })
  return (await Promise.all(weights)).flat()
}

/** Weighs the style sheets that the built pages name; each is loaded before anything is drawn. */
export async function weighStyles(root: string): Promise<number> {
  const build = join(root, 'apps/dashboard/build')
  const html = await readFile(join(build, 'index.html'), 'utf8')
  const links = [...html.matchAll(/<link\b[^>]*\brel="stylesheet"[^>]*>/g)]
  const files = links.map(([link]) => /\bhref="([^"]+)"/.exec(link)?.[1] ?? '')
  if (files.length === 0) throw new Error("The dashboard's build names no style sheet")
  const sizes = await Promise.all(files.map(async (file) => gzipSync(await readFile(join(build, file))).length))
  return sizes.reduce((total, bytes) => total + bytes, 0)
}

/** Weighs the heaviest checkout page with its script and the largest logo. */
export async function weighCheckout(root: string): Promise<number> {
  const script = await readFile(join(root, 'apps/checkout/build/checkout.js'))
  const pages = Object.values(SAMPLES).flatMap((view) => [renderCheckout(view), renderReceipt(view)])
  return Math.max(...pages.map(({ html }) => gzipSync(html).length)) + gzipSync(script).length + LARGEST_LOGO
}

/** Weighs the page of a promoter with the script that stands in it and the largest logo. */
export async function weighPromoter(root: string): Promise<number> {
  const build = join(root, 'apps/checkout/build')
  const { promoter } = JSON.parse(await readFile(join(build, 'manifest.json'), 'utf8')) as { readonly promoter: string }
  const script = await readFile(join(build, promoter), 'utf8')
  return gzipSync(renderPromoter({ ...PROMOTER, script }).html).length + LARGEST_LOGO
}

function over({ name, bytes, budget }: Weight): Finding[] {
  if (bytes <= budget) return []
  return [{ file: '', message: `${name} weighs ${kilobytes(bytes)}, its budget is ${kilobytes(budget)} (gzip)` }]
}

/** Whether a budget is nearly used up: said before the change that goes over it has to pay for all the others. */
function isNear({ bytes, budget }: Weight): boolean {
  return bytes > budget * WARNING_SHARE
}

function percent(bytes: number, budget: number): string {
  return `${Math.floor((bytes / budget) * 100)} %`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

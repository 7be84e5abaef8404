import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { budgets, judge, weighLazyParts, weighPages, weighStyles } from './byte-budgets.ts'
import { lazyParts, readPages, weigh } from './dashboard-scripts.ts'
import { inPlantedTree } from './planted-tree.ts'

const chunk = (name: string) => `apps/dashboard/build/assets/${name}-AbCd1234.js`
const code = {
  index: `import{a}from"./react-AbCd1234.js";import("./Palette-AbCd1234.js")`,
  react: 'export const a = 1',
  Shell: `import"./index-AbCd1234.js"`,
  PublicLayout: `import"./index-AbCd1234.js"`,
  answers: `import"./index-AbCd1234.js";export const shapes = 1`,
  'page-login': `import"./index-AbCd1234.js";export{b}from'./form-AbCd1234.js'`,
  'page-project-dashboard': `import"./Shell-AbCd1234.js";import"./table-AbCd1234.js"`,
  'page-payments': `import"./table-AbCd1234.js";import"./form-AbCd1234.js"`,
  table: 'export const t = 1',
  form: 'export const b = 1',
  Palette: `import"./index-AbCd1234.js";import"./form-AbCd1234.js"`,
}
type Name = keyof typeof code
const files = Object.fromEntries(Object.entries(code).map(([name, text]) => [chunk(name), text]))
const sizeOf = (...names: Name[]) => names.reduce((sum, name) => sum + gzipSync(code[name]).length, 0)

const light = { signIn: 1, frame: 1, styles: 1, checkout: 1, projectDashboard: 1 }
const weights = (bytes: Partial<Record<keyof typeof budgets, number>>) =>
  Object.entries({ ...light, ...bytes }).map(([name, weight]) => ({
    name,
    bytes: weight,
    budget: budgets[name as keyof typeof budgets],
    isMain: true as const,
  }))

describe('byte budgets', () => {
  it('weighs each chunk that runs first once, and no chunk that is loaded later', async () => {
    const weight = await inPlantedTree(files, (root) => weigh(root, ['index', 'page-login']))
    expect(weight).toBe(sizeOf('index', 'page-login', 'react', 'form'))
  })

  it('says when the page it should weigh was not built', async () => {
    const weight = inPlantedTree(files, (root) => weigh(root, ['index', 'page-signin']))
    await expect(weight).rejects.toThrow('no chunk named page-signin')
  })

  it('weighs of a page what is not there before it, and names one that is over its budget', async () => {
    const page = (name: string, layout: 'public' | 'shell', kB: number) => ({
      name: `/${name}`,
      layout,
      chunk: `page-${name}`,
      budget: kB,
    })
    const pages = [page('login', 'public', 8), page('payments', 'shell', 0.05), page('project-dashboard', 'shell', 99)]
    const found = await inPlantedTree(files, (root) => weighPages(root, pages))
    expect(found.map(({ bytes }) => bytes)).toEqual([
      sizeOf('page-login', 'form'),
      sizeOf('page-payments', 'form'),
      sizeOf('page-project-dashboard', 'table'),
    ])
    expect(found.map(({ budget }) => budget)).toEqual([8_000, 50, 40_000])
    expect(judge(found).findings.map(({ message }) => message)).toEqual([
      `page /payments weighs 0.1 kB, its budget is 0.1 kB (gzip)`,
    ])
  })

  it('reads the budgets of the table of pages, and refuses a page that loads no route', async () => {
    const planted = (load: string) => ({
      'apps/dashboard/src/app/pages.ts': `export const PAGES = [{ path: { pattern: '/a' }, layout: 'shell', budget: 7, load: ${load} }]`,
    })
    const read = await inPlantedTree(planted("() => import('../routes/some-page.tsx')"), readPages)
    expect(read).toEqual([{ name: '/a', layout: 'shell', chunk: 'page-some-page', budget: 7 }])
    await expect(inPlantedTree(planted('() => null'), readPages)).rejects.toThrow('/a loads no file of routes')
  })

  it('weighs a lazy part beside the pages that ask for it, and wants one that is built to be weighed', async () => {
    const palette = { name: 'palette', chunk: 'Palette', over: ['index', 'Shell'], budget: 9 }
    const [found] = await inPlantedTree(files, (root) => weighLazyParts(root, [palette]))
    expect(found).toEqual({ name: 'lazy palette', bytes: sizeOf('Palette', 'form'), budget: 9 })
    const planned = { ...palette, isPlanned: true as const }
    await expect(inPlantedTree(files, (root) => weighLazyParts(root, [planned]))).rejects.toThrow('palette is built')
    const unbuilt = { ...planned, chunk: 'charts' }
    expect(await inPlantedTree(files, (root) => weighLazyParts(root, [unbuilt]))).toEqual([])
  })

  it('promises the budgets of the design', () => {
    expect(budgets).toEqual({
      signIn: 150_000,
      frame: 150_000,
      projectDashboard: 190_000,
      styles: 20_000,
      checkout: 30_000,
      promoter: 25_000,
    })
    expect(Object.fromEntries(lazyParts.map(({ name, budget }) => [name, budget / 1000]))).toEqual({
      answers: 48,
      palette: 12,
      QR: 7,
      keys: 28,
      'recovery phrase': 10,
      charts: 25,
      'browser wallet': 250,
    })
  })

  it('weighs the style sheets that the page names', async () => {
    const page = '<link rel="preload" href="/a.woff2"><link rel="stylesheet" crossorigin href="/assets/index.css">'
    const build = 'apps/dashboard/build'
    const sheets = {
      [`${build}/assets/index.css`]: 'b { color: red }',
      [`${build}/assets/other.css`]: 'i { color: red }',
    }
    const named = { ...sheets, [`${build}/index.html`]: page }
    expect(await inPlantedTree(named, weighStyles)).toBe(gzipSync('b { color: red }').length)
    const unnamed = { ...sheets, [`${build}/index.html`]: '<link rel="preload" href="/a.woff2">' }
    await expect(inPlantedTree(unnamed, weighStyles)).rejects.toThrow('names no style sheet')
  })

  it('names each page that weighs more than it may, and allows what is promised', () => {
    expect(judge(weights(budgets)).findings).toEqual([])
    const tooLarge = judge(weights({ projectDashboard: 190_100, styles: 20_100 }))
    expect(tooLarge.findings.map(({ message }) => message)).toEqual([
      'styles weighs 20.1 kB, its budget is 20.0 kB (gzip)',
      'projectDashboard weighs 190.1 kB, its budget is 190.0 kB (gzip)',
    ])
  })

  it('warns of what has used up 95 % of what it may weigh', () => {
    const main = weights({ signIn: 142_500, checkout: 28_600 }).filter(({ bytes }) => bytes > 1)
    expect(judge([...main, { name: 'page /a', bytes: 39_000, budget: 40_000 }])).toEqual({
      findings: [],
      note: 'signIn 142.5 kB, checkout 28.6 kB; 1 pages and parts; warning: checkout 95 % of 30.0 kB, page /a 97 % of 40.0 kB',
    })
  })
})

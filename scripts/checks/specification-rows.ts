import { ROWS, type Row } from '../../e2e/spec/rows.ts'
import type { Finding, Outcome } from './outcome.ts'
import { readSources, type SourceFile } from './source-files.ts'

const SPECIFICATION = 'docs/spec/product.md'
const SCREENS = 'docs/design/screens.md'
const BROWSER_TESTS = /^e2e\/spec\/[^/]+\.test\.ts$/
const WHERE_ROWS_STAND = 'e2e/spec/rows.ts'

/** Sections of which every line needs a row: what a browser can see. */
const WHOLE_SECTIONS = ['§2', '§4', '§5', '§8', '§9'] as const

/** What a row of the specification is proven by; `place` is absent when nothing proves it. */
export type Proven = {
  readonly section: string
  readonly row: string
  readonly place?: Title
}

/** Finds the test of every row, in the order of the rows. */
export async function provenRows(root: string, rows = ROWS): Promise<readonly Proven[]> {
  const tests = await readSources(root, (path) => /\.test\.tsx?$/.test(path))
  return Object.entries(rows).flatMap(([section, all]) => all.map((row) => prove(tests, section, row)))
}

/** Finds rows without a test, rows and tests whose words the specification does not have, and its lines without a row. */
export async function checkSpecificationRows(root: string, rows = ROWS): Promise<Outcome> {
  const [proven, documents, browserTests] = await Promise.all([
    provenRows(root, rows),
    readSources(root, (path) => path === SPECIFICATION || path === SCREENS),
    readSources(root, (path) => BROWSER_TESTS.test(path)),
  ])
  const lines = documents.flatMap(specifiedLines)
  return {
    findings: [
      ...proven.filter(lacksTest).map(({ section, row }) => inRows(`No test proves "${section} ${row}"`)),
      ...proven
        .filter(({ section, row }) => !lines.some((line) => line.section === section && has(line.text, row)))
        .map(({ section, row }) => inRows(`The specification does not say "${row}" in ${section}`)),
      ...lines.filter((line) => needsRow(line) && !proven.some((one) => isOf(one, line))).map(rowless),
      ...browserTests.flatMap((file) => strays(file, proven)),
    ],
    note: `${proven.length} rows`,
  }
}

/** Whether nothing proves the row. */
export function lacksTest({ place }: Proven): boolean {
  return place === undefined
}

function prove(tests: readonly SourceFile[], section: string, row: Row): Proven {
  if (typeof row === 'string') {
    const files = tests.filter(({ path }) => BROWSER_TESTS.test(path))
    const [place] = files.flatMap((file) => titlesOf(file, `spec ${section} ${row}: `))
    return { section, row, ...(place !== undefined && { place }) }
  }
  const files = tests.filter(({ path }) => path === row.file)
  const place = files.flatMap((file) => titlesOf(file, row.title)).find(({ title }) => title === row.title)
  return { section, row: row.row, ...(place !== undefined && { place }) }
}

type Title = { readonly file: string; readonly line: number; readonly title: string }

/** The titles of a file that begin with the words: of groups, tests and tests with a table. */
function titlesOf({ path, text }: SourceFile, begins: string): Title[] {
  // Not in a line that is a comment: addresses in strings hold what would begin one, so comments cannot be blanked here.
  const title = new RegExp(`^(?!\\s*(?://|\\*)).*\\(\\s*(['"\`])(${escaped(begins)}.*?)\\1,`, 'gm')
  return [...text.matchAll(title)].map((match) => ({
    file: path,
    line: text.slice(0, match.index + match[0].length).split('\n').length,
    title: match[2] ?? '',
  }))
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

type SpecifiedLine = { readonly file: string; readonly line: number; readonly section: string; readonly text: string }

/** Every line of a document that says something, with the number of its section: `§2` in product.md, `2.9` in screens.md. */
function specifiedLines({ path, text }: SourceFile): SpecifiedLine[] {
  const heading = path === SPECIFICATION ? /^## (\d+)\./ : /^### (\d+\.\d+) /
  let section = ''
  return text.split('\n').flatMap((line, index, all) => {
    const number = heading.exec(line)?.[1]
    if (number !== undefined) section = path === SPECIFICATION ? `§${number}` : number
    const isHead = /^\|[-| ]+\|$/.test(line) || /^\|[-| ]+\|$/.test(all[index + 1] ?? '')
    if (line.trim() === '' || line.startsWith('#') || isHead) return []
    return [{ file: path, line: index + 1, section, text: line }]
  })
}

function needsRow({ section, text }: SpecifiedLine): boolean {
  return (WHOLE_SECTIONS as readonly string[]).includes(section) && !/\| not stated \|/.test(text)
}

function isOf({ section, row }: Proven, line: SpecifiedLine): boolean {
  return section === line.section && has(line.text, row)
}

/** Whether a line holds the words, whatever its emphasis and quotation marks look like. */
function has(line: string, words: string): boolean {
  return plain(line).includes(plain(words))
}

function plain(text: string): string {
  return text
    .replaceAll(/\*\*|`/g, '')
    .replaceAll('’', "'")
    .replaceAll(' | ', ' ')
}

function rowless({ file, line, section }: SpecifiedLine): Finding {
  return { file, line, message: `has no row of ${section} in ${WHERE_ROWS_STAND}` }
}

/** Tests that say they prove a row there is not. */
function strays(file: SourceFile, proven: readonly Proven[]): Finding[] {
  return titlesOf(file, 'spec ')
    .filter(({ title }) => !proven.some(({ section, row }) => title.startsWith(`spec ${section} ${row}: `)))
    .map(({ file: path, line, title }) => ({
      file: path,
      line,
      message: `"${title}" names no row of ${WHERE_ROWS_STAND}`,
    }))
}

function inRows(message: string): Finding {
  return { file: WHERE_ROWS_STAND, message }
}

/** A row of a file: its values by the name of their column, and the line it begins on. */
export type FileRow = { readonly line: number; readonly values: Readonly<Record<string, unknown>> }

/**
 * Returns the rows of a file piece by piece, whatever its length, in the form that its first character shows: JSON lines, or CSV
 * with a head.
 */
export async function* readRows(pieces: AsyncIterable<string>): AsyncGenerator<FileRow, void> {
  let isJson: boolean | undefined
  let names: readonly string[] | undefined
  for await (const { line, cells, text } of linesOf(pieces)) {
    isJson ??= text.startsWith('{')
    if (isJson) {
      if (text.trim() !== '') yield { line, values: readJson(text) }
    } else if (names) {
      if (text !== '') yield { line, values: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) }
    } else names = cells
  }
}

function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}

type Line = { readonly line: number; readonly text: string; readonly cells: readonly string[] }

/**
 * Reads the lines as they were written; a line break within quotes belongs to its cell (RFC 4180). JSON lines never contain
 * one.
 */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line, void> {
  let [rest, line] = ['', 1]
  for await (const piece of pieces) {
    rest += piece
    let from = 0
    for (;;) {
      const end = endOfLine(rest, from)
      if (end === -1) break
      const text = rest.slice(from, end)
      yield toLine(text, line)
      line += text.split('\n').length
      from = end + 1
    }
    rest = rest.slice(from)
  }
  if (rest !== '') yield toLine(rest, line)
}

function toLine(written: string, line: number): Line {
  const text = written.endsWith('\r') ? written.slice(0, -1) : written
  return { line, text, cells: text.startsWith('{') ? [] : cellsOf(text) }
}

/** The line break after which another row begins; -1 when the rest of the row has not come yet. */
function endOfLine(text: string, from: number): number {
  const isJson = text[from] === '{'
  let at = from
  for (;;) {
    const end = text.indexOf('\n', at)
    if (end === -1 || isJson) return end
    const quotes = text.slice(from, end).split('"').length - 1
    if (quotes % 2 === 0) return end
    at = end + 1
  }
}

function cellsOf(text: string): string[] {
  const cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/gy
  for (;;) {
    const match = cell.exec(text)
    if (!match) return cells
    cells.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'))
    if (match[3] === '') return cells
  }
}

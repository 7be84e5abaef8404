/** Whether a spreadsheet would take the text for a formula (api.md 1.8); some take the full-width signs as well. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/

/** Where a spreadsheet whose separator is another than the comma begins a cell within ours, with a formula. */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/** A number is no formula, also when it is negative. */
const NUMBER = /^-?\d+(\.\d+)?$/

/** Returns one line of CSV (RFC 4180) in which no cell can become a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(text: string): string {
  const content = text.replace(INNER_FORMULA, "'")
  const safe = FORMULA.test(content) && !NUMBER.test(content) ? `'${content}` : content
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** What `csvCell` puts before a formula, at the beginning of a cell and within it. */
const MARK = /^'(?=[=+\-@\t\r＝＋－＠])|(?<=[;\t\r\n])'(?=[=+\-@＝＋－＠])/g

/** Returns what a cell said before `csvCell` wrote it: "'+49 151" is a customer's number again. */
function cellText(cell: string): string {
  return cell.replace(MARK, '')
}

/** A row of a CSV file with the line of the file it begins on; the first line is 1. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

/**
 * Reads CSV (RFC 4180) row by row; empty rows are left out. The separator is the comma, the semicolon or the tab that the
 * first line has most of: spreadsheets write all three. A file of ours reads as what it was written from.
 */
export function* readCsv(file: string): Generator<CsvRow, void> {
  const text = file.startsWith('\uFEFF') ? file.slice(1) : file
  const separator = separatorOf(text)
  let [cells, cell, line, startedAt, isQuoted]: [string[], string, number, number, boolean] = [[], '', 1, 1, false]
  const rowEnded = function* (): Generator<CsvRow, void> {
    const row = [...cells, cell].map(cellText)
    if (row.some((one) => one.trim() !== '')) yield { line: startedAt, cells: row }
    cells = []
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char === '\n') line += 1
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (text[at + 1] === '"') cell += text[(at += 1)] ?? ''
      else isQuoted = false
    } else if (char === '"' && cell === '') isQuoted = true
    else if (char === separator) {
      cells.push(cell)
      cell = ''
    } else if (char === '\n') {
      yield* rowEnded()
      startedAt = line
    } else if (char !== '\r') cell += char
  }
  yield* rowEnded()
}

function separatorOf(text: string): string {
  const head = text.slice(0, text.search(/[\r\n]|$/))
  const often = (char: string) => head.split(char).length
  return [',', ';', '\t'].toSorted((a, b) => often(b) - often(a))[0] ?? ','
}

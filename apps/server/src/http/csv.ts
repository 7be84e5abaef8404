/** Whether a spreadsheet would take the text for a formula (api.md 1.8); some take the full-width signs as well. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/

/** Where a spreadsheet with another separator than the comma would begin a cell within ours, with a formula. */
const INNER_FORMULA = /(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])/g

/** A number is not a formula, even when it is negative. */
const NUMBER = /^-?\d+(\.\d+)?$/

const QUOTED = /[",\r\n]/

/** Writes one line of CSV (RFC 4180): nothing is empty text, objects are JSON, and no cell can become a formula. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const content = text.replace(INNER_FORMULA, "'")
  const safe = FORMULA.test(content) && !NUMBER.test(content) ? `'${content}` : content
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

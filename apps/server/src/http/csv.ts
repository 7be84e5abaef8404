/** Whether a spreadsheet would take the text for a formula (api.md 1.8). */
const FORMULA = /^[=+\-@\t\r]/

/** A number is no formula, also when it is negative. */
const NUMBER = /^-?\d+(\.\d+)?$/

const QUOTED = /[",\r\n]/

/** Writes one line of CSV (RFC 4180): nothing is empty text, objects are JSON, and no cell can become a formula. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

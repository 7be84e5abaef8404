import { t } from '@lingui/core/macro'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

import { readCsv } from '../../../lib/csv.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { checkedRow, COLUMNS } from './link-rows.ts'
import type { ColumnName, LinkRow, LinkRules } from './link-rows.ts'

/** As many as the server creates within a quarter of an hour. */
const MOST_ROWS = 10_000
export const MOST_BYTES = 5_000_000

/** The rows that are read at once; between them the page can handle input. */
const CHUNK = 200

/** Characters that are never in text, but in spreadsheets and pictures. */
// oxlint-disable-next-line no-control-regex -- such characters are what is looked for
const NO_TEXT = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

/** The length of a first line without column names that is shown. */
const MOST_NAMES = 8
const MOST_LETTERS = 40

/** The number of digits of the file's digest that distinguish files. */
const NAME_DIGITS = 32

export type LinkFile = {
  readonly fileName: string
  /** Identifies the content: the same file has the same one again. */
  readonly digest: string
  readonly rows: readonly LinkRow[]
  /** Columns of the file that are not used. */
  readonly ignored: readonly string[]
}

export type ReadLinkFile = { readonly file: LinkFile } | { readonly refusal: string }

/** Reads a file in pieces, so that the page stays responsive; says what is wrong with one that is not a list of links. */
export async function readLinkFile(file: File, rules: LinkRules): Promise<ReadLinkFile> {
  if (file.size > MOST_BYTES) return { refusal: t`This file is larger than 5 MB. Split it into smaller ones.` }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === '') return { refusal: t`This file is empty. Start from the template below.` }
  if (NO_TEXT.test(text)) {
    return { refusal: t`This file is not text. In your spreadsheet, save it as CSV (UTF-8) and choose that file.` }
  }
  const lines = readCsv(text)
  const head = lines.next()
  const columns = head.done === true ? [] : head.value.cells.map(columnOf)
  if (head.done === true || !columns.includes('amountInUSD')) {
    const found = foundText(head.done === true ? [] : head.value.cells)
    return {
      refusal: t`The first line must name the columns. Found there: ${found}. Needed: amountInUSD, and customerEmail or customerID. The template below has them all.`,
    }
  }
  const ignored = head.value.cells.filter((_, at) => columns[at] === undefined)
  const rows: LinkRow[] = []
  for (const { line, cells } of lines) {
    if (rows.length === MOST_ROWS)
      return { refusal: t`This file has more than 10,000 lines. Split it into smaller ones.` }
    rows.push(checkedRow(line, valuesOf(columns, cells), rules))
    if (rows.length % CHUNK === 0) await breath()
  }
  if (rows.length === 0) return { refusal: t`This file has a header row and no line below it.` }
  const digest = bytesToHex(sha256(bytes)).slice(0, NAME_DIGITS)
  return { file: { fileName: file.name, digest, rows, ignored } }
}

/** Enough of a line to recognise it. */
function foundText(cells: readonly string[]): string {
  const names = cells.map((cell) => cell.trim()).filter((name) => name !== '')
  const shown = names.slice(0, MOST_NAMES).map((name) => `“${name.slice(0, MOST_LETTERS)}”`)
  return listText(names.length > MOST_NAMES ? [...shown, '…'] : shown)
}

/** "Amount in USD" and "amount_in_usd" are accepted as well. */
function columnOf(name: string): ColumnName | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return COLUMNS.find((column) => column.toLowerCase() === plain)
}

function valuesOf(columns: readonly (ColumnName | undefined)[], cells: readonly string[]): LinkRow['values'] {
  const empty = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as Record<ColumnName, string>
  for (const [at, column] of columns.entries()) if (column !== undefined) empty[column] = (cells[at] ?? '').trim()
  return empty
}

function breath(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

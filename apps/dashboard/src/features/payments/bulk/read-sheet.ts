import { t } from '@lingui/core/macro'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

import { readCsv } from '../../../lib/csv.ts'
import { checkedRow, COLUMNS } from './link-rows.ts'
import type { ColumnName, LinkRow, LinkRules } from './link-rows.ts'

/** As many as are made within a quarter of an hour. */
export const MOST_ROWS = 10_000
export const MOST_BYTES = 5_000_000

/** Rows read at once; between them the page can answer a press. */
const CHUNK = 200

/** Of the file's digest, as much as tells files apart. */
const NAME_DIGITS = 32

export type Sheet = {
  readonly fileName: string
  /** Names the content: the same file again has the same one. */
  readonly digest: string
  readonly rows: readonly LinkRow[]
  /** Columns of the file that mean nothing here. */
  readonly ignored: readonly string[]
}

export type ReadSheet = { readonly sheet: Sheet } | { readonly refusal: string }

/** Reads a file in pieces, so that the page stays alive; says what is wrong with one that is no list of links. */
export async function readSheet(file: File, rules: LinkRules): Promise<ReadSheet> {
  if (file.size > MOST_BYTES) return { refusal: t`This file is larger than 5 MB. Split it into smaller ones.` }
  const bytes = new Uint8Array(await file.arrayBuffer())
  const lines = readCsv(new TextDecoder().decode(bytes))
  const head = lines.next()
  const columns = head.done === true ? [] : head.value.cells.map(columnOf)
  if (head.done === true || !columns.includes('amountInUSD')) {
    return { refusal: t`This isn’t a CSV with a header row. Its first line must name the column amountInUSD.` }
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
  return { sheet: { fileName: file.name, digest, rows, ignored } }
}

/** "Amount in USD" and "amount_in_usd" are meant as well. */
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

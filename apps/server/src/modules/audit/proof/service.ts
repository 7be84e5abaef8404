/** Verifies an exported log without server and database. The format is documented in docs/guides/activity-log.md. */
import { HASHED_COLUMNS, hashEntry, NO_HASH } from './entry-hash.ts'
import type { FileRow } from './read-file.ts'

export { readRows } from './read-file.ts'

/** A place where the file does not match. */
export type Finding = {
  readonly line: number
  readonly entry: string
  readonly problem: 'unreadable' | 'changed' | 'not in its place' | 'missing before' | 'missing after'
}

export type Proof = {
  readonly rows: number
  readonly findings: readonly Finding[]
  /** Hash before the first row and of the last one; null in an empty file. */
  readonly first: string | null
  readonly head: string | null
  /** Whether the first row is the first entry of the log. */
  readonly isFromBeginning: boolean
  /** Whether a row has the given earlier hash; null when none was given. */
  readonly hasNoted: boolean | null
}

export type ProofOptions = {
  /** The file holds a selection of the entries, so entries between may be missing. */
  readonly isExcerpt?: boolean
  /** A hash that was noted earlier, or that is in an earlier file. */
  readonly noted?: string | undefined
}

const COLUMNS: readonly string[] = [...HASHED_COLUMNS, 'prevHash', 'hash', 'remaining']

/** The most findings that are returned; the first ones explain the rest. */
const MOST_FINDINGS = 20

/**
 * Verifies the rows of a file, in their order: each has the hash of its content and follows the one before it, and none is
 * missing at the end.
 */
export async function proveRows(
  rows: AsyncIterable<FileRow> | Iterable<FileRow>,
  { isExcerpt = false, noted }: ProofOptions = {},
): Promise<Proof> {
  const findings: Finding[] = []
  let count = 0
  let first: string | null = null
  let previous: {
    readonly id: number
    readonly hash: string
    readonly remaining: number
    readonly line: number
  } | null = null
  let hasNoted = noted === undefined ? null : noted === NO_HASH
  for await (const row of rows) {
    count += 1
    const read = readRow(row)
    first ??= read.prevHash
    const found = problemsOf(row, read, previous, isExcerpt)
    if (findings.length < MOST_FINDINGS) findings.push(...found)
    if (noted !== undefined && (read.hash === noted || read.prevHash === noted)) hasNoted = true
    previous = { id: read.id, hash: read.hash, remaining: read.remaining, line: row.line }
  }
  if (previous && previous.remaining !== 0) {
    findings.push({ line: previous.line, entry: String(previous.id), problem: 'missing after' })
  }
  return { rows: count, findings, first, head: previous?.hash ?? null, isFromBeginning: first === NO_HASH, hasNoted }
}

type Read = ReturnType<typeof readRow>

function readRow({ values }: FileRow) {
  return {
    id: Number(values.id),
    prevHash: textOf(values.prevHash),
    hash: textOf(values.hash),
    remaining: Number(values.remaining),
    cells: HASHED_COLUMNS.map((name) => values[name]),
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Whether a row has every column of the file and no other. */
function isWhole(values: FileRow['values']): boolean {
  return Object.keys(values).length === COLUMNS.length && COLUMNS.every((name) => Object.hasOwn(values, name))
}

type Previous = { readonly id: number; readonly hash: string; readonly remaining: number } | null

function problemsOf({ line, values }: FileRow, read: Read, previous: Previous, isExcerpt: boolean): Finding[] {
  const entry = textOf(values.id) || '?'
  const isReadable =
    isWhole(values) &&
    Number.isSafeInteger(read.id) &&
    /^[0-9a-f]{64}$/.test(read.hash) &&
    Number.isSafeInteger(read.remaining)
  if (!isReadable) return [{ line, entry, problem: 'unreadable' }]
  if (hashEntry(read.prevHash, read.cells) !== read.hash) return [{ line, entry, problem: 'changed' }]
  if (!previous) return []
  if (read.id <= previous.id) return [{ line, entry, problem: 'not in its place' }]
  const isNext = read.prevHash === previous.hash
  const isCounted = read.remaining === previous.remaining - 1
  return (isNext || isExcerpt) && isCounted ? [] : [{ line, entry, problem: 'missing before' }]
}

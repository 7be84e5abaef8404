/**
 * The content of a backup is lines. First what it is; then the parts, each with a line that names it, its rows, and the line
 * `\.`, which no row of PostgreSQL's text format can be; last the number of lines.
 */
import * as z from 'zod/mini'

import { BackupRefused } from './refused.ts'

/** The longest line that is read: the largest row is an uploaded logo. */
const MOST_LINE_BYTES = 67_108_864
/** Rows are passed on in pieces of about this size. */
const PIECE_BYTES = 65_536
const NEWLINE = 0x0a
const END_OF_PART = Buffer.from('\\.')

const Manifest = z.object({
  kassa: z.string(),
  takenAt: z.iso.datetime(),
  network: z.enum(['sandbox', 'testnet', 'mainnet']),
  migrations: z.array(z.string()),
  /** Shows whether a key is the one that the secrets are sealed with. */
  keyFingerprint: z.string(),
  /** The key itself as hex, unless it was to be left out. */
  masterKey: z.nullable(z.string()),
})
export type Manifest = z.output<typeof Manifest>

const Part = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()) }),
  z.object({ queues: z.literal(true) }),
  z.object({ jobs: z.literal(true) }),
  z.object({ file: z.string().check(z.regex(/^chains\/[A-Z]{2,10}\.json$/)) }),
  z.object({ sequences: z.record(z.string(), z.string()), lines: z.int() }),
])
export type Part = z.output<typeof Part>

const separator = Buffer.from('\n')

/** The lines of one part, with what names it. */
export async function* writePart(part: Part, lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  yield Buffer.from(`${JSON.stringify(part)}\n`)
  yield* lines
  yield Buffer.concat([END_OF_PART, separator])
}

/** The first line. */
export function writeManifest(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest)}\n`)
}

/** Combines rows into larger pieces and counts the lines, for the last part of the backup. */
export async function* gathered(
  rows: AsyncIterable<Buffer>,
  count: (rows: number) => void,
): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const row of rows) {
    count(1)
    held.push(row)
    bytes += row.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(held)
    ;[held, bytes] = [[], 0]
  }
  if (held.length > 0) yield Buffer.concat(held)
}

export type Content = {
  readonly manifest: Manifest
  /** The parts in their order; read or skip the lines of one before asking for the next. */
  readonly parts: AsyncIterable<{ readonly part: Part; readonly lines: AsyncIterable<Buffer> }>
}

/** Reads what `writeManifest` and `writePart` wrote. @throws BackupRefused when it ends early or is something else */
export async function readContent(source: AsyncIterable<Buffer>): Promise<Content> {
  const lines = linesOf(source)
  const first = await lines.next()
  const manifest = Manifest.safeParse(first.done ? null : parse(first.value))
  if (!manifest.success) throw broken()
  return { manifest: manifest.data, parts: partsOf(lines) }
}

async function* partsOf(lines: AsyncGenerator<Buffer, void>) {
  let read = 0
  for (;;) {
    const next = await lines.next()
    const part = Part.safeParse(next.done ? null : parse(next.value))
    if (!part.success) throw broken()
    const rows = rowsOf(lines, (count) => void (read += count))
    const before = read
    yield { part: part.data, lines: rows }
    for await (const _ of rows);
    if ('sequences' in part.data) {
      if (part.data.lines !== before || !(await lines.next()).done) throw broken()
      return
    }
  }
}

/** The rows of a part, in pieces that end with a row. */
async function* rowsOf(
  lines: AsyncGenerator<Buffer, void>,
  count: (rows: number) => void,
): AsyncGenerator<Buffer, void> {
  let held: Buffer[] = []
  let bytes = 0
  for (;;) {
    const next = await lines.next()
    if (next.done) throw broken()
    if (next.value.equals(END_OF_PART)) break
    count(1)
    held.push(next.value, separator)
    bytes += next.value.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(held)
    ;[held, bytes] = [[], 0]
  }
  if (held.length > 0) yield Buffer.concat(held)
}

async function* linesOf(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let begun: Buffer[] = []
  let bytes = 0
  for await (const piece of source) {
    let from = 0
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      const rest = piece.subarray(from, at)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      ;[begun, bytes, from] = [[], 0, at + 1]
    }
    begun.push(piece.subarray(from))
    bytes += piece.length - from
    if (bytes > MOST_LINE_BYTES) throw broken()
  }
  if (bytes > 0) throw broken()
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return null
  }
}

function broken(): BackupRefused {
  return new BackupRefused('The backup is not complete, or was written by another version. Nothing was changed.')
}

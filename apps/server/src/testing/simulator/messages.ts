/** The messages of PostgreSQL's protocol that a prepared statement takes (PostgreSQL manual, 54.7). */

export type Field = { readonly name: string; readonly typeId: number }

export type Answer = {
  /** Absent where the statement returns no rows, or was described before. */
  readonly fields?: readonly Field[]
  readonly isParsed: boolean
  readonly tag: string
  readonly rows: readonly (readonly (string | null)[])[]
  readonly error?: Readonly<Record<string, string>>
}

type Changing = { -readonly [K in keyof Answer]: Answer[K] }

export const EXECUTE = message('E', Buffer.alloc(5))
export const SYNC = message('S', Buffer.alloc(0))

/** Prepares a statement under a name. */
export function parse(name: string, text: string): Buffer {
  return message('P', Buffer.from(`${name}\0${text}\0\0\0`))
}

/** Asks which columns a statement returns. */
export function describe(name: string): Buffer {
  return message('D', Buffer.from(`S${name}\0`))
}

/** Gives a statement its values; bytes are sent as they are, everything else as text. */
export function bind(name: string, values: readonly unknown[]): Buffer {
  const parts = values.map(encode)
  const head = Buffer.from(`\0${name}\0`)
  const size = head.length + 4 + 6 * parts.length + 2 + parts.reduce((sum, part) => sum + (part?.bytes.length ?? 0), 0)
  const body = Buffer.alloc(size)
  let at = head.copy(body)
  at = body.writeInt16BE(parts.length, at)
  for (const part of parts) at = body.writeInt16BE(part?.isBinary ? 1 : 0, at)
  at = body.writeInt16BE(parts.length, at)
  for (const part of parts) {
    at = body.writeInt32BE(part ? part.bytes.length : -1, at)
    if (part) at += part.bytes.copy(body, at)
  }
  return message('B', body)
}

type Encoded = { readonly bytes: Buffer; readonly isBinary: boolean } | null

function encode(value: unknown): Encoded {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value), isBinary: true }
  return { bytes: Buffer.from(textOf(value)), isBinary: false }
}

/** The text of a value, as pg writes it. */
function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return `{${value.map(elementOf).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | bigint | boolean).toString()
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return textOf(value)
  const text = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : textOf(value)
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
}

function message(type: string, body: Uint8Array): Buffer {
  const made = Buffer.alloc(5 + body.length)
  made.write(type, 'latin1')
  made.writeInt32BE(4 + body.length, 1)
  made.set(body, 5)
  return made
}

/** Reads everything the server answered. */
export function readMessages(bytes: Buffer): Answer {
  const rows: (string | null)[][] = []
  const answer: Changing = { isParsed: false, tag: '', rows }
  for (let at = 0; at < bytes.length;) {
    const type = String.fromCharCode(bytes[at] ?? 0)
    const from = at + 5
    const to = at + 1 + bytes.readInt32BE(at + 1)
    if (type === 'D') rows.push(readRow(bytes, from))
    else if (type === 'C') answer.tag = bytes.toString('latin1', from, to - 1)
    else if (type === 'T') answer.fields = readFields(bytes, from)
    else if (type === '1') answer.isParsed = true
    else if (type === 'E') answer.error = readError(bytes.toString('utf8', from, to))
    at = to
  }
  return answer
}

function readRow(bytes: Buffer, start: number): (string | null)[] {
  const row: (string | null)[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    row.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
    if (length > 0) at += length
  }
  return row
}

/** Bytes of a field after its name: table, column, type, size, modifier, format. */
const FIELD_BYTES = 18

function readFields(bytes: Buffer, start: number): Field[] {
  const fields: Field[] = []
  let at = start + 2
  for (let left = bytes.readInt16BE(start); left > 0; left -= 1) {
    const end = bytes.indexOf(0, at)
    fields.push({ name: bytes.toString('utf8', at, end), typeId: bytes.readInt32BE(end + 7) })
    at = end + 1 + FIELD_BYTES
  }
  return fields
}

/** The parts of an error that the program looks at, by their letters (PostgreSQL manual, 54.8). */
const ERROR_PARTS = {
  S: 'severity',
  C: 'code',
  M: 'message',
  D: 'detail',
  H: 'hint',
  W: 'where',
  s: 'schema',
  t: 'table',
  c: 'column',
  n: 'constraint',
  R: 'routine',
} as const

function readError(text: string): Record<string, string> {
  const error: Record<string, string> = {}
  for (const part of text.split('\0')) {
    const name = ERROR_PARTS[part[0] as keyof typeof ERROR_PARTS]
    if (name) error[name] = part.slice(1)
  }
  return error
}

import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { type LogFn, type Logger, pino } from 'pino'

/**
 * Names of values that are never logged, at any depth; case, `-` and `_` do not matter. Names that end like the first ones
 * count too (`oldPassword`, `access_key`); `orderKey` and the like do not.
 */
const SECRET_NAME =
  /(password|passphrase|secret|token|apikey|accesskey|privatekey|masterkey|sessionkey|mnemonic|setupcode|otp)s?$|^(key|words|seed|xpub|xprv|authorization|cookie|databaseurl|databasedirecturl)$/

/** Credentials that are recognised by their form in any text: ours, extended keys, and user-info of URLs. */
const SECRET_TEXT =
  /\b(?:whsec_|kw_|kp_(?:test_|live_)?|k[sar]_)[\w+/=-]{8,}|\b[xyztuv](?:prv|pub)[1-9A-HJ-NP-Za-km-z]{50,}|(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g

const CENSOR = '•••'
/** Deeper than anything that is logged on purpose; what is deeper is left out. */
const MAX_DEPTH = 8

/** Longer texts come from outside, or say nothing more. */
const LONGEST_TEXT = 300
/** Lines of an error's stack, those of its causes included. */
const LONGEST_STACK = 40

/** Structured logs, one JSON object a line; secrets are cut out by name and by form. */
export function createLog(level: string, destination?: { write: (line: string) => void }): Logger {
  const out = destination ?? unending(pino.destination(1))
  const options = {
    level,
    base: null,
    formatters: { log: (logged: object) => censor(logged) as Record<string, unknown> },
    hooks: {
      logMethod(this: Logger, args: Parameters<LogFn>, method: LogFn) {
        method.apply(this, args.map((arg) => (typeof arg === 'string' ? cut(arg) : arg)) as Parameters<LogFn>)
      },
    },
  }
  return pino(options, { write: (line) => out.write(line.replace(SECRET_TEXT, CENSOR)) })
}

/** Bytes of lines that wait for the disk; lines beyond that are lost. */
const MOST_WAITING = 8 * 1024 * 1024

/** A full file is renamed, and this many old ones are kept: 60 MB in all, weeks of a quiet server. */
const LARGEST_FILE = 10_000_000
const OLD_FILES = 5

/**
 * Opens a file to which log lines are appended, in a folder of its own. It is open on return, so that a process can exit at
 * once. Only their owner can read both. A file that has grown beyond `largest` bytes is renamed to `<name>.1`.
 */
export async function openLogFile(
  folder: string,
  name: string,
  largest = LARGEST_FILE,
): Promise<{ write: (line: string) => void }> {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, 0o700)
  const path = join(folder, name)
  const out = pino.destination({ dest: path, append: true, sync: false, maxLength: MOST_WAITING, mode: 0o600 })
  await once(out, 'ready')
  chmodSync(path, 0o600)
  let size = statSync(path).size
  // Counts the bytes on disk, not the pending ones, so that a slow disk does not fill a file twice.
  out.on('write', (bytes: number) => {
    size += bytes
    if (size < largest) return
    rotate(path)
    out.reopen()
    size = 0
  })
  return unending(out)
}

function rotate(path: string): void {
  try {
    for (let n = OLD_FILES; n > 0; n -= 1) {
      const newer = n === 1 ? path : `${path}.${n - 1}`
      if (existsSync(newer)) renameSync(newer, `${path}.${n}`)
    }
  } catch {
    // The log must not end the program: it continues in the same file, and tries again after as many lines.
  }
}

/** A full disk must not end the program: lines that could not be written are tried again with the next one. */
function unending(out: ReturnType<typeof pino.destination>): { write: (line: string) => void } {
  out.on('error', () => undefined)
  return out
}

/** Returns a copy of plain data without what is secret by name or by form, as the log writes it. */
export function redact(value: unknown): unknown {
  const text = JSON.stringify(censor(value))
  return text === undefined ? undefined : JSON.parse(text.replace(SECRET_TEXT, CENSOR))
}

/** A copy without what is secret by its name; errors as plain objects. */
function censor(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return cut(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (value instanceof Error) return censorError(value, depth)
  if (Buffer.isBuffer(value) || depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => censor(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? CENSOR : censor(item, depth + 1)]),
  )
}

/** The stack begins with the message, which is shortened like every text, and so are its frames. */
function censorError(error: Error, depth: number): unknown {
  const { stack, ...plain } = pino.stdSerializers.err(error)
  const lines = stack.split('\n', LONGEST_STACK).map(cut)
  return { ...(censor(plain, depth + 1) as object), stack: lines.join('\n') }
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/[-_\s]/g, '').toLowerCase())
}

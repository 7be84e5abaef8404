import { once } from 'node:events'

import { type Logger, pino } from 'pino'

/**
 * Names of values that never reach a log, wherever they stand in what is logged; case, `-` and `_` do not matter. Names
 * that end like the first ones count too (`oldPassword`, `access_key`), `orderKey` and the like do not.
 */
const SECRET_NAME =
  /(password|passphrase|secret|token|apikey|accesskey|privatekey|masterkey|sessionkey|mnemonic|setupcode|otp)s?$|^(key|words|seed|xpub|xprv|authorization|cookie|databaseurl|databasedirecturl)$/

/** Credentials by their own form, which give them away in any text: ours, extended keys, and user-info of addresses. */
const SECRET_TEXT =
  /\b(?:whsec_|kw_|kp_(?:test_|live_)?|k[sar]_)[\w+/=-]{8,}|\b[xyztuv](?:prv|pub)[1-9A-HJ-NP-Za-km-z]{50,}|(?<=:\/\/[^\s:/@"]*:)[^\s@/"]+(?=@)/g

const CENSOR = '•••'
/** Deeper than anything that is logged on purpose; what is deeper is left out. */
const MAX_DEPTH = 8

/** Structured logs, one JSON object a line; secrets are cut out by name and by form. */
export function createLog(level: string, destination?: { write: (line: string) => void }): Logger {
  const out = destination ?? unending(pino.destination(1))
  const options = {
    level,
    base: null,
    formatters: { log: (logged: object) => censor(logged) as Record<string, unknown> },
  }
  return pino(options, { write: (line) => out.write(line.replace(SECRET_TEXT, CENSOR)) })
}

/** Lines that wait for room on the disk, in bytes; those beyond are lost. */
const MOST_WAITING = 8 * 1024 * 1024

/** Opens a file that log lines are appended to as they come; it is open on return, so that whoever ends at once can. */
export async function openLogFile(path: string): Promise<{ write: (line: string) => void }> {
  const out = pino.destination({ dest: path, append: true, sync: false, maxLength: MOST_WAITING })
  await once(out, 'ready')
  return unending(out)
}

/** A log without room must not end the program: what could not be written is tried again with the next line. */
function unending(out: ReturnType<typeof pino.destination>): { write: (line: string) => void } {
  out.on('error', () => undefined)
  return out
}

/** A copy without what is secret by its name; errors as plain objects. */
function censor(value: unknown, depth = 0): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (value instanceof Error) return censor({ ...pino.stdSerializers.err(value) }, depth + 1)
  if (Buffer.isBuffer(value) || depth >= MAX_DEPTH) return '…'
  if (Array.isArray(value)) return value.map((item) => censor(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecret(name) ? CENSOR : censor(item, depth + 1)]),
  )
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(name.replaceAll(/[-_\s]/g, '').toLowerCase())
}

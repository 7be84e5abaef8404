import { type Logger, pino } from 'pino'

/** Keys whose values never reach a log, wherever they stand in what is logged. */
const SECRET_KEYS = [
  'password',
  'oldPassword',
  'key',
  'apiKey',
  'accessToken',
  'refreshToken',
  'secret',
  'access_key',
  'xpub',
  'setupCode',
  'authorization',
  'token',
]

/** Structured logs, one JSON object a line; secrets are cut out by name, two levels deep. */
export function createLog(level: string, destination?: { write: (line: string) => void }): Logger {
  const paths = SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`])
  const options = { level, base: null, redact: { paths, censor: '•••' } }
  return destination ? pino(options, destination) : pino(options)
}

/** A file that log lines are appended to as they come. */
export function logFile(path: string): { write: (line: string) => void } {
  return pino.destination({ dest: path, append: true, sync: false })
}

import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources, type SourceFile, withoutComments } from './source-files.ts'

const server = 'apps/server/src/'

/** A write by the query builder, and a write in raw SQL; the first group is the table. Locks (`FOR UPDATE OF`) write nothing. */
const WRITES: readonly RegExp[] = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"`]([a-z_]+)/g,
  /\b(?:INSERT|MERGE)\s+INTO\s+(?:ONLY\s+)?"?([a-z_]+)/gi,
  /\browsInto\(\s*'([a-z_]+)/g,
  /\bDELETE\s+FROM\s+(?:ONLY\s+)?"?([a-z_]+)/gi,
  /\bTRUNCATE\s+(?:TABLE\s+)?(?:ONLY\s+)?"?([a-z_]+)/g,
  /\bUPDATE\s+(?:ONLY\s+)?"?((?!SET\b)[a-z_]+)"?\s+(?:AS\s+)?(?:(?!SET\b)[a-z_]+\s+)?SET\b/gi,
]

/** A table's name that is put together at run time: its writer is unknown. */
const WRITES_UNNAMED =
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^\s'"`]|\b(?:INSERT\s+INTO\s+\$\{(?!rowsInto\(\s*')|DELETE\s+FROM\s+\$\{)|\bUPDATE\s+\$\{[^}]*\}[^`]*?\bSET\b/g

/** A table that a second home may write, and why. */
export type SecondWriter = { readonly table: string; readonly home: string; readonly reason: string }

const secondWriters: readonly SecondWriter[] = [
  {
    table: 'deposits',
    home: 'modules/analytics',
    reason: 'The backfill values deposits from before figures; deposits stand above it, which it cannot call.',
  },
  {
    table: 'customers',
    home: 'modules/analytics',
    reason: 'The backfill notes the first payments of customers from before figures, as the triggers do since.',
  },
]

/** A restore empties every table, whatever its name, before the program runs. */
const writesEveryTable = 'apps/server/src/backup/schema-store.ts'

/**
 * Finds tables that two modules write, whether by the query builder or in raw SQL (decision 0005). A module is the first
 * folder below `modules/`; everything else of the server has the first folder below `src/` for its home.
 */
export async function checkTableWriters(root: string, allowed = secondWriters): Promise<Outcome> {
  const sources = await readSources(root, (path) => path.startsWith(server) && isWrittenCode(path) && !isTestCode(path))
  const writes = sources.flatMap(writesOf)
  const tables = [...new Set(writes.map(({ table }) => table))]
  return {
    findings: [
      ...tables.flatMap((table) =>
        tooMany(
          table,
          writes.filter((write) => write.table === table),
          allowed,
        ),
      ),
      ...sources.filter(({ path }) => path !== writesEveryTable).flatMap(unnamedWrites),
      ...allowed.filter((one) => !writes.some((write) => isAllowed(write, [one]))).map(idle),
    ],
    note: `${tables.length} tables`,
  }
}

type Write = { readonly table: string; readonly home: string; readonly file: string; readonly line: number }

function writesOf({ path, text }: SourceFile): Write[] {
  const code = withoutComments(text)
  return WRITES.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      table: (match[1] ?? '').toLowerCase(),
      home: homeOf(path),
      file: path,
      line: lineAt(code, match.index),
    })),
  )
}

function homeOf(path: string): string {
  const folders = path.slice(server.length).split('/')
  return folders.slice(0, folders[0] === 'modules' ? 2 : 1).join('/')
}

/** One finding for each home of a table that has several: at its first write. */
function tooMany(table: string, writes: readonly Write[], allowed: readonly SecondWriter[]): Finding[] {
  const counted = writes.filter((write) => !isAllowed(write, allowed))
  const homes = [...new Set(counted.map(({ home }) => home))]
  if (homes.length < 2) return []
  return homes.flatMap((home) => {
    const others = homes.filter((other) => other !== home).join(', ')
    const message = `Table ${table} is written by ${others} too: one module writes a table, the others call its service (decision 0005)`
    return counted
      .filter((write) => write.home === home)
      .slice(0, 1)
      .map(({ file, line }) => ({ file, line, message }))
  })
}

function isAllowed(write: Write, allowed: readonly SecondWriter[]): boolean {
  return allowed.some(({ table, home }) => table === write.table && home === write.home)
}

function unnamedWrites({ path, text }: SourceFile): Finding[] {
  const code = withoutComments(text)
  return [...code.matchAll(WRITES_UNNAMED)].map(({ index }) => ({
    file: path,
    line: lineAt(code, index),
    message: 'Write the name of the table out: a check reads who writes it',
  }))
}

function idle({ table, home }: SecondWriter): Finding {
  return { file: '', message: `${home} no longer writes ${table}: take it off the list of second writers` }
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

import { architectureRules } from './architecture-rules.ts'
import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, linesMatching, readSources, type SourceFile } from './source-files.ts'

const server = 'apps/server/src/'
const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^>]*>)?`/
const readsTheWorld =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bfetch\(|\bcrypto\.|\bprocess\./
const writesTable = /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'([a-z_.]+)/g

/** Finds what the import checker cannot see: SQL outside stores, a table with two writers, rules that read the world. */
export async function checkServerRoles(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => path.startsWith(server) && isWrittenCode(path) && !isTestCode(path))
  return {
    findings: [...sqlOutsideStores(sources), ...tablesWithTwoWriters(sources), ...rulesThatReadTheWorld(sources)],
  }
}

function sqlOutsideStores(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => !path.startsWith(`${server}db/`) && !/[/-](store|tables)\.ts$/.test(path))
    .flatMap((source) =>
      linesMatching(source, speaksSql).map(({ line }) => ({ file: source.path, line, message: architectureRules.sql })),
    )
}

/** A store may read other modules' columns in a list, but every table has one module that writes it (decision 0005). */
function tablesWithTwoWriters(sources: readonly SourceFile[]): Finding[] {
  const writers = new Map<string, Map<string, string>>()
  for (const { path, text } of sources) {
    const home = path
      .slice(server.length)
      .split('/')
      .slice(0, path.startsWith(`${server}modules/`) ? 2 : 1)
      .join('/')
    for (const [, table = ''] of text.matchAll(writesTable)) {
      const homes = writers.get(table) ?? new Map<string, string>()
      writers.set(table, homes.set(home, homes.get(home) ?? path))
    }
  }
  return [...writers].flatMap(([table, homes]) =>
    homes.size < 2
      ? []
      : [...homes].map(([home, file]) => ({
          file,
          message: `Table ${table} is written by ${[...homes.keys()].filter((other) => other !== home).join(', ')} too. ${architectureRules.entries}`,
        })),
  )
}

function rulesThatReadTheWorld(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => path.startsWith(`${server}modules/`) && /[/-]rules\.ts$/.test(path))
    .flatMap((source) =>
      linesMatching(source, readsTheWorld).map(({ line }) => ({
        file: source.path,
        line,
        message: architectureRules.rules,
      })),
    )
}

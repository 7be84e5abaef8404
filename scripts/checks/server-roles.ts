import { architectureRules } from './architecture-rules.ts'
import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, linesMatching, readSources, type SourceFile } from './source-files.ts'

const server = 'apps/server/src/'
const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^>]*>)?`/
const readsTheWorld =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bfetch\(|\bcrypto\.|\bprocess\./

/** Finds what the import checker cannot see: SQL outside stores, rules that read the world. */
export async function checkServerRoles(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => path.startsWith(server) && isWrittenCode(path) && !isTestCode(path))
  return {
    findings: [...sqlOutsideStores(sources), ...rulesThatReadTheWorld(sources)],
  }
}

function sqlOutsideStores(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => !path.startsWith(`${server}db/`) && !/[/-](store|tables)\.ts$/.test(path))
    .flatMap((source) =>
      linesMatching(source, speaksSql).map(({ line }) => ({ file: source.path, line, message: architectureRules.sql })),
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

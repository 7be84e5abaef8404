import { architectureRules } from './architecture-rules.ts'
import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, linesMatching, readSources, type SourceFile } from './source-files.ts'

const server = 'apps/server/src/'
const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bsql(<[^>]*>)?`/
const readsTheWorld =
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|\bMath\.random\(|\bfetch\(|\bcrypto\.|\bprocess\./

/** A variable, or an empty collection that only makes sense when something is put into it later. */
const holdsState =
  /^(export )?(let|var) |^(export )?const \w+(: .+)? = (new (Weak)?(Map|Set)(?!<never)(<.*>)?\(\)|\[\]|\{\})$/
const notifies = /\bpg_notify\s*\(|\bNOTIFY\s+\w/i
const sendsByName = /\bjobs\.send\(/

/** Finds what the import checker cannot see: SQL outside stores, rules that read the world; state, queues, notifications out of place. */
export async function checkServerRoles(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => path.startsWith(server) && isWrittenCode(path) && !isTestCode(path))
  const migrations = await readSources(root, (path) => path.startsWith(`${server}db/migrations/`))
  return {
    findings: [
      ...sqlOutsideStores(sources),
      ...rulesThatReadTheWorld(sources),
      ...stateOfFiles(sources),
      ...queuesByName(sources),
      ...notifications([...sources, ...migrations]),
    ],
  }
}

function sqlOutsideStores(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => !path.startsWith(`${server}db/`) && !/[/-](store|tables)\.ts$/.test(path))
    .flatMap((source) => named(source, speaksSql, architectureRules.sql))
}

function rulesThatReadTheWorld(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => path.startsWith(`${server}modules/`) && /[/-]rules\.ts$/.test(path))
    .flatMap((source) => named(source, readsTheWorld, architectureRules.rules))
}

function stateOfFiles(sources: readonly SourceFile[]): Finding[] {
  return sources.flatMap((source) => named(source, holdsState, architectureRules.state))
}

function queuesByName(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => !path.startsWith(`${server}jobs/`))
    .flatMap((source) => named(source, sendsByName, architectureRules.queues))
}

function notifications(sources: readonly SourceFile[]): Finding[] {
  return sources
    .filter(({ path }) => path !== `${server}events/store.ts`)
    .flatMap((source) => named(source, notifies, architectureRules.notifications))
}

function named(source: SourceFile, pattern: RegExp, message: string): Finding[] {
  return linesMatching(source, pattern).map(({ line }) => ({ file: source.path, line, message }))
}

import { posix } from 'node:path'

import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources, type SourceFile, withoutComments } from './source-files.ts'

const server = 'apps/server/src/'
const contract = 'packages/contract/src/'

/** What leaves the database: the guarded way out, clients of nodes, and hashing of passwords, which takes as long. */
const LEAVES = /\begress\s*\.\s*(?:request|fetch|connect|refresh)\(|\b(?:ctx|tx)\.connect\(|\bargon2\b/

/** A function or a constant at the top of a file. */
type Piece = { readonly file: string; readonly name: string; readonly text: string; readonly line: number }

/** Code that runs while a transaction is open. */
type Inside = { readonly file: string; readonly text: string; readonly line: number; readonly what: string }

/**
 * Finds code that runs inside a transaction and reaches a node, a mail server, another server or the hashing of passwords
 * (decisions 0006 and 0031). Inside is what takes `tx`, what handles a write of the contract, and the `perform` of one that
 * is prepared. Calls are followed by name, through imports.
 */
export async function checkOutsideCalls(root: string): Promise<Outcome> {
  const written = (path: string) => isWrittenCode(path) && !isTestCode(path)
  const sources = (
    await readSources(root, (path) => written(path) && (path.startsWith(server) || path.startsWith(contract)))
  ).map(({ path, text }) => ({ path, text: withoutComments(text) }))
  const own = sources.filter(({ path }) => path.startsWith(server))
  const writes = new Set(sources.filter(({ path }) => path.startsWith(contract)).flatMap(writesOf))
  const graph = callsOf(own)
  const inside = own.flatMap((source) => [...takingTx(source), ...handling(source, writes)])
  return { findings: inside.flatMap((code) => leaving(graph, code)), note: `${inside.length} places inside` }
}

/** The names of the routes that write. */
function writesOf({ text }: SourceFile): string[] {
  return [...text.matchAll(/^ {2}(\w+): route\(\{\n([\s\S]*?)^ {2}\}\)/gm)].flatMap(([, name = '', body = '']) =>
    /methods: \[[^\]]*'(?:POST|PUT|PATCH|DELETE)'/.test(body) && !/^ {4}repeatable: true/m.test(body) ? [name] : [],
  )
}

/** Arrow functions and functions whose first parameter is `tx`. */
function takingTx({ path, text }: SourceFile): Inside[] {
  return [...text.matchAll(/(?:\btx|\(tx\b[^()]*\)) =>|function (\w+)\(\s*tx: Context/g)].map((match) => {
    const [whole, name] = match
    const end = name === undefined ? endOfCall(text, match.index + whole.length) : endOfFunction(text, match.index)
    const what = name ?? 'a transaction'
    return { file: path, text: text.slice(match.index, end), line: lineAt(text, match.index), what }
  })
}

/** Handlers of writes, without what they prepare. */
function handling({ path, text }: SourceFile, writes: ReadonlySet<string>): Inside[] {
  return [...text.matchAll(/: Handlers<[^>]+> = \{\n([\s\S]*?)^\}/gm)].flatMap((handlers) => {
    const [block] = handlers
    return [...block.matchAll(/^ {2}(?:async )?(\w+)(?:: |\()[\s\S]*?(?=^ {2}(?:async )?\w+(?:: |\()|^\})/gm)].flatMap(
      (match) => {
        const [whole, name = ''] = match
        if (!writes.has(name)) return []
        const performs = whole.startsWith(`  ${name}: prepared(`) ? whole.search(/^ {4}(?:async )?perform\b/m) : 0
        const line = lineAt(text, handlers.index + match.index + performs)
        return [{ file: path, text: whole.slice(performs), line, what: `the handler ${name}` }]
      },
    )
  })
}

type Graph = {
  /** The piece that a name means in a file. */
  readonly find: (file: string, name: string) => Piece | undefined
  /** By which calls a piece leaves the database; undefined when it does not. */
  readonly way: (piece: Piece) => readonly string[] | undefined
}

function callsOf(sources: readonly SourceFile[]): Graph {
  const files = new Map(
    sources.map((source) => [source.path, { pieces: piecesOf(source), imports: importsOf(source) }]),
  )
  const find = (file: string, name: string, hops = 0): Piece | undefined => {
    const known = files.get(file)
    const imported = known?.imports.get(name)
    if (imported === undefined || hops > 5) return known?.pieces.get(name)
    return find(imported.file, imported.name, hops + 1)
  }
  const ways = new Map<Piece, readonly string[] | undefined>()
  const way = (piece: Piece): readonly string[] | undefined => {
    if (ways.has(piece)) return ways.get(piece)
    // A circle of calls is asked once.
    ways.set(piece, undefined)
    const found = LEAVES.test(piece.text) ? [piece.name] : firstWay(piece)
    ways.set(piece, found)
    return found
  }
  const firstWay = (piece: Piece): string[] | undefined => {
    for (const name of calledBy(piece.text)) {
      const called = find(piece.file, name)
      const rest = called && called !== piece ? way(called) : undefined
      if (rest) return [piece.name, ...rest]
    }
    return undefined
  }
  return { find, way }
}

function leaving({ find, way }: Graph, { file, text, line, what }: Inside): Finding[] {
  const message = (calls: readonly string[]) =>
    `${what} asks outside the database inside a transaction (${calls.join(' → ')}): prepare it before (decision 0031)`
  if (LEAVES.test(text)) return [{ file, line, message: message(['here']) }]
  for (const name of calledBy(text)) {
    const called = find(file, name)
    const calls = called && way(called)
    if (calls) return [{ file, line, message: message(calls) }]
  }
  return []
}

function calledBy(text: string): Set<string> {
  return new Set([...text.matchAll(/(?<![.\w])(\w+)\(/g)].map(([, name = '']) => name))
}

function piecesOf({ path, text }: SourceFile): Map<string, Piece> {
  const starts = [...text.matchAll(/^(?:export )?(?:(?:async )?function\*? (\w+)|const (\w+))/gm)]
  return new Map(
    starts.map((match) => {
      const name = match[1] ?? match[2] ?? ''
      const rest = text.slice(match.index)
      const end = /\n(?:\}|\)|\])|\n\n/.exec(rest)?.index ?? rest.length
      const whole =
        match[1] === undefined ? rest.slice(0, end) : text.slice(match.index, endOfFunction(text, match.index))
      return [name, { file: path, name, text: whole, line: lineAt(text, match.index) }]
    }),
  )
}

function importsOf({ path, text }: SourceFile): Map<string, { file: string; name: string }> {
  const imports = new Map<string, { file: string; name: string }>()
  for (const [, names = '', from = ''] of text.matchAll(/^(?:import|export) (?!type )\{([^}]*)\} from '(\.[^']+)'/gm)) {
    for (const one of names.split(',')) {
      const [, name, alias] = /^\s*(\w+)(?: as (\w+))?\s*$/.exec(one) ?? []
      if (name) imports.set(alias ?? name, { file: posix.join(posix.dirname(path), from), name })
    }
  }
  return imports
}

/** Where the call ends that encloses a place, or the statement where no call does. */
function endOfCall(text: string, from: number): number {
  let depth = 0
  const next = /\n\s*(?:const|let|return|if|for|await|throw)\b/y
  for (let at = from; at < text.length; at += 1) {
    if ('([{'.includes(text.charAt(at))) depth += 1
    if (')]}'.includes(text.charAt(at)) && --depth < 0) return at
    next.lastIndex = at
    if (depth === 0 && next.test(text)) return at
  }
  return text.length
}

/** The formatter ends a function at the top of a file by the first brace at the beginning of a line that stands alone. */
function endOfFunction(text: string, from: number): number {
  const end = text.slice(from).search(/\n\}\n/)
  return end === -1 ? text.length : from + end
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

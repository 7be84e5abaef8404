import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources, type SourceFile, withoutComments } from './source-files.ts'

/** The tag of a piece of SQL, with or without the type of its rows, which names no function. */
const TAG = /\bsql(?:<[^`(]*>)?`/g

/** Words that begin a statement, whose own clauses end where they end. */
const STATEMENT = /\b(?:SELECT|UPDATE|INSERT|DELETE|CREATE)\b/i

/**
 * Finds pieces of SQL with an OR that no parenthesis encloses. Where such a piece is one of several conditions, AND binds
 * first, and the statement reaches rows that the other conditions exclude.
 */
export async function checkBareAlternatives(root: string): Promise<Outcome> {
  const isOurs = (path: string) => /^(?:apps|packages)\//.test(path) && isWrittenCode(path) && !isTestCode(path)
  const sources = await readSources(root, isOurs)
  return { findings: sources.flatMap(bareIn) }
}

function bareIn({ path, text }: SourceFile): Finding[] {
  const code = withoutComments(text)
  return [...code.matchAll(TAG)].flatMap((tag) => {
    const sql = unenclosed(code, tag.index + tag[0].length)
    // A piece that begins with OR is the rest of an enclosed one.
    if (STATEMENT.test(sql) || /^\s*OR\b/i.test(sql) || !/\bOR\b/i.test(sql)) return []
    const line = code.slice(0, tag.index).split('\n').length
    return [{ file: path, line, message: 'Put parentheses around this OR: beside another condition AND binds first' }]
  })
}

/** The text of a template from its first letter on, without what stands in parentheses or is put in. */
function unenclosed(code: string, start: number): string {
  let [text, depth] = ['', 0]
  for (let at = start; at < code.length && code[at] !== '`'; at += 1) {
    if (code[at] === '\\') at += 1
    else if (code.startsWith('${', at)) at = endOfInsert(code, at + 2)
    else if (code[at] === '(') depth += 1
    else if (code[at] === ')') depth -= 1
    else if (depth === 0) text += code[at]
  }
  return text
}

/** The index of the brace that ends what is put into a template; further templates may stand in it. */
function endOfInsert(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '`') at = endOfTemplate(code, at + 1)
    else if (code[at] === '{') depth += 1
    else if (code[at] === '}') {
      if (depth === 0) return at
      depth -= 1
    }
  }
  return code.length
}

function endOfTemplate(code: string, start: number): number {
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '`') return at
    if (code[at] === '\\') at += 1
    else if (code.startsWith('${', at)) at = endOfInsert(code, at + 2)
  }
  return code.length
}

import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources, type SourceFile, withoutComments } from './source-files.ts'

/** The code that knows how a family spells its addresses and transactions. */
const knowsSpellings = ['packages/chains/', 'packages/keys/']

/** A change of case in code, and one in SQL; the first group is what is changed. */
const FOLDS: readonly RegExp[] = [
  /([\w$]+)(?:\.trim\(\)|\[\w+\]|\)|\?|!)*\.to(?:Locale)?(?:Lower|Upper)Case\(/g,
  /\b(?:lower|upper)\(\s*(?:\w+\.)?(\w+)\s*\)/gi,
]

/** The last word of a name, and whole names, that mean what a chain spells. */
const CHAIN_WORD =
  /(?:^|_|[a-z])(?:[aA]ddress(?:es)?|[tT]x(?:_?[iI]d|Hash)?|[cC]ontract|[sS]ender|[rR]eceiver|[lL]eg|[xX]pub)$/
const CHAIN_NAME = new Set(['to', 'from', 'hash', 'tx_id'])

/**
 * Finds addresses and transactions whose case is changed outside adapters and keys. Case means nothing on one family and
 * everything on the next: `addresses.normalize`, `transactions.normalizeId` and `isSameAddress` know which.
 */
export async function checkChainSpellings(root: string): Promise<Outcome> {
  const isOurs = (path: string) => /^(?:apps|packages)\//.test(path) && isWrittenCode(path) && !isTestCode(path)
  const sources = await readSources(root, (path) => isOurs(path) && !knowsSpellings.some((one) => path.startsWith(one)))
  return { findings: sources.flatMap(foldsIn) }
}

function foldsIn({ path, text }: SourceFile): Finding[] {
  const code = withoutComments(text)
  const folds = FOLDS.flatMap((pattern) => [...code.matchAll(pattern)])
  return folds
    .filter(([, name = '']) => CHAIN_NAME.has(name) || CHAIN_WORD.test(name))
    .map(({ index, 1: name }) => ({
      file: path,
      line: code.slice(0, index).split('\n').length,
      message: `The case of ${name} means something on some chains: ask the adapter (normalize, normalizeId) or @kassa/keys/address-case.ts`,
    }))
}

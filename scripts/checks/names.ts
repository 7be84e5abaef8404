import { basename, dirname } from 'node:path'
import type { Finding, Outcome } from './outcome.ts'
import { isWrittenCode, projectPaths, readSources, type SourceFile, withoutComments } from './source-files.ts'

/** Nouns that say nothing about what a file or folder holds; a name may not end with one. */
const emptyWords = new Set([
  'util',
  'utils',
  'helper',
  'helpers',
  'manager',
  'managers',
  'common',
  'misc',
  'data',
  'core',
  'base',
  'impl',
])
/** Private words that a term of docs/GLOSSARY.md replaced; no part of a file's or a declaration's name is one of them. */
const refusedParts = new Set(
  (
    'odd oddity gift give kept opinion doubt salvage surroundings standing patience crew letter wishes drawings matter ' +
    'story maker worth tell told heavy seat fleet storm dice courier till troubled bent'
  ).split(' '),
)
const refusedNames =
  /^(takeIn|takeBack|takeFound|takeTurn|putAside|goOn\w*|whereIt|lookAround|whyNot\w*|inner|Fact|Want|Watch|Round|Beat|House|Hands|Places|Turns|Said|Refusal)$/
const refusedTexts =
  /kept money|held money|put aside|said goodbye|money ends|at its worth|is told of|\bmend(s|ed|ing)?\b|goes on by itself|books broken/i
/** Pages that quote the refused words. */
const quotesRefusedWords = new Set(['docs/GLOSSARY.md', 'scripts/checks/names.ts', 'scripts/checks/own-checks.test.ts'])
const declaration = /\b(?:const|let|function\*?|type|class|interface)\s+(\w+)/g
const GLOSSARY = 'docs/GLOSSARY.md has the term for it'

const ofOneMachine = /(^|[^A-Za-z0-9_.])\/(work|farm|root|home\/[a-z]+|Users\/[A-Za-z]+|tmp\/[a-z]+)\//
const packageRegistry = /\bregistry\.[a-z]+(js|pkg)?\.(org|com)\b|\bdeb\.debian\.|\bfiles\.pythonhosted\./
const binary = /\.(png|jpe?g|webp|woff2?|ico|wasm|gz)$/

/** Finds names that say nothing, private words in place of the glossary's terms, and text of one machine. */
export async function checkNames(root: string): Promise<Outcome> {
  const paths = await projectPaths(root)
  const texts = await readSources(root, (path) => !binary.test(path))
  const own = texts.filter(({ path }) => !quotesRefusedWords.has(path))
  return {
    findings: [
      ...paths.flatMap(emptyName),
      ...paths.flatMap(refusedFileName),
      ...texts.flatMap(({ path, text }) => machineText(path, text)),
      ...own.filter(({ path }) => isWrittenCode(path)).flatMap(refusedDeclarations),
      ...own.flatMap(refusedPhrases),
    ],
  }
}

function emptyName(path: string): Finding[] {
  // A chain definition is named by its chain, and one of the chains is called Base.
  if (!/\.(ts|tsx|mjs|sql|sol|css)$/.test(path) || path.includes('/chains/definitions/')) return []
  const stem = basename(path).replace(/\..*$/, '')
  const endings = [...dirname(path).split('/'), stem].map((part) => wordsOf(part).at(-1) ?? '')
  const empty = endings.filter((word) => emptyWords.has(word))
  const barrel = /^index\.tsx?$/.test(basename(path)) ? ['index'] : []
  return [...empty, ...barrel].map((word) => ({
    file: path,
    message: `"${word}" does not say what is inside: name the one thing it holds`,
  }))
}

/** The words of a name, split at dashes, dots, underscores and capitals, in lower case. */
function wordsOf(name: string): string[] {
  return name.split(/[-_.]|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase())
}

function refusedFileName(path: string): Finding[] {
  const refused = wordsOf(basename(path)).filter((word) => refusedParts.has(word))
  return refused.map((word) => ({ file: path, message: `"${word}" is a private word: ${GLOSSARY}` }))
}

function refusedDeclarations({ path, text }: SourceFile): Finding[] {
  return withoutComments(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(declaration)]
        .map(([, name = '']) => name)
        .filter((name) => refusedNames.test(name) || wordsOf(name).some((word) => refusedParts.has(word)))
        .map((name) => ({ file: path, line: index + 1, message: `"${name}" has a private word: ${GLOSSARY}` })),
    )
}

function refusedPhrases({ path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const [phrase] = refusedTexts.exec(content) ?? []
    if (phrase === undefined) return []
    return [{ file: path, line: index + 1, message: `"${phrase}" is not how a text says it: ${GLOSSARY}` }]
  })
}

function machineText(path: string, text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    if (packageRegistry.test(line))
      return [{ file: path, line: index + 1, message: 'Names the host of a package registry' }]
    if (ofOneMachine.test(line)) return [{ file: path, line: index + 1, message: 'Names a folder of one machine' }]
    return []
  })
}

import { basename, dirname } from 'node:path'
import type { Finding, Outcome } from './outcome.ts'
import { projectPaths, readSources } from './source-files.ts'

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
const ofOneMachine = /(^|[^A-Za-z0-9_.])\/(work|farm|root|home\/[a-z]+|Users\/[A-Za-z]+|tmp\/[a-z]+)\//
const packageRegistry = /\bregistry\.[a-z]+(js|pkg)?\.(org|com)\b|\bdeb\.debian\.|\bfiles\.pythonhosted\./
const binary = /\.(png|jpe?g|webp|woff2?|ico|wasm|gz)$/

/** Finds file and folder names that say nothing, and text that only one machine understands. */
export async function checkNames(root: string): Promise<Outcome> {
  const paths = await projectPaths(root)
  const texts = await readSources(root, (path) => !binary.test(path))
  return { findings: [...paths.flatMap(emptyName), ...texts.flatMap(({ path, text }) => machineText(path, text))] }
}

function emptyName(path: string): Finding[] {
  // A chain definition is named by its chain, and one of the chains is called Base.
  if (!/\.(ts|tsx|mjs|sql|sol|css)$/.test(path) || path.includes('/chains/definitions/')) return []
  const stem = basename(path).replace(/\..*$/, '')
  const endings = [...dirname(path).split('/'), stem].map(
    (part) => part.split(/[-_.]|(?<=[a-z])(?=[A-Z])/).at(-1) ?? '',
  )
  const empty = endings.map((word) => word.toLowerCase()).filter((word) => emptyWords.has(word))
  const barrel = /^index\.tsx?$/.test(basename(path)) ? ['index'] : []
  return [...empty, ...barrel].map((word) => ({
    file: path,
    message: `"${word}" does not say what is inside: name the one thing it holds`,
  }))
}

function machineText(path: string, text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    if (packageRegistry.test(line))
      return [{ file: path, line: index + 1, message: 'Names the host of a package registry' }]
    if (ofOneMachine.test(line)) return [{ file: path, line: index + 1, message: 'Names a folder of one machine' }]
    return []
  })
}

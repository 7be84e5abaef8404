import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources, type SourceFile, withoutComments } from './source-files.ts'

const IMPORTS = /\bimport\s+(?:[^'";]*?\s+from\s+)?['"][^'"\n]+['"];?/g
const EXPORTS_OF_OTHERS = /\bexport\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+['"][^'"\n]+['"];?/g
/** After the imports are gone: names that were imported, exported again. */
const EXPORTS_OF_NAMES = /\bexport\s+(?:type\s+)?\{[^}]*\};?/g

/** Files that may do nothing but hand on, and why. */
const allowedFiles: Readonly<Record<string, string>> = {}

/** Finds files in which every statement re-exports from another file: importers use that file directly. */
export async function checkReExports(root: string, allowed = allowedFiles): Promise<Outcome> {
  const sources = await readSources(
    root,
    (path) => /^(apps|packages)\//.test(path) && isWrittenCode(path) && !isTestCode(path),
  )
  const empty = sources.filter(onlyHandsOn).map(({ path }) => path)
  return {
    findings: [
      ...empty.filter((path) => allowed[path] === undefined).map(refused),
      ...Object.keys(allowed).flatMap((file) => (empty.includes(file) ? [] : [idle(file)])),
    ],
    note: `${sources.length} files`,
  }
}

function onlyHandsOn({ text }: SourceFile): boolean {
  const code = withoutComments(text)
  const rest = code.replace(EXPORTS_OF_OTHERS, '').replace(IMPORTS, '')
  const handsOn = code.search(EXPORTS_OF_OTHERS) !== -1 || rest.search(EXPORTS_OF_NAMES) !== -1
  return handsOn && rest.replace(EXPORTS_OF_NAMES, '').trim() === ''
}

function refused(file: string): Finding {
  return { file, message: 'Every statement of this file re-exports: import from the files that hold the code' }
}

function idle(file: string): Finding {
  return { file, message: 'This file does more than re-export, or does not exist: take it off the list of exceptions' }
}

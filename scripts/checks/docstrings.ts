import type { Finding, Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources, type SourceFile } from './source-files.ts'

const described =
  /^packages\/(primitives|contract|chains)\/src\/|^apps\/server\/src\/modules\/.*[/-](service|rules|store)\.ts$/
const exportedFunction = /^export (async )?function\*? (\w+)/

/** Finds exported functions that do not say what the caller gets, and services that do not say what they are for. */
export async function checkDocstrings(root: string): Promise<Outcome> {
  const sources = await readSources(root, (path) => described.test(path) && isWrittenCode(path) && !isTestCode(path))
  return { findings: sources.flatMap((source) => [...undescribed(source), ...unintroduced(source)]) }
}

function undescribed({ path, text }: SourceFile): Finding[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const name = exportedFunction.exec(line)?.[2]
    const before = lines[index - 1]?.trim() ?? ''
    const overload = exportedFunction.exec(lines[index - 1] ?? '')?.[2] === name
    if (name === undefined || overload || before.endsWith('*/')) return []
    return [{ file: path, line: index + 1, message: `${name} needs one sentence saying what the caller gets` }]
  })
}

function unintroduced({ path, text }: SourceFile): Finding[] {
  if (!path.endsWith('/service.ts') || /^\/(\*|\/)/.test(text)) return []
  return [{ file: path, line: 1, message: 'Opens without saying what this noun is in the business' }]
}

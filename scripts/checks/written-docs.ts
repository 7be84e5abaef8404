import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Finding, Outcome } from './outcome.ts'
import { readSources, type SourceFile } from './source-files.ts'

const link = /\]\(([^)\s]+)\)/g
/** `apps/server/src/app.ts` in backticks: a path that starts at the root and has no placeholder. */
const codePath = /`((?:apps|packages|docs|scripts|e2e|bench)\/[^\s`<>{}*…]*)`/g

/** A page that is read first stays short enough to be read. */
const longest: Readonly<Record<string, number>> = { 'docs/ARCHITECTURE.md': 145 }

/** Finds links and paths that lead nowhere, decisions that nothing enforces, and pages that grew too long. */
export async function checkWrittenDocs(root: string): Promise<Outcome> {
  const pages = await readSources(root, (path) => path.endsWith('.md') && !path.startsWith('docs/generated/'))
  return {
    findings: pages.flatMap((page) => [...deadEnds(root, page), ...unenforced(page), ...tooLong(page)]),
    note: `${pages.length} pages`,
  }
}

function deadEnds(root: string, { path, text }: SourceFile): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const links = [...line.matchAll(link)]
      .map(([, target = '']) => target.replace(/#.*$/, ''))
      .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
      .map((target) => normalize(join(dirname(path), target)))
    const paths = [...line.matchAll(codePath)].map(([, target = '']) => target.replace(/[,.;:]$/, ''))
    return [...links, ...paths]
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => ({ file: path, line: index + 1, message: `leads to ${target}, which does not exist` }))
  })
}

function unenforced({ path, text }: SourceFile): Finding[] {
  if (!/^docs\/decisions\/\d{4}-/.test(path) || text.includes('**Enforced by**')) return []
  return [{ file: path, message: 'does not name the check that enforces it' }]
}

function tooLong({ path, text }: SourceFile): Finding[] {
  const limit = longest[path]
  const lines = text.split('\n').length - 1
  return limit === undefined || lines <= limit
    ? []
    : [{ file: path, message: `has ${lines} lines, more than ${limit}` }]
}

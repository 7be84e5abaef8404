import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Finding, Outcome } from './outcome.ts'
import { readSources, type SourceFile } from './source-files.ts'

const link = /\]\(([^)\s]+)\)/g
/** `apps/server/src/app.ts` in backticks: a path that starts at the root and has no placeholder. */
const codePath = /`((?:apps|packages|docs|scripts|e2e|bench)\/[^\s`<>{}*…]*)`/g

/** Finds links and paths in the written pages that lead nowhere. */
export async function checkDocLinks(root: string): Promise<Outcome> {
  const pages = await readSources(root, (path) => path.endsWith('.md') && !path.startsWith('docs/generated/'))
  return { findings: pages.flatMap((page) => deadEnds(root, page)), note: `${pages.length} pages` }
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

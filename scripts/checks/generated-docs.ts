import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printedPages } from '../docs/printed-pages.ts'
import type { Outcome } from './outcome.ts'

/** Finds pages of docs/generated that no longer say what the contract says. */
export async function checkGeneratedDocs(root: string): Promise<Outcome> {
  return compare(root, await printedPages(root))
}

/** Compares printed texts with the files of the same path. */
export async function compare(root: string, pages: ReadonlyMap<string, string>): Promise<Outcome> {
  const stale = await Promise.all(
    [...pages].map(async ([path, text]) =>
      (await readFile(join(root, path), 'utf8').catch(() => null)) === text ? [] : [path],
    ),
  )
  const findings = stale.flat().map((file) => ({ file, message: 'is stale: run `npm run docs` and commit it' }))
  return { findings, note: `${pages.size} pages` }
}

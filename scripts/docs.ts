/** `npm run docs`: writes docs/generated from the contract. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { printedPages } from './docs/printed-pages.ts'

const root = join(import.meta.dirname, '..')
for (const [path, text] of await printedPages(root)) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
  console.log(path)
}

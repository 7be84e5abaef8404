import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outcome } from './outcome.ts'
import { isTestCode, isWrittenCode, readSources } from './source-files.ts'

const SPECIFICATION = 'docs/spec/product.md'

/** What the page fixes letter by letter: quoted texts, and the names of fields and the paths that hold a capital letter. */
function specificationTexts(page: string): readonly string[] {
  const quoted = [...page.matchAll(/'([^'\n]+)'/g)].map(([, text = '']) => text)
  // The code puts the label of what was copied into its place: the text around it is fixed.
  const texts = quoted.flatMap((text) => text.split(/\{[^}]+\}/)).filter((text) => text !== '')
  // A capital letter within tells a name from a word that any code holds.
  const names = [...page.matchAll(/`(\/?[a-z]+[A-Z][A-Za-z]*)`/g)].map(([, name = '']) => name)
  return [...new Set([...texts, ...names])]
}

/** Finds texts of the specification that no screen and no schema has any more. */
export async function checkSpecificationTexts(root: string): Promise<Outcome> {
  const [page, sources] = await Promise.all([
    readFile(join(root, SPECIFICATION), 'utf8'),
    readSources(root, (path) => /^(apps|packages\/contract)\//.test(path) && isWrittenCode(path) && !isTestCode(path)),
  ])
  const texts = specificationTexts(page)
  const missing = texts.filter((text) => !sources.some((source) => source.text.includes(text)))
  return {
    findings: [
      ...(texts.length === 0 ? [{ file: SPECIFICATION, message: 'fixes no text' }] : []),
      ...missing.map((text) => ({
        file: SPECIFICATION,
        message: `'${text}' stands nowhere in apps/ or packages/contract/`,
      })),
    ],
    note: `${texts.length} texts and names`,
  }
}

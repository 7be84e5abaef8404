import { describe, expect, it } from 'vitest'
import { inPlantedTree, type Planted } from './planted-tree.ts'
import { checkReExports } from './re-exports.ts'

const file = 'packages/chains/src/all.ts'

async function ask(files: Planted, allowed: Readonly<Record<string, string>> = {}) {
  return (await inPlantedTree(files, (root) => checkReExports(root, allowed))).findings.map(({ file: path }) => path)
}

describe('re-exports', () => {
  it.each([
    ['names', "/** All. */\nexport { a } from './a.ts'\nexport type {\n  B,\n} from './b.ts'\n"],
    ['everything', "export * from './a.ts'; export * as b from './b.ts'\n"],
    ['what it imported', "import { a } from './a.ts'\nimport './b.ts'\n\nexport { a }\n"],
  ])('refuses a file that only hands on %s', async (_, text) => {
    expect(await ask({ [file]: text })).toEqual([file])
  })

  it.each([
    ['has code of its own', "export { a } from './a.ts'\nexport const b = 1\n"],
    ['exports what it declares', "import { a } from './a.ts'\nconst b = a\nexport { b }\n"],
    ['is run for what it does', "import './a.ts'\nimport './b.ts'\n"],
    ['only speaks of it', "// export { a } from './a.ts'\n"],
  ])('accepts a file that %s', async (_, text) => {
    expect(await ask({ [file]: text })).toEqual([])
  })

  it('accepts an exception, and names one that is none any more', async () => {
    expect(await ask({ [file]: "export * from './a.ts'\n" }, { [file]: 'a reason' })).toEqual([])
    expect(await ask({ [file]: 'export const a = 1\n' }, { [file]: 'a reason' })).toEqual([file])
  })
})

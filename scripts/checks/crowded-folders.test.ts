import { describe, expect, it } from 'vitest'
import { checkCrowdedFolders } from './crowded-folders.ts'
import { inPlantedTree } from './planted-tree.ts'

const folder = 'apps/dashboard/src/lib'

/** Asks about a folder of so many files, beside tests and a folder below it. */
async function ask(count: number, exempt: Parameters<typeof checkCrowdedFolders>[1]) {
  const names = Array.from({ length: count }, (_, index) => `word-${index}`)
  const files = [
    ...names.flatMap((name) => [`${name}.ts`, `${name}.test.ts`]),
    ...['testing', 'deeper', 'generated'].flatMap((below) => names.slice(0, 10).map((name) => `${below}/${name}.ts`)),
  ]
  const planted = Object.fromEntries(files.map((name) => [`${folder}/${name}`, '']))
  const { findings } = await inPlantedTree(planted, (root) => checkCrowdedFolders(root, exempt))
  return findings.map(({ file, message }) => `${file} ${message}`)
}

describe('crowded folders', () => {
  it('names a folder of 15 files, and counts neither tests nor subfolders', async () => {
    expect(await ask(14, {})).toEqual([])
    expect(await ask(15, {})).toEqual([
      `${folder} holds 15 files beside tests, 14 are allowed: divide it by what its files are about`,
    ])
  })

  it('accepts a list with its reason', async () => {
    expect(await ask(15, { [folder]: 'a reason' })).toEqual([])
  })
})

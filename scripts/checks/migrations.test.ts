import { describe, expect, it } from 'vitest'
import { checkMigrations } from './migrations.ts'
import { inPlantedTree } from './planted-tree.ts'

const folder = 'apps/server/src/db/migrations/'

async function ask(names: readonly string[], explained: Readonly<Record<number, string>> = {}) {
  const files = Object.fromEntries(names.map((name) => [`${folder}${name}`, '']))
  const { findings } = await inPlantedTree(files, (root) => checkMigrations(root, explained))
  return findings.map(({ file, message }) => `${file.slice(folder.length)} ${message}`)
}

describe('migrations', () => {
  it('names a hole in the numbers, the first number included', async () => {
    expect(await ask(['0002-b.sql', '0004-d.sql'])).toEqual([
      ' Number 1 is missing: give the next migration this number, or say why',
      ' Number 3 is missing: give the next migration this number, or say why',
    ])
  })

  it('accepts a hole with its reason, and names a reason without its hole', async () => {
    expect(await ask(['0001-a.sql', '0003-c.sql'], { 2: 'a reason' })).toEqual([])
    expect(await ask(['0001-a.sql', '0002-b.sql'], { 2: 'a reason' })).toEqual([
      ' Number 2 is no hole: take its reason off the list',
    ])
  })

  it('names two migrations with one number, and a file without one', async () => {
    expect(await ask(['0001-a.sql', '0001-b.sql', 'notes.txt'])).toEqual([
      '0001-b.sql Another migration has the same number',
      'notes.txt A migration is named by four digits and words: 0025-payouts.sql',
    ])
  })
})

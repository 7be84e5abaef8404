import { describe, expect, it } from 'vitest'
import { checkBareAlternatives } from './bare-alternatives.ts'
import { inPlantedTree } from './planted-tree.ts'

const file = 'apps/server/src/modules/sweep-permissions/record/store.ts'

async function ask(code: string) {
  const { findings } = await inPlantedTree({ [file]: `\n${code}\n` }, checkBareAlternatives)
  return findings.map((one) => one.line)
}

describe('alternatives in SQL', () => {
  it.each([
    "sql`kind = 'transfer_tx' OR height IS NULL`",
    "sql<boolean>`kind = 'transfer_tx' OR NOT EXISTS (SELECT FROM other)`",
    'sql<boolean>`kind = ${kind} or ${isOpen ? sql`true` : sql`false`}`',
    'sql`(${isFree ? sql`a = 1 OR b = 2` : sql`true`})`',
  ])('are enclosed: %s', async (code) => {
    expect(await ask(code)).toEqual([2])
  })

  it.each([
    "sql`(kind = 'transfer_tx' OR height IS NULL)`",
    'sql`SELECT FROM sweeps WHERE state = 1 OR state = 2`',
    'sql` OR reference_id BETWEEN ${from} AND ${to}`',
    'sql`(a = 1 ${sql` OR b = 2`})`',
    'sql`ordinal = 1 AND origin = 2`',
    '`a OR b`',
    "sql`a = 1` + 'OR'",
    '// sql`a OR b`',
  ])('may stand as in %s', async (code) => {
    expect(await ask(code)).toEqual([])
  })
})

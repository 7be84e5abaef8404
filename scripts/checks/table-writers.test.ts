import { describe, expect, it } from 'vitest'
import { inPlantedTree, type Planted } from './planted-tree.ts'
import { checkTableWriters, type SecondWriter } from './table-writers.ts'

const modules = 'apps/server/src/modules'
const payments = `${modules}/payments/room/payment-store.ts`
const deposits = `${modules}/deposits/store.ts`

async function ask(files: Planted, allowed: readonly SecondWriter[] = []) {
  const { findings } = await inPlantedTree(files, (root) => checkTableWriters(root, allowed))
  return findings.map(({ file, line, message }) => `${file}:${line ?? ''} ${message}`)
}

describe('writers of tables', () => {
  it.each([
    ['the query builder', "db.updateTable('payments')"],
    ['an insert of several lines', 'sql`WITH new AS (\n  INSERT INTO\n  payments (id) VALUES (1)) SELECT 1`'],
    ['rows that are given', "sql`INSERT INTO ${rowsInto('payments', rows)}`"],
    ['an update', 'sql`UPDATE payments SET a = 1`'],
    ['an update with another name', 'sql`UPDATE payments AS payment SET a = 1`'],
    ['an update with a short name', 'sql`UPDATE payments p SET a = 1`'],
    ['a deletion', 'sql`delete from only payments USING due`'],
    ['a truncation', 'sql`TRUNCATE payments`'],
  ])('names both modules of a table when one writes it by %s', async (_, write) => {
    const found = await ask({ [payments]: "db.insertInto('payments')\n", [deposits]: `\n${write}\n` })
    expect(found.map((one) => one.replace(/ too:.*/, ''))).toEqual([
      expect.stringMatching(/deposits\/store\.ts:[234] Table payments is written by modules\/payments$/),
      `${payments}:1 Table payments is written by modules/deposits`,
    ])
  })

  it('counts neither reads, locks, conflicts and comments nor two rooms of one module', async () => {
    const reads = [
      'sql`SELECT 1 FROM payments FOR UPDATE OF payments`',
      'sql`SELECT 1 FROM payments FOR NO KEY UPDATE`',
      'sql`INSERT INTO deposits (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1`',
      '// UPDATE payments SET a = 1',
    ]
    const room = { [`${modules}/payments/other/store.ts`]: 'sql`UPDATE payments SET a = 1`' }
    expect(await ask({ [payments]: "db.insertInto('payments')\n", [deposits]: reads.join('\n'), ...room })).toEqual([])
  })

  it('asks for the name of a table that is put together', async () => {
    const found = await ask({ [deposits]: 'db.deleteFrom(table)\nsql`INSERT INTO ${sql.table(table)} (a)`\n' })
    expect(found).toEqual([
      `${deposits}:1 Write the name of the table out: a check reads who writes it`,
      `${deposits}:2 Write the name of the table out: a check reads who writes it`,
    ])
  })

  it('allows a second writer that the list names, and names one that writes no more', async () => {
    const files = { [payments]: "db.insertInto('payments')\n", [deposits]: "db.insertInto('payments')\n" }
    const second = { table: 'payments', home: 'modules/deposits', reason: 'a test' }
    expect(await ask(files, [second])).toEqual([])
    expect(await ask(files, [second, { ...second, table: 'quotes' }])).toEqual([
      ': modules/deposits no longer writes quotes: take it off the list of second writers',
    ])
  })
})

/** `npm run spec`: every row of the specification with the test that proves it; 1 when a row has none. */
import { join } from 'node:path'

import { lacksTest, type Proven, provenRows } from './checks/specification-rows.ts'

const rows = await provenRows(join(import.meta.dirname, '..'))
const sections = [...new Set(rows.map(({ section }) => section))]
for (const section of sections) {
  console.log(`\n${section}`)
  for (const row of rows.filter((one) => one.section === section)) console.log(line(row))
}
const without = rows.filter(lacksTest)
console.log(`\n${rows.length} rows: ${rows.length - without.length} proven, ${without.length} without a test`)
process.exitCode = without.length === 0 ? 0 : 1

function line({ row, place }: Proven): string {
  if (place !== undefined) return `  ✓ ${row}\n      ${place.file}:${place.line}  ${place.title}`
  return `  ✗ ${row}\n      no test`
}

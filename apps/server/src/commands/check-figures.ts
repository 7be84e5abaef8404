/**
 * `npm run check-figures`: recomputes every figure of the analytics from deposits, payments and customers, prints each that is
 * kept differently by the name of its row, and ends with 0 only when there is none. Reads only; Kassa may be running.
 */
import { countedPercent, findDifferences } from '../modules/analytics/rollups/service.ts'
import { runCommand } from './with-context.ts'

process.exitCode = await runCommand('check-figures', async (ctx) => {
  const percent = await countedPercent(ctx)
  if (percent !== null) console.log(`The past is counted to ${percent} %: what is not counted yet differs.`)
  const differences = await findDifferences(ctx)
  for (const { rule, subject, kept, expected } of differences) {
    console.log(`DIFFERS ${subject}: kept ${kept}, expected ${expected} (${rule})`)
  }
  console.log(`${differences.length} difference(s).`)
  return differences.length === 0 ? 0 : 1
})

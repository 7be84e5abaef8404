/**
 * `npm run check-books`: compares the books with each other and with every active blockchain at a common block, prints the
 * difference per asset, and ends with 0 only when every difference is 0. Reads only; Kassa may be running.
 */
import { formatUnits } from '@kassa/primitives/money/units.ts'

import { INVARIANTS } from '../app.ts'
import { type LedgerReport, checkLedger, isSound } from '../modules/reconciliation/service.ts'
import { runCommand } from './with-context.ts'

process.exitCode = await runCommand('check-books', async (ctx) => {
  const report = await checkLedger(ctx, INVARIANTS)
  print(report)
  return isSound(report) && report.unchecked.length === 0 ? 0 : 1
})

function print(report: LedgerReport): void {
  for (const { rule, rows, examples } of report.broken) {
    console.log(`BROKEN  ${rule} ${rows} row(s): ${examples.join(', ')}`)
  }
  for (const { unit, units } of report.differences.filter(({ units }) => units !== 0n)) {
    const where = unit.blockchainCode === null ? '' : ` on ${unit.blockchainCode}`
    console.log(`BROKEN  ${unit.currencyCode}${where}: debits - credits = ${formatUnits(units, unit.decimals)}`)
  }
  for (const { asset, height, ledger, chain } of report.drift) {
    const [booked, found, drift] = [ledger, chain, chain - ledger].map((units) => formatUnits(units, asset.decimals))
    const what = `${asset.currencyCode} on ${asset.blockchainCode} at block ${height}`
    console.log(
      `${ledger === chain ? 'ok      ' : 'DRIFT   '}${what}: ledger ${booked}, chain ${found}, drift ${drift}`,
    )
  }
  for (const { blockchainCode, reason } of report.unchecked) console.log(`UNKNOWN ${blockchainCode}: ${reason}`)
  const missing = report.unchecked.length
  const caveat = missing > 0 ? ` ${missing} blockchain(s) could not be compared.` : ''
  console.log(`${isSound(report) ? 'The books balance.' : 'The books do not balance.'}${caveat}`)
}

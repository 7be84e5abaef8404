/**
 * `npm run check-books`: compares the books with each other and with every active blockchain at a common block, prints the
 * difference per asset, and ends with 0 only when every difference is 0. Reads only; Kassa may be running.
 */
import { connect } from '@kassa/chains/rpc/client.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { pino } from 'pino'

import { processEnvironment, SettingError } from '../config/config.ts'
import { findMasterKey } from '../config/master-key.ts'
import { VERSION } from '../config/version.ts'
import { type Context, realSleep } from '../context.ts'
import { openDatabase } from '../db/database.ts'
import { createEgress } from '../egress/guarded.ts'
import { createEvents } from '../events/outbox.ts'
import { type BooksReport, checkBooks, isSound } from '../modules/ledger/service.ts'
import { setting } from '../modules/settings/service.ts'
import { startPostgres } from '../sandbox/postgres.ts'
import { StartError } from '../sandbox/start-error.ts'

process.exitCode = await main().catch((error: unknown) => {
  const isExpected = error instanceof SettingError || error instanceof StartError
  console.error(isExpected ? error.message : error)
  return 2
})

async function main(): Promise<number> {
  const environment = processEnvironment()
  const log = pino({ level: 'silent' })
  const builtIn = environment.databaseUrl === null ? await startPostgres({ home: environment.home, log }) : null
  const databaseUrl = environment.databaseUrl ?? builtIn?.url ?? ''
  const database = openDatabase(databaseUrl, { max: 2 })
  const egress = createEgress(environment.network, { allowed: () => setting(ctx, 'security.egress_allow') })
  const ctx: Context = {
    db: database.db,
    config: {
      ...environment,
      databaseUrl,
      databaseDirectUrl: environment.databaseDirectUrl ?? databaseUrl,
      masterKey: findMasterKey(environment),
      version: VERSION,
    },
    log,
    now: () => new Date(),
    sleep: realSleep,
    jobs: { send: async () => Promise.reject(new Error('A check queues no work')) },
    events: createEvents([]),
    egress,
    connect,
    caller: { kind: 'system' },
    requestId: 'check-books',
  }
  try {
    const report = await checkBooks(ctx)
    print(report)
    return isSound(report) && report.unchecked.length === 0 ? 0 : 1
  } finally {
    await egress.close()
    await database.close()
    // A running Kassa keeps its database.
    if (builtIn && !builtIn.reused) await builtIn.stop()
  }
}

function print(report: BooksReport): void {
  for (const { rule, rows, examples } of report.broken) {
    console.log(`BROKEN  ${rule} ${rows} row(s): ${examples.join(', ')}`)
  }
  for (const { asset, units } of report.differences.filter(({ units }) => units !== 0n)) {
    console.log(
      `BROKEN  ${asset.currencyCode} on ${asset.blockchainCode}: debits - credits = ${formatUnits(units, asset.decimals)}`,
    )
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

/**
 * `npm run bench`: measures what Kassa promises to be fast at, each figure beside its physical limit on this machine at
 * this moment. `npm run bench -- payments` runs the measurements whose name begins so, `--full` measures
 * with ten times as many rows, `--keep FOLDER` fills a large install there once and keeps it, `--json` prints for programs.
 * It judges nothing: the reader does.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { runTool } from '../scripts/checks/command.ts'
import { auditLog } from './access/audit-log.ts'
import { access } from './access/access.ts'
import { analytics, backfill } from './payments/analytics.ts'
import { addressDerivation } from './chains/address-derivation.ts'
import { catchUp } from './chains/catch-up.ts'
import { comparison } from './chains/comparison.ts'
import { dashboard } from './pages/dashboard.ts'
import { depositCrediting } from './payments/deposit-crediting.ts'
import { type Cleanup, type Figure, type Measurement, ratioOf, tableOf } from './harness/figure.ts'
import { nativeCatchUp } from './chains/native-catch-up.ts'
import { navigation } from './pages/navigation.ts'
import { pageBytes } from './pages/page-bytes.ts'
import { pages } from './pages/pages.ts'
import { paymentCreation } from './payments/payment-creation.ts'
import { paymentDetection } from './payments/payment-detection.ts'
import { paymentSearch } from './payments/payment-search.ts'
import { dryRun } from './payouts/dry-run.ts'
import { psbt } from './payouts/psbt.ts'
import { reorganisation } from './chains/reorganisation.ts'
import { promoterPage } from './referral/promoter-page.ts'
import { referral } from './referral/referral.ts'
import { payouts } from './payouts/payouts.ts'
import { signer } from './payouts/signer.ts'
import { startUp } from './pages/start-up.ts'
import { sweepGas } from './payouts/sweep-gas.ts'
import { sweepPlan } from './payouts/sweep-plan.ts'
import { vaults } from './access/vaults.ts'
import { webhookDelivery } from './payments/webhook-delivery.ts'

const MEASUREMENTS: readonly Measurement[] = [
  paymentCreation,
  paymentDetection,
  catchUp,
  nativeCatchUp,
  addressDerivation,
  pageBytes,
  pages,
  navigation,
  dashboard,
  startUp,
  paymentSearch,
  analytics,
  backfill,
  auditLog,
  access,
  depositCrediting,
  reorganisation,
  webhookDelivery,
  vaults,
  sweepPlan,
  psbt,
  referral,
  promoterPage,
  payouts,
  dryRun,
  sweepGas,
  comparison,
  signer,
]

/** What is under way and must be stopped, newest last. */
const running: (() => Promise<unknown> | void)[] = []

let isInterrupted = false

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' }, full: { type: 'boolean' }, keep: { type: 'string' } },
  allowPositionals: true,
})
const chosen = MEASUREMENTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((word) => name.startsWith(word)),
)
process.exitCode = await main(chosen)

async function main(measurements: readonly Measurement[]): Promise<number> {
  if (measurements.length === 0) {
    console.error(`There is no such measurement. There are: ${MEASUREMENTS.map(({ name }) => name).join(', ')}.`)
    return 2
  }
  endOnSignals()
  // What is stale is built before the clock runs.
  const built = await runTool(join(import.meta.dirname, '..'), 'node', ['scripts/build.mjs'])
  if (built.code !== 0) {
    console.error(built.output)
    return 1
  }
  const [before = 0] = loadavg()
  const figures: (Figure & { measurement: string })[] = []
  for (const measurement of measurements) figures.push(...(await measure(measurement)))
  const [after = 0] = loadavg()
  const machine = {
    cpu: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    node: process.version,
    load: { before, after },
  }
  if (values.json) console.log(JSON.stringify({ machine, figures: figures.map(withRatio) }, null, 2))
  else print(figures, machine)
  return 0
}

async function measure({ name, run }: Measurement): Promise<(Figure & { measurement: string })[]> {
  process.stderr.write(`measuring ${name} … `)
  const begun = performance.now()
  const cleanup: Cleanup = (stop) => void running.push(stop)
  try {
    const options = { isFull: values.full ?? false, ...(values.keep && { keptIn: values.keep }) }
    return (await run(cleanup, options)).map((figure) => ({ measurement: name, ...figure }))
  } catch (error) {
    // Its ground was taken away; the process ends once everything is stopped.
    if (isInterrupted) await new Promise(() => undefined)
    throw error
  } finally {
    await stopAll()
    process.stderr.write(`${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
  }
}

/** npm passes on the Ctrl-C that the terminal sent already: only the first counts, and everything started is stopped. */
function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isInterrupted) return
      isInterrupted = true
      void stopAll().then(() => process.exit(130))
    })
  }
}

/** What was started last goes first; one that fails does not keep the rest. */
async function stopAll(): Promise<void> {
  for (let stop = running.pop(); stop !== undefined; stop = running.pop()) {
    try {
      await stop()
    } catch (error) {
      console.error(error)
    }
  }
}

function withRatio(figure: Figure & { measurement: string }) {
  return { ...figure, ratio: ratioOf(figure) }
}

type Machine = { cpu: string; cores: number; node: string; load: { before: number; after: number } }

function print(figures: readonly Figure[], { cpu, cores, node, load }: Machine): void {
  console.log(`\n${tableOf(figures)}\n`)
  console.log('ratio = measured / limit: of rates and points more is better, of times and sizes less.')
  console.log(`${cores} × ${cpu}, Node ${node}; load ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after.`)
  if (load.before > cores / 2) console.log('The machine was busy with other work: repeat this on an idle one.')
}

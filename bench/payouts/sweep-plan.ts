/** The plan of a sweep of 100,000 addresses, beside what any plan does at least: one sort and one product for each address. */
import { type Candidate, planBatches, type Terms } from '../../apps/server/src/modules/sweeps/planner/rules.ts'

import type { Figure, Measurement } from '../harness/figure.ts'
import { median } from '../harness/quantile.ts'

const ADDRESSES = 100_000

/** Both take turns, so that what else the machine does slows them alike. The first round warms up and is left out. */
const ROUNDS = 6

const DOLLAR = 10n ** 18n

const gas = (units: bigint) => ({ gas: units, beside: 0n })

const TERMS: Terms = {
  asset: { price: DOLLAR, decimals: 6 },
  coin: { price: 3_000n * DOLLAR, decimals: 18 },
  gasPrice: 10n ** 9n,
  costs: { base: gas(30_000n), first: gas(56_000n), repeat: gas(13_000n) },
  maxFeeBps: 100n,
  minBalance: null,
  maxItems: 100,
  maxGas: 3_000_000n,
}

export const sweepPlan: Measurement = { name: 'sweep-plan', run: async () => run() }

function run(): readonly Figure[] {
  const candidates = made()
  const rounds = Array.from({ length: ROUNDS }, () => ({
    planned: timed(() => planBatches(candidates, TERMS)),
    least: timed(() => sortedAndPriced(candidates)),
  })).slice(1)
  return [
    {
      name: `${ADDRESSES} funded addresses planned`,
      value: median(rounds.map(({ planned }) => planned)),
      unit: 'ms',
      limit: { name: 'one sort, one product for each', value: median(rounds.map(({ least }) => least)) },
    },
  ]
}

/** Amounts from a cent to thousands of dollars, a third of them on addresses that were never swept. */
function made(): Candidate[] {
  const since = new Date(0)
  return Array.from({ length: ADDRESSES }, (_, at) => ({
    addressId: BigInt(at + 1),
    units: BigInt(((at * 7_919) % 400_000) + 1) * 10_000n,
    since,
    isFirst: at % 3 === 0,
    blocked: null,
  }))
}

function sortedAndPriced(candidates: readonly Candidate[]): bigint {
  const sorted = candidates.toSorted((a, b) => (a.units < b.units ? 1 : a.units > b.units ? -1 : 0))
  return sorted.reduce((sum, { units }) => sum + (units * DOLLAR) / 10n ** 18n, 0n)
}

function timed(work: () => unknown): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

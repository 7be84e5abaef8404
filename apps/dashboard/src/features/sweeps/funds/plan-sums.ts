/** What a sweep of everything that is ready would do, summed up from its rows and their plans. */
import type { BalanceRow, SweepPlan } from '@kassa/contract/sweeps/schemas.ts'
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** As many as any asset has. */
const MOST_DECIMALS = 36

type Waits = NonNullable<BalanceRow['waits']>

export type PlanSums = {
  readonly addresses: number
  /** US dollars; absent where a part has no price. */
  readonly value: string | undefined
  readonly fee: string | undefined
  /** Of the value: a percentage with two decimals, cut. */
  readonly feePercent: string | undefined
  readonly transactions: number
  /** Names or addresses of the ends, each once. */
  readonly ends: readonly string[]
}

export type Staying = {
  readonly addresses: number
  readonly value: string | undefined
  readonly why: readonly { readonly waits: Waits; readonly addresses: number }[]
}

/** Whether a press sweeps the row at once: its contract needs no permission, and pages work on its network. */
export function isReady({ action, path, manual }: BalanceRow): boolean {
  return action === 'sweep' && path === 'contract' && manual
}

/** Returns what the plans move, and at what price. */
export function sumPlans(plans: readonly SweepPlan[], rows: readonly BalanceRow[]): PlanSums {
  const batches = plans.flatMap((plan) => plan.batches)
  const value = sum(batches.map((batch) => batch.amountInUSD))
  const fee = sum(batches.map((batch) => batch.estimatedFeeInUSD))
  const names = new Map(rows.map((row) => [row.fundCollectorAddress, row.coldWalletName]))
  return {
    addresses: batches.reduce((all, { addressCount }) => all + addressCount, 0),
    value: print(value),
    fee: print(fee),
    feePercent: value && fee !== undefined ? formatUnits((fee * 10_000n) / value, 2) : undefined,
    transactions: batches.length,
    ends: [...new Set(batches.map(({ fundCollectorAddress: end }) => names.get(end) ?? end))],
  }
}

/** Returns how much of its asset a plan moves. */
export function amountOf({ batches }: SweepPlan): string {
  return formatUnits(
    batches.reduce((all, { amount }) => all + parseUnits(amount, MOST_DECIMALS), 0n),
    MOST_DECIMALS,
  )
}

/** Returns what stays where it is: rows that cannot be swept now, and what the plans leave out. */
export function sumStaying(plans: readonly SweepPlan[], rows: readonly BalanceRow[]): Staying {
  const others = rows.filter((row) => !isReady(row) && row.action !== 'sweep_in_progress')
  const parts = [
    ...others.map((row) => ({ waits: row.waits, addresses: row.addressCount, value: row.amountUSD })),
    ...plans
      .flatMap((plan) => plan.skipped)
      .map(({ reason, addressCount, amountInUSD }) => ({ waits: reason, addresses: addressCount, value: amountInUSD })),
  ]
  const groups = Map.groupBy(
    parts.flatMap(({ waits, addresses }) => (waits === null ? [] : [{ waits, addresses }])),
    ({ waits }) => waits.code,
  )
  return {
    addresses: parts.reduce((all, { addresses }) => all + addresses, 0),
    value: print(sum(parts.map(({ value }) => value))),
    why: [...groups.values()]
      .flatMap(([first, ...others]) =>
        first === undefined
          ? []
          : [
              {
                waits: first.waits,
                addresses: others.reduce((all, { addresses }) => all + addresses, first.addresses),
              },
            ],
      )
      .toSorted((a, b) => b.addresses - a.addresses),
  }
}

/** Undefined as soon as one of them is not known: a sum that leaves something out says too little. */
function sum(values: readonly (string | null)[]): bigint | undefined {
  let all = 0n
  for (const value of values) {
    if (value === null) return undefined
    const [whole = '0', fraction = ''] = value.split('.')
    all += parseUnits(`${whole}.${fraction.slice(0, USD_DECIMALS).padEnd(1, '0')}`, USD_DECIMALS)
  }
  return all
}

function print(value: bigint | undefined): string | undefined {
  return value === undefined ? undefined : formatUnits(value, USD_DECIMALS)
}

/** Which addresses are swept together, and why others are not (money.md 6.8). Pure: nodes and prices were asked before. */
import { type Price, unitsForUsd, type Usd, usdForUnits } from '@kassa/primitives/money/rate.ts'

/** What one address holds of an asset that may be swept: booked, final, and not in doubt. */
export type Candidate = {
  readonly addressId: bigint
  readonly units: bigint
  /** When the oldest part of it became final. */
  readonly since: Date
  /** It was never swept here: the sweep creates its contract, or uses its permission for the first time. */
  readonly isFirst: boolean
  /** Why it must not be swept whatever its value, or null. */
  readonly blocked: Blocked | null
  /** What it adds to a transaction, where addresses differ in that (BTC: the number of outputs that hold its money). */
  readonly cost?: Cost
}

/** `QUARANTINED`: part of the money there waits for an operator's decision, so all of it stays (S-8). */
type Blocked = 'QUARANTINED' | 'LOCKED' | 'NOT_APPROVED'

/** In units of gas, and in units of the native coin for charges besides gas. */
export type Cost = { readonly gas: bigint; readonly beside: bigint }

export type Terms = {
  readonly asset: { readonly price: Price; readonly decimals: number }
  readonly coin: { readonly price: Price; readonly decimals: number }
  /** Of one gas now, in units of the coin. */
  readonly gasPrice: bigint
  readonly costs: { readonly base: Cost; readonly first: Cost; readonly repeat: Cost }
  /** The highest fee, in hundredths of a percent of what it moves. */
  readonly maxFeeBps: bigint
  /** An address with less stays out; null without such a bound. */
  readonly minBalance: bigint | null
  readonly maxItems: number
  /** For one transaction. */
  readonly maxGas: bigint
}

export type SkipCode = Blocked | 'BELOW_MINIMUM' | 'BELOW_FEE'

export type Batch<C extends Candidate = Candidate> = {
  /** By value, descending. */
  readonly items: readonly C[]
  readonly units: bigint
  readonly usd: Usd
  readonly gas: bigint
  /** In units of the coin, at the price of one gas now. */
  readonly fee: bigint
  readonly feeUsd: Usd
}

export type Skipped<C extends Candidate = Candidate> = { readonly candidate: C; readonly code: SkipCode }

type Plan<C extends Candidate = Candidate> = {
  readonly batches: readonly Batch<C>[]
  readonly skipped: readonly Skipped<C>[]
}

/**
 * Divides addresses into batches, each of which costs at most the allowed part of what it moves; every address in no batch has
 * a reason. Each candidate is in exactly one place, and equal candidates give equal plans in any order.
 */
export function planBatches<C extends Candidate>(candidates: readonly C[], terms: Terms): Plan<C> {
  const skipped: Skipped<C>[] = []
  const paying: C[] = []
  for (const candidate of candidates) {
    const code = skipOf(candidate, terms)
    if (code === null) paying.push(candidate)
    else skipped.push({ candidate, code })
  }
  paying.sort(byValue)
  const batches: Batch<C>[] = []
  for (const items of cut(paying, terms)) {
    const { remaining, dropped } = trim(items, terms)
    for (const candidate of dropped) skipped.push({ candidate, code: 'BELOW_FEE' })
    if (remaining) batches.push(remaining)
  }
  skipped.sort((a, b) => byId(a.candidate, b.candidate))
  return { batches, skipped }
}

/** Largest first; the id decides between equals. */
function byValue(a: Candidate, b: Candidate): number {
  if (a.units !== b.units) return a.units > b.units ? -1 : 1
  return byId(a, b)
}

function byId(a: Candidate, b: Candidate): number {
  return a.addressId < b.addressId ? -1 : 1
}

function skipOf(candidate: Candidate, terms: Terms): SkipCode | null {
  const { blocked, units } = candidate
  if (blocked !== null) return blocked
  if (units < (terms.minBalance ?? 1n)) return 'BELOW_MINIMUM'
  const fee = feeOf([costOf(candidate, terms)], terms)
  return paysOff({ usd: valueOf(units, terms), feeUsd: usdOfFee(fee, terms) }, terms) ? null : 'BELOW_FEE'
}

/** Consecutive parts, each within the limits of one transaction; an item that exceeds them alone still gets a part. */
function cut<C extends Candidate>(paying: readonly C[], terms: Terms): C[][] {
  const parts: C[][] = []
  let [part, gas] = [[] as C[], 0n]
  for (const candidate of paying) {
    const more = costOf(candidate, terms).gas
    const isFull = part.length >= terms.maxItems || terms.costs.base.gas + gas + more > terms.maxGas
    if (part.length > 0 && isFull) {
      parts.push(part)
      ;[part, gas] = [[], 0n]
    }
    part.push(candidate)
    gas += more
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** Drops the least valuable items while the batch with its base costs more than it may. */
function trim<C extends Candidate>(items: readonly C[], terms: Terms): { remaining: Batch<C> | null; dropped: C[] } {
  const remaining = [...items]
  const dropped: C[] = []
  const costs = [terms.costs.base, ...items.map((item) => costOf(item, terms))]
  let units = items.reduce((sum, item) => sum + item.units, 0n)
  let gas = costs.reduce((sum, cost) => sum + cost.gas, 0n)
  let fee = feeOf(costs, terms)
  for (;;) {
    const batch = { units, usd: valueOf(units, terms), gas, fee, feeUsd: usdOfFee(fee, terms) }
    if (paysOff(batch, terms)) return { remaining: { items: remaining, ...batch }, dropped }
    const last = remaining.pop()
    if (!last || remaining.length === 0) return { remaining: null, dropped: [...items] }
    dropped.push(last)
    units -= last.units
    gas -= costOf(last, terms).gas
    fee -= feeOf([costOf(last, terms)], terms)
  }
}

/** What one address adds to a transaction. */
export function costOf({ isFirst, cost }: Candidate, { costs }: Terms): Cost {
  return cost ?? (isFirst ? costs.first : costs.repeat)
}

/** A cost in units of the coin. */
export function feeOf(costs: readonly Cost[], { gasPrice }: Terms): bigint {
  return costs.reduce((sum, { gas, beside }) => sum + gas * gasPrice + beside, 0n)
}

function valueOf(units: bigint, { asset }: Terms): Usd {
  return usdForUnits({ units, ...asset, rounding: 'down' })
}

function usdOfFee(fee: bigint, { coin }: Terms): Usd {
  return usdForUnits({ units: fee, ...coin, rounding: 'up' })
}

const BPS = 10_000n

/** The ratio rule: a fee is at most the allowed part of what it moves, in US dollars. */
export function paysOff(
  { usd, feeUsd }: { readonly usd: Usd; readonly feeUsd: Usd },
  { maxFeeBps }: Pick<Terms, 'maxFeeBps'>,
): boolean {
  return feeUsd * BPS <= maxFeeBps * usd
}

/** Room for the price of gas to rise between plan and block: half as much again (S-6). */
const ROOM = { numerator: 3n, denominator: 2n }

/**
 * The fee ceiling of a batch: one and a half times what all of its gas limit costs now, and never more than the ratio rule
 * allows, so that the signed transaction cannot be a loss (S-6). Null when it would already be one.
 */
export function ceilingOf(
  quoted: { readonly gasLimit: bigint; readonly beside: bigint; readonly usd: Usd },
  terms: Pick<Terms, 'gasPrice' | 'coin' | 'maxFeeBps'>,
): bigint | null {
  const { gasLimit, beside, usd } = quoted
  const now = gasLimit * terms.gasPrice + beside
  const wanted = (now * ROOM.numerator) / ROOM.denominator
  const most = affordable(usd, terms)
  const ceiling = wanted < most ? wanted : most
  return ceiling < now ? null : ceiling
}

/** The highest fee that the ratio rule allows for moving this value, in units of the coin. */
export function affordable(value: Usd, { coin, maxFeeBps }: Pick<Terms, 'coin' | 'maxFeeBps'>): bigint {
  return unitsForUsd({ usd: (value * maxFeeBps) / BPS, ...coin, step: 1n, rounding: 'down' })
}

export type Trigger = 'amount' | 'count' | 'time'

/** When a batch starts automatically. */
export type Triggers = {
  readonly minUsd: Usd
  readonly minItems: number
  readonly maxAgeMs: number
}

/** Why a batch starts automatically now, or null while it waits for more. */
export function triggerOf(batch: Pick<Batch, 'usd' | 'items'>, triggers: Triggers, now: Date): Trigger | null {
  if (batch.usd >= triggers.minUsd) return 'amount'
  if (batch.items.length >= triggers.minItems) return 'count'
  const oldest = Math.min(...batch.items.map(({ since }) => since.getTime()))
  return now.getTime() - oldest >= triggers.maxAgeMs ? 'time' : null
}

/** When the money that is ready starts automatically at the latest; now where it is enough already. */
export function nextSweepAt(
  ready: { readonly usd: Usd; readonly count: number; readonly since: Date | null },
  { minUsd, minItems, maxAgeMs }: Triggers,
  now: Date,
): Date | null {
  if (ready.usd >= minUsd || ready.count >= minItems) return now
  return ready.since && new Date(Math.max(now.getTime(), ready.since.getTime() + maxAgeMs))
}

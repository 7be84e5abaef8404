import { median, type Price, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** What one source reports: a price as untrusted text, and the time the source states for it. */
export type Reading = {
  readonly name: string
  readonly price: string
  readonly at: Date
  /** Why the last request to it failed; its former report stays valid until it is too old. */
  readonly failure?: string | null
}

/** A reading and whether it was used: with these a price can be computed again later (money.md 3.3). */
export type Evidence = {
  readonly name: string
  readonly price: string
  readonly at: Date
  readonly used: boolean
  /** Why it was not used. */
  readonly why?: string
}

export type PriceFacts = { readonly price: Price; readonly at: Date; readonly sources: readonly Evidence[] }

/** A price, or why there is none; with the readings of all sources in both cases. */
export type Verdict = {
  readonly facts: PriceFacts | null
  readonly refusal: 'too_few_sources' | 'peg_lost' | null
  /** What enough sources agree on, before a stable coin's peg is considered. */
  readonly median: Price | null
  readonly sources: readonly Evidence[]
}

export type PriceQuestion = {
  readonly now: Date
  /** Pegged to one US dollar: judged more strictly, and checked against its peg. */
  readonly isStable: boolean
  /** How many sources must agree; the sandbox has one. */
  readonly minSources: number
  /** The previous price, in units of 1e-18 dollars; null when there was none. */
  readonly previous: Price | null
}

const ONE = 10n ** BigInt(PRICE_DECIMALS)
/** No coin costs a billion dollars: a source that reports more uses another unit. */
const CEILING = 10n ** 9n * ONE
/** A price older than this is not used. */
const MAX_AGE_MS = 60_000
/** In thousandths: the largest distance of a source from the median (`OUTLIER`), and of a price from the previous one (`JUMP`). */
const OUTLIER = { stable: 5n, volatile: 20n } as const
const JUMP = 500n
/** A jump is accepted when this many sources agree. */
const AGREEING = 3
/** In thousandths off one dollar: up to `exact` a stable coin costs one dollar, up to `tradable` its price; beyond, it has no price. */
const PEG = { exact: 5n, tradable: 20n } as const

/** The longest number text a source may send; anything longer is not a price. */
export const MAX_TEXT_LENGTH = 60

/**
 * Decides a price from the reports of the sources: the median of those that are usable, or null when too few are. A
 * price that is zero, negative, not a number, stale, an outlier or off its peg is never the answer.
 */
export function decidePrice(readings: readonly Reading[], question: PriceQuestion): PriceFacts | null {
  return judgePrice(readings, question).facts
}

/** Decides a price as `decidePrice` does, and states why when there is none. */
export function judgePrice(readings: readonly Reading[], question: PriceQuestion): Verdict {
  const judged = judge(readings, question)
  const sources = judged.map(({ evidence }) => evidence)
  const used = judged.filter(({ evidence }) => evidence.used)
  const prices = pricesOf(used)
  const [first] = used
  if (!first || prices.length < question.minSources) {
    return { facts: null, refusal: 'too_few_sources', median: null, sources }
  }
  const middle = median(prices)
  const price = question.isStable ? pegged(middle) : middle
  if (price === null) return { facts: null, refusal: 'peg_lost', median: middle, sources }
  const at = used.reduce((newest, { evidence }) => (evidence.at > newest ? evidence.at : newest), first.evidence.at)
  return { facts: { price, at, sources }, refusal: null, median: middle, sources }
}

/** Prints a price as exact decimal text. */
export function priceText(price: Price): string {
  return formatUnits(price, PRICE_DECIMALS)
}

/**
 * Converts a price in another currency into dollars, rounded down; text that is no price stays unchanged, so that
 * `judgePrice` refuses it.
 */
export function inDollars(price: string, rate: Price): string {
  const units = read(price)
  return units === null ? price : priceText((units * rate) / ONE)
}

type Judged = { readonly price: Price | null; readonly evidence: Evidence }

/** Checks each reading alone, then against the previous price, then against the median of the others. */
function judge(readings: readonly Reading[], question: PriceQuestion): readonly Judged[] {
  const admitted = againstPrevious(
    readings.map((reading) => admit(reading, question.now)),
    question,
  )
  const prices = pricesOf(admitted)
  if (prices.length === 0) return admitted
  const middle = median(prices)
  const tolerance = toleranceOf(question)
  return admitted.map((one) =>
    one.price === null || within(one.price, middle, tolerance) ? one : refused(one.evidence, 'too far from the others'),
  )
}

/** A price more than 50 % away from the previous one needs three sources that agree: it may be a swapped pair or another unit. */
function againstPrevious(judged: readonly Judged[], question: PriceQuestion): readonly Judged[] {
  const { previous } = question
  const prices = pricesOf(judged)
  if (previous === null || prices.every((price) => within(price, previous, JUMP))) return judged
  const middle = median(prices)
  const agreeing = prices.filter((price) => within(price, middle, toleranceOf(question)))
  if (agreeing.length >= AGREEING) return judged
  return judged.map((one) =>
    one.price === null || within(one.price, previous, JUMP)
      ? one
      : refused(one.evidence, 'too far from the last price'),
  )
}

function pricesOf(judged: readonly Judged[]): Price[] {
  const prices: Price[] = []
  for (const { price } of judged) if (price !== null) prices.push(price)
  return prices
}

function toleranceOf({ isStable }: PriceQuestion): bigint {
  return isStable ? OUTLIER.stable : OUTLIER.volatile
}

/** Reads one source's text as a price, or returns why it is none. */
function admit(reading: Reading, now: Date): Judged {
  const price = read(reading.price)
  if (price === null) return refused(reading, reading.failure ?? 'not a decimal number')
  if (price <= 0n) return refused(reading, 'not above zero')
  if (price >= CEILING) return refused(reading, 'too large')
  const isFresh = Math.abs(now.getTime() - reading.at.getTime()) <= MAX_AGE_MS
  if (!isFresh) return refused(reading, reading.failure ?? 'too old')
  return { price, evidence: { name: reading.name, price: reading.price, at: reading.at, used: true } }
}

function refused({ name, price, at }: Reading, why: string): Judged {
  return { price: null, evidence: { name, price: price.slice(0, MAX_TEXT_LENGTH), at, used: false, why } }
}

const DECIMAL = /^\d+(?:\.\d+)?$/

/** Reads plain decimal text as a price with 18 decimals, cutting off further digits; null when it is anything else. */
function read(text: string): Price | null {
  if (text.length > MAX_TEXT_LENGTH || !DECIMAL.test(text)) return null
  const point = text.indexOf('.')
  return parseUnits(point < 0 ? text : text.slice(0, point + 1 + PRICE_DECIMALS), PRICE_DECIMALS)
}

/** The price of a stable coin: one dollar, the price itself, or null, depending on its distance from the peg (`PEG`). */
function pegged(price: Price): Price | null {
  if (within(price, ONE, PEG.exact)) return ONE
  return within(price, ONE, PEG.tradable) ? price : null
}

/** Whether a price is at most so many thousandths away from a reference. */
function within(price: Price, reference: Price, thousandths: bigint): boolean {
  const distance = price > reference ? price - reference : reference - price
  return distance * 1000n <= reference * thousandths
}

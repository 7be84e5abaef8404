import { median, type Price, PRICE_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits, parseUnits } from '@kassa/primitives/money/units.ts'

/** What one source says: untrusted text, and when it says it was so. */
export type Reading = { readonly name: string; readonly price: string; readonly at: Date }

/** A reading with what became of it: anybody can compute the price again from these (money.md 3.3). */
export type Evidence = {
  readonly name: string
  readonly price: string
  readonly at: Date
  readonly used: boolean
  /** Why it was not used. */
  readonly why?: string
}

export type PriceFacts = { readonly price: Price; readonly at: Date; readonly sources: readonly Evidence[] }

export type PriceQuestion = {
  readonly now: Date
  /** Meant to be worth one US dollar: judged more strictly, and guarded by its peg. */
  readonly isStable: boolean
  /** How many sources must agree; the sandbox has one. */
  readonly minSources: number
  /** The price before, in 1e18 per dollar; null when there was none. */
  readonly previous: Price | null
}

const ONE = 10n ** BigInt(PRICE_DECIMALS)
/** No coin is worth a billion dollars; a source that says so counts in another unit. */
const CEILING = 10n ** 9n * ONE
/** Beyond this a price is history. */
const MAX_AGE_MS = 60_000
/** Shares in thousandths: how far a source may stand from the median, and a price from the one before. */
const OUTLIER = { stable: 5n, volatile: 20n } as const
const JUMP = 500n
/** So many sources that agree outrank the price before. */
const AGREEING = 3
/** Within the first a stable coin is a dollar, within the second it is what it is, beyond it is not sold. */
const PEG = { exact: 5n, tradable: 20n } as const

/** The longest number text a source may send; beyond it is not a price. */
const MAX_TEXT_LENGTH = 60

/**
 * Decides a price from what the sources say: the median of those that can be believed, or null when too few can. A price
 * that is zero, negative, not a number, stale, an outlier or off its peg is never the answer.
 */
export function decidePrice(readings: readonly Reading[], question: PriceQuestion): PriceFacts | null {
  const judged = judge(readings, question)
  const admitted = judged.flatMap(({ price, evidence }) => (price === null ? [] : [{ price, at: evidence.at }]))
  const sources = judged.map(({ evidence }) => evidence)
  const [first] = admitted
  if (!first || admitted.length < question.minSources) return null
  const middle = median(admitted.map(({ price }) => price))
  const price = question.isStable ? pegged(middle) : middle
  if (price === null) return null
  return { price, at: admitted.reduce((at, one) => (one.at > at ? one.at : at), first.at), sources }
}

/** Prints a price as exact decimal text. */
export function priceText(price: Price): string {
  return formatUnits(price, PRICE_DECIMALS)
}

type Judged = { readonly price: Price | null; readonly evidence: Evidence }

function judge(readings: readonly Reading[], question: PriceQuestion): Judged[] {
  const read = readings.map((reading) => ({ reading, ...admit(reading, question.now) }))
  const plausible = read.flatMap(({ price }) => (price === null ? [] : [price]))
  const middle = plausible.length > 0 ? median(plausible) : null
  const reach = question.isStable ? OUTLIER.stable : OUTLIER.volatile
  const close = plausible.filter((price) => middle !== null && within(price, middle, reach))
  const mayJump = question.previous === null || close.length >= AGREEING
  return read.map(({ reading, price, why }) => {
    if (price === null || middle === null) return refused(reading, why)
    if (!within(price, middle, reach)) return refused(reading, 'too far from the others')
    if (!mayJump && !within(price, question.previous ?? price, JUMP))
      return refused(reading, 'too far from the last price')
    return { price, evidence: { ...reading, used: true } }
  })
}

function refused(reading: Reading, why: string): Judged {
  return { price: null, evidence: { ...reading, price: reading.price.slice(0, MAX_TEXT_LENGTH), used: false, why } }
}

/** Reads a source's text as a price, or says why it is none. */
function admit({ price, at }: Reading, now: Date): { price: Price | null; why: string } {
  const refuse = (why: string) => ({ price: null, why })
  if (price.length > MAX_TEXT_LENGTH || !/^\d+(\.\d+)?$/.test(price)) return refuse('not a decimal number')
  const [whole = '', fraction = ''] = price.split('.')
  const units = parseUnits(`${whole}.${fraction.slice(0, PRICE_DECIMALS) || '0'}`, PRICE_DECIMALS)
  if (units <= 0n) return refuse('not above zero')
  if (units >= CEILING) return refuse('too large')
  const age = Math.abs(now.getTime() - at.getTime())
  return age <= MAX_AGE_MS ? { price: units, why: '' } : refuse('too old')
}

/** A stable coin close to its peg is one dollar; a little off it is its price; far off it has none. */
function pegged(price: Price): Price | null {
  if (within(price, ONE, PEG.exact)) return ONE
  return within(price, ONE, PEG.tradable) ? price : null
}

/** Whether a price is at most so many thousandths away from a reference. */
function within(price: Price, reference: Price, thousandths: bigint): boolean {
  const distance = price > reference ? price - reference : reference - price
  return distance * 1000n <= reference * thousandths
}

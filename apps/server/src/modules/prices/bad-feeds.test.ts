import { describe, expect, it } from 'vitest'

import { decidePrice, type PriceFacts, type PriceQuestion, type Reading } from './rules.ts'

/**
 * Sets of readings, a few honest and the rest broken in every way we know of (money.md 3.3, 8.2); `npm run bad-prices` makes a
 * million.
 */
const SETS = Number(process.env.KASSA_PRICE_READINGS ?? 100_000)
const SEED = 20_260_131

const now = new Date('2026-01-31T09:30:00Z')
const fresh = Array.from({ length: 61 }, (_, seconds) => new Date(now.getTime() - seconds * 1000))
const stuck = [-61_000, -3_600_000, -400 * 86_400_000, 61_000, 86_400_000].map((ms) => new Date(now.getTime() + ms))
const MICRO = 1_000_000

type World = {
  /** The true price of the coin, in millionths of a dollar. */
  readonly value: number
  readonly question: PriceQuestion
  readonly readings: readonly Reading[]
  readonly honest: number
  readonly liars: number
}

/** A small generator of numbers below 1 that a seed repeats. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function text(micro: number): string {
  const digits = String(Math.round(micro)).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`
}

const NONSENSE: readonly ((value: string) => string)[] = [
  () => '',
  () => '0',
  () => '0.000000',
  (value) => `-${value}`,
  () => 'NaN',
  () => 'Infinity',
  () => '1e400',
  () => '1e3',
  () => 'null',
  () => '<html><body>503</body></html>',
  (value) => `{"price":"${value}`,
  (value) => value.repeat(40),
  (value) => ` ${value}`,
  (value) => value.replace('.', ','),
  () => '1000000000',
  () => '0.0000000000000000001',
]

/** Numbers that look like a price and are wrong: another unit, a swapped pair, another coin under the old name. */
const LIES: readonly ((value: number) => number)[] = [
  (value) => value * 1000,
  (value) => value / 1000,
  (value) => (value > 3 * MICRO || value < MICRO / 3 ? (MICRO * MICRO) / value : value * 1000),
  (value) => value * 2.5,
  (value) => value * 0.3,
]

function makeWorld(random: () => number): World {
  const below = (limit: number) => Math.floor(random() * limit)
  const isStable = random() < 0.3
  const isOffPeg = isStable && random() < 0.2
  const value = isOffPeg
    ? (random() < 0.5 ? 850_000 : 1_030_000) + below(100_000)
    : isStable
      ? 985_000 + below(30_000)
      : 10 ** (5 + below(7)) + below(90_000)
  const hasPrevious = random() < 0.8
  const spread = isStable ? 0.002 : 0.008
  const readings: Reading[] = []
  /** Puts each reading at a random position, so that no order of the sources is special. */
  const add = (who: 'honest' | 'broken', price: string, at: Date) => {
    readings.push({ name: `${who} ${readings.length}`, price, at })
    const place = below(readings.length)
    const [last, other] = [readings.at(-1), readings[place]]
    if (last && other) [readings[place], readings[readings.length - 1]] = [last, other]
  }
  const honest = below(5)
  const liars = below(hasPrevious ? 3 : 2)
  for (let count = honest; count > 0; count -= 1) {
    add('honest', text(value * (1 + (random() * 2 - 1) * spread)), fresh[below(fresh.length)] ?? now)
  }
  for (let count = liars; count > 0; count -= 1) add('broken', text((LIES[below(LIES.length)] ?? Number)(value)), now)
  for (let count = below(4); count > 0; count -= 1) {
    add('broken', (NONSENSE[below(NONSENSE.length)] ?? String)(text(value)), now)
  }
  if (random() < 0.3) add('broken', text(value * (0.9 + random() * 0.2)), stuck[below(stuck.length)] ?? now)
  const previous = hasPrevious ? BigInt(Math.round(value * (0.8 + random() * 0.4))) * 10n ** 12n : null
  return { value, question: { now, isStable, minSources: 2, previous }, readings, honest, liars }
}

/** What is wrong with a decision, or nothing. */
function faultOf(world: World, facts: PriceFacts | null): string | null {
  const { value, question, honest, liars } = world
  const isTradable = !question.isStable || Math.abs(value - MICRO) < 17_000
  if (!facts) {
    const isEnough = question.previous === null ? honest > liars + 1 : honest >= 2
    return isEnough && isTradable ? 'no price although enough sources agree' : null
  }
  const used = facts.sources.filter((source) => source.used)
  if (used.length < 2) return 'a price from one source'
  if (used.some(({ name }) => !name.startsWith('honest'))) return 'a price from a broken source'
  const price = Number(facts.price / 10n ** 12n)
  if (question.isStable && Math.abs(value - MICRO) > 23_000) return 'a price off the peg'
  const reach = question.isStable ? (price === MICRO ? 0.008 : 0.003) : 0.009
  return Math.abs(price - value) <= value * reach + 1 ? null : 'a wrong price'
}

describe('prices.decidePrice against bad feeds', () => {
  it('makes no quote from a bad price in any set of readings, and one whenever enough sources agree', () => {
    const random = randomFrom(SEED)
    const seen = { priced: 0, unpriced: 0 }
    for (let index = 0; index < SETS; index += 1) {
      const world = makeWorld(random)
      const facts = decidePrice(world.readings, world.question)
      seen[facts ? 'priced' : 'unpriced'] += 1
      const fault = faultOf(world, facts)
      if (fault !== null) expect.fail(`set ${index}: ${fault}\n${JSON.stringify(world.readings, null, 2)}`)
    }
    // Both kinds of answer occurred.
    expect(seen.priced).toBeGreaterThan(SETS / 10)
    expect(seen.unpriced).toBeGreaterThan(SETS / 10)
  }, 300_000)
})

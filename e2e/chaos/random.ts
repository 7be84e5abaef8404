/** Chances that a printed number repeats. */
export type Random = {
  readonly seed: number
  /** A whole number from 0 to below `sides`. */
  readonly below: (sides: number) => number
  readonly pick: <T>(from: readonly [T, ...T[]]) => T
}

/** Random numbers of the seed in `CHAOS_SEED`, else of any; the seed is printed under the name. */
export function seedRandom(name: string): Random {
  const seed = Number(process.env.CHAOS_SEED ?? Date.now() % 1_000_000)
  console.log(`${name}: CHAOS_SEED=${seed}`)
  return randomOf(seed)
}

/** Source: mulberry32, a generator of 32 bits of state in the public domain. */
function randomOf(seed: number): Random {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (sides: number) => Math.floor(next() * sides)
  return { seed, below, pick: (from) => from[below(from.length)] ?? from[0] }
}

/** Chance that a seed repeats exactly. */
export type Random = {
  /** A whole number from 0 to just below `limit`. */
  readonly below: (limit: number) => number
  readonly chance: (share: number) => boolean
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T
  /** Lower-case hex with `0x`, of so many bytes. */
  readonly hex: (bytes: number) => string
  /** An amount above zero: often small, sometimes enormous. */
  readonly units: () => bigint
  readonly shuffle: <T>(items: readonly T[]) => T[]
}

/** Rolls from a seed (mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(roll() * limit)
  const hex = (bytes: number): string =>
    `0x${Array.from({ length: bytes }, () => below(256).toString(16).padStart(2, '0')).join('')}`
  return {
    below,
    hex,
    chance: (share) => roll() < share,
    pick: (choices) => choices[below(choices.length)] ?? choices[0],
    units: () => (roll() < 0.2 ? BigInt(hex(1 + below(16))) : BigInt(below(1_000_000_000))) + 1n,
    shuffle: (items) =>
      items
        .map((item) => ({ item, at: roll() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ item }) => item),
  }
}

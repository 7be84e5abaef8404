/** Numbers that look random and follow from a seed. */
export type Random = {
  /** In [0, 1). */
  readonly next: () => number
  /** A whole number from `least` to `most`, both included. */
  readonly between: (least: number, most: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(list: readonly T[]) => T
  /** One of a list that may be empty. */
  readonly any: <T>(list: readonly T[]) => T | undefined
  readonly shuffled: <T>(list: readonly T[]) => T[]
}

/** Makes a generator from a seed (mulberry32: small, fast, and good enough to pick schedules with). */
export function seededRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  const any = <T>(list: readonly T[]): T | undefined => list[between(0, list.length - 1)]
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (list) => {
      const picked = any(list)
      if (picked === undefined) throw new Error('There is nothing to pick from')
      return picked
    },
    any,
    shuffled: (list) => {
      const mixed = [...list]
      for (let at = mixed.length - 1; at > 0; at -= 1) {
        const other = between(0, at)
        const [a, b] = [mixed[at], mixed[other]]
        if (a !== undefined && b !== undefined) [mixed[at], mixed[other]] = [b, a]
      }
      return mixed
    },
  }
}

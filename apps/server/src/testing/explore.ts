/** A state that was reached, and how. */
export type Reached<State> = {
  readonly state: State
  readonly path: readonly string[]
  readonly next: readonly (readonly [what: string, key: string])[]
}

/** A step from a state: what happened, and the state it leads to. */
export type Step<State> = readonly [what: string, to: State]

/** A model with more states than this is not small enough to be searched with the unit tests. */
const MOST_STATES = 1_000_000

/**
 * Visits every state that can be reached, breadth first, so that the first path to a state is a shortest one.
 * @throws Error when there are too many
 */
export function explore<State>(
  start: State,
  keyOf: (state: State) => string,
  stepsFrom: (state: State, pathTo: () => string) => Iterable<Step<State>>,
): Map<string, Reached<State>> {
  const seen = new Map<string, { state: State; cameFrom: string | null; by: string; next: [string, string][] }>()
  const pathTo = (key: string | null): string[] => {
    const path: string[] = []
    for (let at = key; at !== null; at = seen.get(at)?.cameFrom ?? null) path.unshift(seen.get(at)?.by ?? '')
    return path
  }
  const queue = [start]
  seen.set(keyOf(start), { state: start, cameFrom: null, by: 'start', next: [] })
  for (const state of queue) {
    const key = keyOf(state)
    for (const [by, to] of stepsFrom(state, () => pathTo(key).join(' → '))) {
      const toKey = keyOf(to)
      seen.get(key)?.next.push([by, toKey])
      if (seen.has(toKey)) continue
      if (seen.size >= MOST_STATES) throw new Error(`More than ${MOST_STATES} states`)
      seen.set(toKey, { state: to, cameFrom: key, by, next: [] })
      queue.push(to)
    }
  }
  const reached = [...seen].map(([key, { state, next }]): [string, Reached<State>] => [
    key,
    { state, next, path: pathTo(key) },
  ])
  return new Map(reached)
}

/** The reached states from which no path of these steps leads to a state that is good. */
export function stuck<State>(
  reached: ReadonlyMap<string, Reached<State>>,
  isGood: (state: State) => boolean,
  isWay: (what: string) => boolean,
): Reached<State>[] {
  const before = new Map<string, string[]>()
  for (const [key, { next }] of reached) {
    for (const [what, to] of next) {
      if (!isWay(what)) continue
      const known = before.get(to)
      if (known) known.push(key)
      else before.set(to, [key])
    }
  }
  const fine = new Set([...reached].filter(([, { state }]) => isGood(state)).map(([key]) => key))
  for (const key of fine) for (const from of before.get(key) ?? []) fine.add(from)
  return [...reached].filter(([key]) => !fine.has(key)).map(([, one]) => one)
}

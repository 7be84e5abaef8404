import { useState } from 'react'

/** The rows an operator has picked on the page that is shown. */
export type Selection = {
  readonly has: (key: string) => boolean
  readonly count: number
  /** Picks a row or lets it go; `extend` takes every row from the last one touched along. */
  readonly toggle: (key: string, extend?: boolean) => void
  /** Picks these rows beside those that are. */
  readonly pick: (keys: readonly string[]) => void
  readonly pickAll: () => void
  /** Every row of the list is picked, those of other pages too; letting one go leaves the others of this page. */
  readonly isWhole: boolean
  readonly pickWhole: () => void
  readonly clear: () => void
}

type Picked = {
  readonly scope: string
  readonly keys: ReadonlySet<string>
  readonly last?: string
  readonly isWhole?: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Returns the selection among the rows shown. `scope` says which list it is: another filter, page or order starts anew, a
 * row that left the page is no longer picked.
 */
export function useSelection(shown: readonly string[], scope: string): Selection {
  const [state, setState] = useState<Picked>({ scope, keys: NOTHING })
  const keys = state.scope === scope ? state.keys : NOTHING
  const isWhole = state.scope === scope && state.isWhole === true
  const picked = new Set(isWhole ? shown : shown.filter((key) => keys.has(key)))
  const set = (next: Iterable<string>, last?: string) =>
    setState({ scope, keys: new Set(next), ...(last !== undefined && { last }) })
  const toggle = (key: string, extend = false) => {
    if (extend) set([...picked, ...between(shown, state.last ?? key, key)], key)
    else set(picked.has(key) ? [...picked].filter((one) => one !== key) : [...picked, key], key)
  }
  return {
    has: (key) => picked.has(key),
    count: picked.size,
    toggle,
    pick: (more) => set([...picked, ...more], more.at(-1)),
    pickAll: () => set(shown),
    isWhole,
    pickWhole: () => setState({ scope, keys: NOTHING, isWhole: true }),
    clear: () => set([]),
  }
}

function between(shown: readonly string[], one: string, other: string): readonly string[] {
  const [a, b] = [shown.indexOf(one), shown.indexOf(other)]
  return a < 0 || b < 0 ? [other] : shown.slice(Math.min(a, b), Math.max(a, b) + 1)
}

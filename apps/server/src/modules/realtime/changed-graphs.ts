/** Names changed graphs to a tab, at most once a second per topic (api.md 7): later changes are sent together. */

/** A tab fetches each graph that is named. */
const PAUSE_MS = 1000

type Pending = { readonly graphIDs: Set<number>; timer: NodeJS.Timeout | null }

export type ChangedGraphs = {
  /** Names graphs: at once when nothing was sent on this topic in the last second, else together with others. */
  readonly add: (topic: string, graphIDs: readonly number[]) => void
  readonly stop: () => void
}

/** Collects changes for one tab. */
export function collectChanges(send: (topic: string, graphIDs: number[]) => void): ChangedGraphs {
  const pending = new Map<string, Pending>()
  const flush = (topic: string, one: Pending) => {
    one.timer = null
    if (one.graphIDs.size === 0) return pending.delete(topic)
    const graphIDs = [...one.graphIDs].toSorted((a, b) => a - b)
    one.graphIDs.clear()
    one.timer = setTimeout(() => flush(topic, one), PAUSE_MS)
    return send(topic, graphIDs)
  }
  return {
    add: (topic, graphIDs) => {
      const one = pending.get(topic) ?? { graphIDs: new Set(), timer: null }
      pending.set(topic, one)
      for (const id of graphIDs) one.graphIDs.add(id)
      if (one.timer === null) flush(topic, one)
    },
    stop: () => {
      for (const { timer } of pending.values()) if (timer) clearTimeout(timer)
      pending.clear()
    },
  }
}

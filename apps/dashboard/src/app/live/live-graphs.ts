import type { QueryClient } from '@tanstack/react-query'

/** Graphs of a project whose figures changed. */
export type ChangedGraphs = { readonly projectId: string; readonly graphIds: readonly number[] }

const TOPIC = /^project:([^:]+):analytics$/

/** Reads which graphs an event says have changed; `undefined` for one that says none. */
export function changedGraphs(topic: string, data: unknown): ChangedGraphs | undefined {
  const projectId = TOPIC.exec(topic)?.[1]
  const named: unknown = typeof data === 'object' && data !== null && 'graphIDs' in data ? data.graphIDs : undefined
  if (projectId === undefined || !Array.isArray(named)) return undefined
  return { projectId, graphIds: named.filter((id): id is number => typeof id === 'number') }
}

/** Marks the figures of some graphs stale, whatever they were asked with; those on screen come again (`api/analytics.ts`). */
function forgetGraphs(client: QueryClient, projectId: string, graphIds: readonly number[]): void {
  for (const graphId of graphIds) void client.invalidateQueries({ queryKey: ['analytics', projectId, graphId] })
}

/** A session may ask for six figures a second (api.md 1.7); a third of them is left to what a person presses. */
const GRAPHS_PER_SECOND = 4

/** Events of the same change come within this time. */
const TOGETHER_MS = 50

/**
 * Marks graphs stale as often as they may be asked for: the first change at once, and while a busy shop changes
 * them all the time, each as often as all others let it.
 */
export function pacedGraphs(forget: (projectId: string, graphIds: readonly number[]) => void) {
  const waiting = new Map<string, Set<number>>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let freeAt = 0
  const flush = () => {
    timer = undefined
    for (const [projectId, ids] of waiting) {
      forget(projectId, [...ids])
      freeAt = Date.now() + (ids.size / GRAPHS_PER_SECOND) * 1000
    }
    waiting.clear()
  }
  return {
    add: ({ projectId, graphIds }: ChangedGraphs) => {
      if (graphIds.length === 0) return
      const ids = waiting.get(projectId) ?? new Set()
      for (const id of graphIds) ids.add(id)
      waiting.set(projectId, ids)
      timer ??= setTimeout(flush, Math.max(TOGETHER_MS, freeAt - Date.now()))
    },
    stop: () => clearTimeout(timer),
  }
}

/** Hears which figures changed, until it is stopped. */
export type LiveGraphs = { readonly hear: (topic: string, data: unknown) => void; readonly stop: () => void }

/** Returns what reads changed figures again, no faster than the limit; an event that names none is of all figures. */
export function liveGraphs(client: QueryClient): LiveGraphs {
  const { add, stop } = pacedGraphs((projectId, ids) => forgetGraphs(client, projectId, ids))
  return {
    hear: (topic, data) => {
      const changed = changedGraphs(topic, data)
      if (changed === undefined) void client.invalidateQueries({ queryKey: ['analytics'] })
      else add(changed)
    },
    stop,
  }
}

import { attentionRoutes } from '@kassa/contract/attention/routes.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'

/** How often it is read where nothing happens; what happens arrives live. */
const LOOK_MS = 60_000

/** What needs attention in a project, or in all: the bell, the menu and the dashboard read it together. */
export function attentionQuery(projectId: string) {
  return queryOptions({
    queryKey: ['attention', projectId],
    queryFn: ({ signal }) => call(attentionRoutes.getAttention, { params: { p: projectId } }, { signal }),
    refetchInterval: LOOK_MS,
  })
}

/** The nouns that it counts: when their answers are stale, so is this one. */
const COUNTED: ReadonlySet<unknown> = new Set(['payments', 'withdrawals', 'sweeps', 'alarms'])

/** Reads what needs attention again whenever what it counts became stale, once however many answers that were. */
export function followCounted(client: QueryClient): void {
  let isQueued = false
  let isDone = false
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'invalidate') return
    const [noun] = event.query.queryKey as readonly unknown[]
    if (noun === 'attention') isDone = true
    else if (!COUNTED.has(noun)) return
    if (isQueued) return
    isQueued = true
    queueMicrotask(() => {
      const wasDone = isDone
      isQueued = false
      isDone = false
      // A live event names both.
      if (!wasDone) void client.invalidateQueries({ queryKey: ['attention'] })
    })
  })
}

import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { t } from '@lingui/core/macro'
import { notifyManager, type QueryCache, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useSyncExternalStore } from 'react'

import { useCurrentProject } from '../../../lib/navigation/current-project.ts'
import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'

/** How old the oldest figure on the page is, and the press that reads all of them again. */
export function FiguresAge() {
  const { id: projectId } = useCurrentProject()
  const client = useQueryClient()
  const cache = client.getQueryCache()
  const oldest = useSyncExternalStore(
    (onChange) => cache.subscribe(notifyManager.batchCalls(onChange)),
    () => oldestFigure(cache, projectId),
  )
  // Its space is kept before the first answer: the content below does not move.
  return (
    <div className="ms-auto flex h-8 min-w-24 items-center justify-end gap-1 text-dense text-muted">
      {oldest !== null && (
        <>
          <IconButton
            label={t`Read the figures again`}
            icon={<RefreshCw aria-hidden strokeWidth={1.75} />}
            onClick={() => void client.invalidateQueries({ queryKey: figuresOf(projectId) })}
          />
          <TimeAgo at={new Date(oldest)} />
        </>
      )}
    </div>
  )
}

const figuresOf = (projectId: string) => ['analytics', projectId]

/** When the oldest figure on screen was true, in milliseconds; null while there is none. */
function oldestFigure(cache: QueryCache, projectId: string): number | null {
  const shown = cache.findAll({ queryKey: figuresOf(projectId), type: 'active' })
  const times = shown.flatMap(({ state }) => (state.data as GraphData | undefined)?.asOf.getTime() ?? [])
  return times.length === 0 ? null : Math.min(...times)
}

import { useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'

import { meQuery, refreshOutdatedMe, useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { websocketToken } from '../../api/realtime.ts'
import { paths } from '../../lib/paths.ts'
import { useCurrentProject } from '../../lib/navigation/current-project.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { noteConnection } from '../../lib/loading/server-reachable.ts'
import { openLive } from './live.ts'
import type { LiveGraphs } from './live-graphs.ts'
import type { LiveChannel, LiveState } from './live.ts'
import { pacedStale, staleNouns, topicsFor } from './live-topics.ts'

/** How often screens refetch while the channel is down and the tab is visible. */
const POLL_MS = 15_000

export type LiveConnection = { readonly state: LiveState; readonly reconnect: () => void }

/** Keeps this tab's live channel, tells it what is on screen, and refetches what its events make stale. */
export function useLiveConnection(): LiveConnection {
  const queryClient = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const channel = useRef<LiveChannel>(undefined)
  const topics = useTopics()

  useEffect(() => {
    const stale = staleIn(queryClient)
    let graphs: Promise<LiveGraphs> | undefined
    let wasLost = false
    // A tab that had seen no event cannot ask what it missed, and lists that failed meanwhile wait for someone to ask.
    const refetchMissed = () => {
      if (wasLost) void queryClient.invalidateQueries({ refetchType: 'active' })
    }
    const opened = openLive({
      requestToken: websocketToken,
      isUnreachable: (thrown) => asRequestError(thrown).code === 'NETWORK_FAILED',
      onState: (next) => {
        setState(next)
        noteConnection(next === 'live')
        if (next === 'live') refetchMissed()
        wasLost = next !== 'live'
      },
      onEvent: ({ topic, data }) => {
        if (!topic.endsWith(':analytics')) return stale(staleNouns(topic))
        // Figures are on one page, and this on all of them: what paces them comes with the first change.
        graphs ??= import('./live-graphs.ts').then(({ liveGraphs }) => liveGraphs(queryClient))
        return void graphs.then(
          ({ hear }) => hear(topic, data),
          () => stale(staleNouns(topic)),
        )
      },
      onResync: (missed) => stale(missed.flatMap(staleNouns)),
      onSession: (session) => {
        // The server's answer to a call says why the session ended, and ends it here.
        if (session === 'revoked') void queryClient.query({ ...meQuery, staleTime: 0 }).catch(() => undefined)
        else void queryClient.invalidateQueries(meQuery)
      },
      onPermissions: (version) => void refreshOutdatedMe(queryClient, version).catch(() => undefined),
    })
    channel.current = opened
    return () => {
      opened.stop()
      void graphs?.then(({ stop }) => stop()).catch(() => undefined)
    }
  }, [queryClient])

  useEffect(() => channel.current?.setTopics(topics), [topics])

  useEffect(() => {
    if (state !== 'polling') return
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void queryClient.invalidateQueries({ refetchType: 'active' })
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [state, queryClient])

  return { state, reconnect: () => channel.current?.reconnect() }
}

function useTopics(): readonly string[] {
  const { id: projectId } = useCurrentProject()
  const [{ open }] = useSearchState()
  // Other lists keep what is open under the same name.
  const isOnPayments = useLocation({ select: ({ pathname }) => paths.payments.matches(pathname) })
  const openPayment = isOnPayments ? open : undefined
  const hasFigures = useLocation({ select: ({ pathname }) => paths.dashboard.matches(pathname) })
  const can = useCan()
  const text = topicsFor({ projectId, openPayment, hasFigures, can }).join('\n')
  return useMemo(() => text.split('\n'), [text])
}

function staleIn(queryClient: QueryClient): (nouns: readonly string[]) => void {
  return pacedStale((nouns) => {
    for (const noun of nouns) void queryClient.invalidateQueries({ queryKey: [noun] })
  })
}

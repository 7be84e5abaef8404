import { useQuery } from '@tanstack/react-query'

import { unmatchedQuery } from '../../api/deposits.ts'
import { useCan } from '../../api/me.ts'
import { alarmsQuery } from '../../api/system.ts'
import { attentionItems, type AttentionItem } from './attention-items.ts'

/** How often is asked for money that found no payment; the rest comes by itself. */
const LOOK_MS = 60_000

/** Returns what needs a hand in a project, money first: the bell and the dashboard show the same. */
export function useAttention(projectId: string): { readonly items: AttentionItem[]; readonly isKnown: boolean } {
  const can = useCan()
  const alarms = useQuery({ ...alarmsQuery, enabled: can('system:read') })
  const unmatched = useQuery({
    ...unmatchedQuery(projectId, { limit: 1 }),
    enabled: can('deposit:read', projectId),
    refetchInterval: LOOK_MS,
  })
  return {
    items: attentionItems({ projectId, alarms: alarms.data ?? [], unmatched: unmatched.data?.total ?? 0 }),
    // “Nothing” is only said of what was read.
    isKnown: unmatched.data !== undefined && (alarms.data !== undefined || !can('system:read')),
  }
}

import { useQuery } from '@tanstack/react-query'

import { unmatchedQuery } from '../../../api/deposits.ts'
import { sweepTroubleQuery } from '../../../api/lazy-lists.ts'
import { meQuery, useCan } from '../../../api/me.ts'
import { attentionQuery } from '../../../api/payments.ts'
import { payoutMetricsQuery } from '../../../api/payouts.ts'
import { alarmsQuery } from '../../../api/system.ts'
import { useAlarmText } from '../alarms/useAlarmText.ts'
import { attentionItems, type AttentionItem } from './attention-items.ts'

/** How often facts are read that have no live event; the rest arrives live. */
const LOOK_MS = 60_000

/** Returns what needs attention in a project, money first: the bell and the dashboard show the same. */
export function useAttention(projectId: string): { readonly items: AttentionItem[]; readonly isKnown: boolean } {
  const can = useCan()
  const me = useQuery(meQuery)
  const alarms = useQuery({ ...alarmsQuery, enabled: can('system:read') })
  const unmatched = useQuery({
    ...unmatchedQuery(projectId, { limit: 1 }),
    enabled: can('deposit:read', projectId),
    refetchInterval: LOOK_MS,
  })
  const payments = useQuery({
    ...attentionQuery(projectId),
    enabled: can('payment:read', projectId),
    refetchInterval: LOOK_MS,
  })
  const payouts = useQuery({ ...payoutMetricsQuery(projectId), enabled: can('payout:read', projectId) })
  const sweeps = useQuery({ ...sweepTroubleQuery(projectId), enabled: can('sweep:write') })
  const open = alarms.data ?? []
  const textOf = useAlarmText(open)
  const printed = open.map((alarm) => ({ ...alarm, text: textOf(alarm) }))
  const facts = {
    alarms: printed,
    unmatched: unmatched.data?.total ?? 0,
    payments: payments.data ?? 0,
    payouts: payouts.data?.waitingForMe ?? 0,
    sweeps: sweeps.data?.failed ?? 0,
  }
  return {
    items: attentionItems({ projectId, ...facts }),
    // “Nothing” is only said of what was read, and before the permissions are known nothing is.
    isKnown:
      me.data !== undefined &&
      (unmatched.data !== undefined || !can('deposit:read', projectId)) &&
      (payments.data !== undefined || !can('payment:read', projectId)) &&
      (payouts.data !== undefined || !can('payout:read', projectId)) &&
      (alarms.data !== undefined || !can('system:read')),
  }
}

import type { Attention } from '@kassa/contract/attention/schemas.ts'
import { useQuery } from '@tanstack/react-query'

import { attentionQuery } from '../../../api/attention.ts'
import { meQuery, useCan } from '../../../api/me.ts'
import { useAlarmText } from '../alarms/useAlarmText.ts'
import { attentionItems, type AttentionItem } from './attention-items.ts'

export type AttentionState = {
  readonly items: AttentionItem[]
  /** Everything that may be read was read: only then nothing else needs attention. */
  readonly isKnown: boolean
}

/** The backup that is due, where one is. */
function dueBackup(data: Attention | undefined) {
  const backups = data?.backups ?? undefined
  return backups !== undefined && backups.count > 0 ? backups : undefined
}

/** Returns what needs attention in a project, money first: the bell and the dashboard show the same. */
export function useAttention(projectId: string): AttentionState {
  const can = useCan()
  const { data: me } = useQuery(meQuery)
  const mayRead =
    can('payment:read', projectId) ||
    can('deposit:read', projectId) ||
    can('payout:read', projectId) ||
    can('sweep:write') ||
    can('system:read') ||
    can('settings:write')
  const { data } = useQuery({ ...attentionQuery(projectId), enabled: mayRead })
  const open = data?.alarms?.data ?? []
  const textOf = useAlarmText(open)
  const kinds = data === undefined ? [] : Object.values(data)
  return {
    items: attentionItems({
      projectId,
      alarms: open.map((alarm) => ({ ...alarm, text: textOf(alarm) })),
      unmatched: data?.deposits?.count ?? 0,
      payments: data?.payments?.count ?? 0,
      reasons: data?.payments ?? undefined,
      payouts: data?.payouts?.count ?? 0,
      sweeps: data?.sweeps?.count ?? 0,
      backup: dueBackup(data),
    }),
    // Nothing is known before the permissions are.
    isKnown: mayRead ? data !== undefined && kinds.every((kind) => kind?.isRead !== false) : me !== undefined,
  }
}

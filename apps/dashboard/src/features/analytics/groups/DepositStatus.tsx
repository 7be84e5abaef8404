import { DEPOSIT_STATE_LABELS } from '@kassa/contract/analytics/groups.ts'
import type { GraphData } from '@kassa/contract/analytics/schemas.ts'

import { depositStateBadge } from '../../../labels/deposit-labels.ts'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { cellText } from './TableCell.tsx'

type Cell = Extract<GraphData, { type: 'table_graph' }>['data'][number][number]

/** The state of a deposit in the word and the tone it has everywhere; existing clients read another word. */
export function DepositStatus({ cell }: { cell: Cell | undefined }) {
  const text = cellText(cell)
  const [state] = Object.entries(DEPOSIT_STATE_LABELS).find(([, label]) => label === text) ?? [text]
  return <StatusBadge {...depositStateBadge(state)} />
}

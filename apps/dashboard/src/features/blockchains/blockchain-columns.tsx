import { msg, t } from '@lingui/core/macro'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'

import { count } from '../../lib/format.ts'
import { headOf, networkState } from '../../lib/network-state.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Column } from '../../ui/table-columns.ts'
import { sourcesNote } from './node-states.ts'

/** The columns of the list of networks. */
export const BLOCKCHAIN_COLUMNS: readonly Column<Blockchain>[] = [
  { key: 'network', label: msg`Network`, card: 'title', cell: ({ name }) => name },
  {
    key: 'state',
    label: msg`State`,
    card: 'badge',
    cell: (row) => <StatusBadge {...networkState(row)} wire={row.status} />,
  },
  {
    key: 'head',
    label: msg`Head`,
    align: 'end',
    card: 'none',
    cell: (row) => {
      const head = headOf(row)
      return head === undefined ? '–' : count(head)
    },
  },
  {
    key: 'behind',
    label: msg`Behind`,
    align: 'end',
    card: 'none',
    cell: ({ lagBlocks }) => (lagBlocks === null ? '–' : count(lagBlocks)),
  },
  { key: 'nodes', label: msg`Nodes well`, align: 'end', card: 'none', cell: (row) => nodesOf(row) },
  {
    key: 'confirmations',
    label: msg`Confirmations`,
    align: 'end',
    card: 'none',
    needsRoom: true,
    cell: ({ minConfirmations }) => count(minConfirmations),
  },
  { key: 'note', label: msg`Note`, card: 'foot', cell: (row) => <Note row={row} /> },
]

function nodesOf({ rpcNodes }: Blockchain): string {
  if (rpcNodes.length === 0) return t`None`
  const well = rpcNodes.filter(({ isActive, health }) => isActive && health?.state === 'well').length
  return t`${well} of ${rpcNodes.length}`
}

function Note({ row }: { row: Blockchain }) {
  const text = row.reason ?? row.notice ?? (row.status === 'active' ? sourcesNote(row) : undefined)
  return text === undefined ? null : <span className="block max-w-96 min-w-32 py-1 whitespace-normal">{text}</span>
}

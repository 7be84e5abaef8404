import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'

import { count } from '../../lib/format.ts'
import { headOf, networkState } from '../../lib/network-state.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Column } from '../../ui/table-columns.ts'
import { sourcesNote } from './node-states.ts'

/** The columns of the list of networks. */
export const BLOCKCHAIN_COLUMNS: readonly Column<Blockchain>[] = [
  { key: 'network', label: 'Network', card: 'title', cell: ({ name }) => name },
  {
    key: 'state',
    label: 'State',
    card: 'badge',
    cell: (row) => <StatusBadge {...networkState(row)} wire={row.status} />,
  },
  {
    key: 'head',
    label: 'Head',
    align: 'end',
    card: 'none',
    cell: (row) => {
      const head = headOf(row)
      return head === undefined ? '–' : count(head)
    },
  },
  {
    key: 'behind',
    label: 'Behind',
    align: 'end',
    card: 'none',
    cell: ({ lagBlocks }) => (lagBlocks === null ? '–' : count(lagBlocks)),
  },
  { key: 'nodes', label: 'Nodes well', align: 'end', card: 'none', cell: (row) => nodesOf(row) },
  {
    key: 'confirmations',
    label: 'Confirmations',
    align: 'end',
    card: 'none',
    needsRoom: true,
    cell: ({ minConfirmations }) => count(minConfirmations),
  },
  { key: 'note', label: 'Note', card: 'foot', cell: (row) => <Note row={row} /> },
]

function nodesOf({ rpcNodes }: Blockchain): string {
  if (rpcNodes.length === 0) return 'None'
  const well = rpcNodes.filter(({ isActive, health }) => isActive && health?.state === 'well').length
  return `${well} of ${rpcNodes.length}`
}

function Note({ row }: { row: Blockchain }) {
  const text = row.reason ?? row.notice ?? (row.status === 'active' ? sourcesNote(row) : undefined)
  return text === undefined ? null : <span className="block max-w-96 min-w-32 py-1 whitespace-normal">{text}</span>
}

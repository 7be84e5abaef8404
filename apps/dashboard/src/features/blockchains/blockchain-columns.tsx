import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'

import { count } from '../../lib/text/format.ts'
import { networkColumns } from '../../labels/networks/network-columns.tsx'
import { networkNotice, networkReason } from '../../labels/networks/network-reason.ts'
import type { Column } from '../../ui/list/columns.ts'
import { sourcesNote } from './nodes/node-states.ts'

/** Returns the columns of the list of networks. */
export function blockchainColumns(): Column<Blockchain>[] {
  const { network, state, head, behind } = networkColumns<Blockchain>((height) =>
    height === undefined ? '–' : count(height),
  )
  return [
    network,
    state,
    head,
    { ...behind, shrink: 2 },
    {
      key: 'nodes',
      label: t({ message: 'Nodes healthy', comment: 'how many nodes answer as they should' }),
      align: 'end',
      card: 'none',
      cell: (row) => nodesOf(row),
    },
    {
      key: 'confirmations',
      label: t`Confirmations`,
      align: 'end',
      card: 'none',
      shrink: 1,
      cell: ({ minConfirmations }) => count(minConfirmations),
    },
    { key: 'note', label: t`Note`, card: 'foot', grows: true, cell: (row) => <Note row={row} /> },
  ]
}

function nodesOf({ rpcNodes }: Blockchain): string {
  if (rpcNodes.length === 0) return t({ message: 'None', comment: 'no node' })
  const healthy = rpcNodes.filter(({ isActive, health }) => isActive && health?.state === 'healthy').length
  const all = rpcNodes.length
  return t`${healthy} of ${all}`
}

function Note({ row }: { row: Blockchain }) {
  const text = networkReason(row) ?? networkNotice(row) ?? (row.status === 'active' ? sourcesNote(row) : undefined)
  return text === undefined ? null : <span className="block max-w-96 sm:min-w-48 py-1 whitespace-normal">{text}</span>
}

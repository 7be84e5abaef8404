import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'

import { count } from '../../lib/format.ts'
import { headOf, networkState } from '../../lib/network-state.ts'
import { Age } from '../../ui/Age.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Column } from '../../ui/table-columns.ts'

/** How far each network has been read. */
export const NETWORK_COLUMNS: readonly Column<Blockchain>[] = [
  { key: 'network', label: 'Network', card: 'title', cell: ({ name }) => name },
  {
    key: 'state',
    label: 'State',
    card: 'badge',
    cell: (row) => <StatusBadge {...networkState(row)} wire={row.status} />,
  },
  { key: 'head', label: 'Head', align: 'end', card: 'none', cell: (row) => blockNumber(headOf(row)) },
  {
    key: 'ours',
    label: 'Ours',
    align: 'end',
    cell: (row) => (row.lagBlocks === null ? '–' : `Block ${count(row.height)}`),
  },
  { key: 'behind', label: 'Behind', align: 'end', card: 'none', cell: ({ lagBlocks }) => blockNumber(lagBlocks) },
  {
    key: 'last',
    label: 'Last block',
    align: 'end',
    cell: ({ heightTimestamp: at }) => (at === null ? '–' : <LastBlock at={at} />),
  },
  {
    key: 'sources',
    label: 'Sources',
    align: 'end',
    cell: ({ sourceCount }) => `${sourceCount} ${sourceCount === 1 ? 'source' : 'sources'}`,
  },
  { key: 'notice', label: 'Notice', card: 'foot', cell: ({ reason, notice }) => <Notice text={reason ?? notice} /> },
]

function LastBlock({ at }: { at: Date }) {
  return (
    <span>
      <Age at={at} /> ago
    </span>
  )
}

function Notice({ text }: { text: string | null }) {
  return text === null ? null : <span className="block max-w-96 min-w-40 whitespace-normal">{text}</span>
}

function blockNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : count(value)
}

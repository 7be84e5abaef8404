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
  { key: 'head', label: 'Head', align: 'end', card: 'none', cell: (row) => blockText(headOf(row)) },
  {
    key: 'ours',
    label: 'Ours',
    align: 'end',
    cell: (row) => blockText(row.lagBlocks === null ? undefined : row.height),
  },
  {
    key: 'behind',
    label: 'Behind',
    align: 'end',
    card: 'none',
    cell: ({ lagBlocks }) => (lagBlocks === null ? '–' : count(lagBlocks)),
  },
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
]

function LastBlock({ at }: { at: Date }) {
  return (
    <span>
      <Age at={at} /> ago
    </span>
  )
}

function blockText(height: number | undefined): string {
  return height === undefined ? '–' : `Block ${count(height)}`
}

import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'

import { count } from '../../lib/format.ts'
import { headOf, networkState } from '../../lib/network-state.ts'
import { Age } from '../../ui/Age.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Column } from '../../ui/table-columns.ts'

/** How far each network has been read. */
export const NETWORK_COLUMNS: readonly Column<Blockchain>[] = [
  { key: 'network', label: msg`Network`, card: 'title', cell: ({ name }) => name },
  {
    key: 'state',
    label: msg`State`,
    card: 'badge',
    cell: (row) => <StatusBadge {...networkState(row)} wire={row.status} />,
  },
  { key: 'head', label: msg`Head`, align: 'end', card: 'none', cell: (row) => blockText(headOf(row)) },
  {
    key: 'ours',
    label: msg`Ours`,
    align: 'end',
    cell: (row) => blockText(row.lagBlocks === null ? undefined : row.height),
  },
  {
    key: 'behind',
    label: msg`Behind`,
    align: 'end',
    card: 'none',
    cell: ({ lagBlocks }) => (lagBlocks === null ? '–' : count(lagBlocks)),
  },
  {
    key: 'last',
    label: msg`Last block`,
    align: 'end',
    cell: ({ heightTimestamp: at }) => (at === null ? '–' : <LastBlock at={at} />),
  },
  {
    key: 'sources',
    label: msg`Sources`,
    align: 'end',
    cell: ({ sourceCount }) => `${sourceCount} ${sourceCount === 1 ? 'source' : 'sources'}`,
  },
]

function LastBlock({ at }: { at: Date }) {
  return (
    <span>
      <Age at={at} /> <Trans>ago</Trans>
    </span>
  )
}

function blockText(height: number | undefined): string {
  return height === undefined ? '–' : t`Block ${count(height)}`
}

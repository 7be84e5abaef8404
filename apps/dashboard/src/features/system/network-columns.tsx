import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { count } from '../../lib/format.ts'
import { headOf, networkState } from '../../lib/network-state.ts'
import { Age } from '../../ui/Age.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Column } from '../../ui/table-columns.ts'

/** Returns the columns that say how far each network has been read. */
export function networkColumns(): Column<Blockchain>[] {
  return [
    { key: 'network', label: t`Network`, card: 'title', cell: ({ name }) => name },
    {
      key: 'state',
      label: t`State`,
      card: 'badge',
      cell: (row) => <StatusBadge {...networkState(row)} wire={row.status} />,
    },
    {
      key: 'head',
      label: t({ message: 'Head', comment: 'the newest block of a network' }),
      align: 'end',
      card: 'none',
      cell: (row) => blockText(headOf(row)),
    },
    {
      key: 'ours',
      label: t({ message: 'Ours', comment: 'the newest block Kassa has read' }),
      align: 'end',
      cell: (row) => blockText(row.lagBlocks === null ? undefined : row.height),
    },
    {
      key: 'behind',
      label: t({ message: 'Behind', comment: 'how many blocks' }),
      align: 'end',
      card: 'none',
      cell: ({ lagBlocks }) => (lagBlocks === null ? '–' : count(lagBlocks)),
    },
    {
      key: 'last',
      label: t`Last block`,
      align: 'end',
      cell: ({ heightTimestamp: at }) => (at === null ? '–' : <LastBlock at={at} />),
    },
    {
      key: 'sources',
      label: t`Sources`,
      align: 'end',
      cell: ({ sourceCount }) => plural(sourceCount, { one: '# source', other: '# sources' }),
    },
  ]
}

function LastBlock({ at }: { at: Date }) {
  return (
    <span>
      <Trans>
        <Age at={at} /> ago
      </Trans>
    </span>
  )
}

function blockText(height: number | undefined): string {
  if (height === undefined) return '–'
  const block = count(height)
  return t`Block ${block}`
}

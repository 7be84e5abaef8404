import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { count } from '../../../lib/text/format.ts'
import { Age } from '../../../ui/time/Age.tsx'
import { networkColumns as sharedColumns } from '../../../labels/networks/network-columns.tsx'
import type { Column } from '../../../ui/list/columns.ts'

/** Returns the columns that say how far each network has been read. */
export function networkColumns(): Column<Blockchain>[] {
  const { network, state, head, behind } = sharedColumns<Blockchain>(blockText)
  return [
    network,
    state,
    head,
    {
      key: 'ours',
      label: t({ message: 'Ours', comment: 'the newest block Kassa has read' }),
      align: 'end',
      cell: (row) => blockText(row.lagBlocks === null ? undefined : row.height),
    },
    behind,
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

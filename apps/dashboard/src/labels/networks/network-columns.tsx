import { t } from '@lingui/core/macro'
import { count } from '../../lib/text/format.ts'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { headOf, networkState } from './network-state.ts'

/** What of a network these columns read. */
type NetworkRow = Parameters<typeof networkState>[0] & Parameters<typeof headOf>[0] & { readonly name: string }

/** Returns the columns every list of networks has; `blockText` writes the height of a block that may not be known. */
export function networkColumns<Row extends NetworkRow>(
  blockText: (height: number | undefined) => string,
): Record<'network' | 'state' | 'head' | 'behind', Column<Row>> {
  return {
    network: { key: 'network', label: t`Network`, card: 'title', cell: ({ name }) => name },
    state: {
      key: 'state',
      label: t`State`,
      card: 'badge',
      cell: (row) => <StatusBadge {...networkState(row)} wire={row.status} />,
    },
    head: {
      key: 'head',
      label: t({ message: 'Head', comment: 'the newest block of a network' }),
      align: 'end',
      card: 'none',
      cell: (row) => blockText(headOf(row)),
    },
    behind: {
      key: 'behind',
      label: t({ message: 'Behind', comment: 'how many blocks' }),
      align: 'end',
      card: 'none',
      cell: ({ lagBlocks }) => (lagBlocks === null ? '–' : count(lagBlocks)),
    },
  }
}

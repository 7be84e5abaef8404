import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'

import { networkName } from '../../labels/networks/network-name.ts'
import { listText } from '../../lib/text/list-text.ts'
import { Address } from '../../ui/facts/Address.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../ui/list/columns.ts'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { recipientBadge } from './recipient-states.ts'

export type RecipientColumnsOptions = { readonly now: Date; readonly projectName: (id: number) => string }

/** The columns of the address book. */
export function recipientColumns({ now, projectName }: RecipientColumnsOptions): Column<Recipient>[] {
  return [
    {
      key: 'name',
      label: t`Name`,
      sortBy: 'name',
      card: 'title',
      grows: true,
      // As wide as the column turns out, which a long name does not widen; on a card it is read in full.
      cell: ({ name }) => (
        <span
          title={name}
          className="block truncate max-sm:wrap-anywhere max-sm:whitespace-normal sm:w-0 sm:min-w-full"
        >
          {name}
        </span>
      ),
    },
    { key: 'email', label: t`E-mail`, card: 'line', shrink: 4, cell: ({ email }) => email },
    {
      key: 'network',
      label: t`Network`,
      card: 'line',
      cardLabel: true,
      shrink: 2,
      cell: ({ blockchainCode }) => networkName(blockchainCode),
    },
    { key: 'address', label: t`Address`, card: 'line', cell: ({ address }) => <Address value={address} /> },
    {
      key: 'projects',
      label: t`Projects`,
      card: 'line',
      cardLabel: true,
      shrink: 3,
      cell: ({ projectIDs }) => listText(projectIDs.map(projectName)),
    },
    {
      key: 'payableFrom',
      label: t`Payable from`,
      card: 'line',
      cardLabel: true,
      shrink: 1,
      cell: ({ status, payableFrom }) =>
        status !== 'active' || payableFrom === null ? t`Not yet` : <TimeAgo at={payableFrom} />,
    },
    {
      key: 'state',
      label: t`State`,
      card: 'badge',
      cell: (recipient) => <StatusBadge {...recipientBadge(recipient, now)} />,
    },
  ]
}

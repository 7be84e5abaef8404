import type { Deposit } from '@kassa/contract/deposits/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { customerQuery } from '../../../api/customers.ts'
import { useCan } from '../../../api/me.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { paths } from '../../../lib/paths.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { depositBadge, depositReason } from '../../../labels/deposit-labels.ts'

export type UnmatchedActions = {
  readonly mayAssign: (deposit: Deposit) => boolean
  readonly onAssign: (deposit: Deposit) => void
}

/** Returns the columns of money that waits for a person. */
export function unmatchedColumns({ mayAssign, onAssign }: UnmatchedActions): Column<Deposit>[] {
  return [
    {
      key: 'amount',
      label: t`Amount`,
      card: 'title',
      cell: ({ amount, currencyCode, amountInUSD }) => (
        <Amount value={amount} currency={currencyCode} usd={amountInUSD ?? undefined} />
      ),
    },
    {
      key: 'status',
      label: t`Status`,
      card: 'badge',
      shrink: 3,
      cell: (deposit) => <StatusBadge {...depositBadge(deposit)} />,
    },
    { key: 'reason', label: t`Why`, cell: (deposit) => <Why deposit={deposit} /> },
    { key: 'customer', label: t`Customer`, cell: (deposit) => <CustomerName {...deposit} /> },
    transactionColumn(),
    {
      key: 'seen',
      label: t`Arrived`,
      card: 'foot',
      shrink: 2,
      cell: ({ createdAt }) => <TimeAgo at={createdAt} />,
    },
    {
      key: 'actions',
      label: t`Action`,
      align: 'end',
      cell: (deposit) =>
        mayAssign(deposit) && (
          <Button size="small" onClick={() => onAssign(deposit)}>
            {deposit.status === 'quarantined' ? t`Release…` : t`Assign…`}
          </Button>
        ),
    },
  ]
}

/** Returns the column of the transaction that money came in, with its network. */
export function transactionColumn<
  Row extends { readonly txHash: string; readonly blockchainCode: string },
>(): Column<Row> {
  return {
    key: 'transaction',
    label: t`Transaction`,
    shrink: 1,
    cell: ({ txHash, blockchainCode }) => (
      <span className="inline-flex items-center gap-1.5">
        {networkName(blockchainCode)} <Address value={txHash} label={t`transaction hash`} isHash />
      </span>
    ),
  }
}

function Why({ deposit: { reason, referenceID, externalPlatformID } }: { deposit: Deposit }) {
  return (
    <span className="block py-2 whitespace-normal sm:min-w-44">
      {reason !== null && depositReason(reason)}{' '}
      {referenceID !== null && (
        <TextLink href={paths.payments({ projectId: externalPlatformID ?? ALL_PROJECTS }, { open: referenceID })}>
          <Trans>Open payment</Trans>
        </TextLink>
      )}
    </span>
  )
}

/** Who sent it, by name where that may be read. */
export function CustomerName({ memberID, externalPlatformID }: Pick<Deposit, 'memberID' | 'externalPlatformID'>) {
  const can = useCan()
  const isKnown = memberID !== null && externalPlatformID !== null
  const { data } = useQuery({
    ...customerQuery(externalPlatformID ?? 0, memberID ?? 0),
    enabled: isKnown && can('customer:read', externalPlatformID),
  })
  if (!isKnown)
    return (
      <span className="text-muted">
        <Trans>Nobody’s address</Trans>
      </span>
    )
  const name = data === undefined ? t`Customer ${memberID}` : data.email || data.customer_id
  return (
    <span title={name} className="block max-w-36 truncate lg:max-w-48">
      {name}
    </span>
  )
}

import type { Asset, Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { assetsOfQuery } from '../../../api/blockchains.ts'
import { useCan } from '../../../api/me.ts'
import { Address } from '../../../ui/facts/Address.tsx'
import { Amount } from '../../../ui/facts/Amount.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { AssetDialog } from './AssetDialog.tsx'

/** The currencies of a network: whether they can be paid with, and from which amount on. */
export function Assets({ blockchain }: { blockchain: Blockchain }) {
  const { data, error, refetch } = useQuery(assetsOfQuery(blockchain.code))
  const mayWrite = useCan()('blockchain:write')
  const [edited, setEdited] = useState<Asset>()
  const { name: network } = blockchain
  return (
    <section aria-label={t`Currencies`} className="flex flex-col gap-3">
      <h2 className="text-h3 font-semibold">
        <Trans>Currencies</Trans>
      </h2>
      <DataTable
        caption={t`Currencies`}
        columns={mayWrite ? [...assetColumns(), editColumn(setEdited)] : assetColumns()}
        rows={data}
        rowKey={({ id }) => String(id)}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={<EmptyState title={t`No currency`} text={t`Kassa knows no currency on ${network} yet.`} />}
      />
      {edited !== undefined && <AssetDialog asset={edited} onClose={() => setEdited(undefined)} />}
    </section>
  )
}

function assetColumns(): Column<Asset>[] {
  return [
    { key: 'code', label: t`Currency`, card: 'title', cell: ({ currencyCode }) => currencyCode },
    {
      key: 'deposits',
      label: t`Payments`,
      card: 'badge',
      cell: ({ depositEnabled }) => (
        <StatusBadge tone={depositEnabled ? 'success' : 'neutral'} word={depositEnabled ? t`On` : t`Off`} />
      ),
    },
    {
      key: 'withdrawals',
      label: t`Payouts`,
      card: 'foot',
      cardLabel: true,
      shrink: 1,
      cell: ({ withdrawalEnabled }) => (
        <StatusBadge tone={withdrawalEnabled ? 'success' : 'neutral'} word={withdrawalEnabled ? t`On` : t`Off`} />
      ),
    },
    {
      key: 'standard',
      label: t({ message: 'Kind', comment: 'of a currency: a coin, or the standard of a token' }),
      cell: ({ standard }) => (standard === 'native' ? t`Coin` : standard.toUpperCase()),
    },
    {
      key: 'contract',
      label: t`Contract`,
      cell: ({ address, standard }) =>
        standard === 'native' || address === '' ? (
          <span className="max-sm:hidden">–</span>
        ) : (
          <Address value={address} label={t`contract address`} />
        ),
    },
    {
      key: 'minimum',
      label: t`Smallest payment`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      cell: ({ minDepositAmount, currencyCode }) => <Amount value={minDepositAmount ?? '0'} currency={currencyCode} />,
    },
  ]
}

function editColumn(onEdit: (asset: Asset) => void): Column<Asset> {
  return {
    key: 'actions',
    label: t`Actions`,
    align: 'end',
    card: 'badge',
    cell: (asset) => <EditButton currency={asset.currencyCode} onPress={() => onEdit(asset)} />,
  }
}

function EditButton({ currency, onPress }: { currency: string; onPress: () => void }) {
  return (
    <Button size="small" kind="quiet" onClick={onPress}>
      <Trans>
        Edit<span className="sr-only"> {currency}</span>
      </Trans>
    </Button>
  )
}

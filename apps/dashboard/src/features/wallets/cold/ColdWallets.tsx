import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus, Power, Snowflake, Star, Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'

import { failureOf } from '../../../api/form-failure.ts'
import { coldWalletsQuery, useWalletChanges } from '../../../api/hot-wallets.ts'
import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { None } from '../../../ui/facts/None.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import type { Column } from '../../../ui/list/columns.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../../ui/places/EmptyState.tsx'
import { DataTable } from '../../../ui/table/DataTable.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

const AddColdWallet = lazyLayer(async () => ({ default: (await import('./AddColdWallet.tsx')).AddColdWallet }))
const DeactivateColdWallet = lazyLayer(async () => ({
  default: (await import('./ColdWalletEnd.tsx')).DeactivateColdWallet,
}))
const DeleteColdWallet = lazyLayer(async () => ({ default: (await import('./ColdWalletEnd.tsx')).DeleteColdWallet }))

/** What is asked about a cold wallet before it is done. */
type Asked = { readonly end: 'deactivate' | 'delete'; readonly wallet: Wallet }

/** The addresses that only the merchant can spend from, where deposits are moved to. */
export function ColdWallets() {
  const mayWrite = useCan()('wallet:write')
  const { data: wallets, error, refetch } = useQuery(coldWalletsQuery)
  const [isAdding, setAdding] = useState(false)
  const [asked, setAsked] = useState<Asked>()
  const menu = useColdWalletMenu(setAsked)
  const End = asked?.end === 'delete' ? DeleteColdWallet : DeactivateColdWallet
  const add = mayWrite && (
    <Button icon={<Plus aria-hidden />} onClick={() => setAdding(true)}>
      <Trans>Add cold wallet</Trans>
    </Button>
  )
  return (
    <section className="mt-8">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 className="text-h3 font-semibold">
            <Trans>Cold wallets</Trans>
          </h2>
          <p className="mt-0.5 text-body text-muted">
            <Trans>Addresses whose keys only you have. Deposits are moved there.</Trans>
          </p>
        </div>
        {wallets !== undefined && wallets.length > 0 && add}
      </div>
      <DataTable
        caption={t`Cold wallets`}
        columns={coldColumns()}
        rows={wallets}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        menu={mayWrite ? menu : undefined}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title={t`No cold wallet`}
            icon={<Snowflake aria-hidden />}
            text={t`Add the address that deposits are to be moved to.`}
            action={add}
          />
        }
      />
      <Suspense>
        {isAdding && <AddColdWallet onClose={() => setAdding(false)} />}
        {asked && <End wallet={asked.wallet} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </section>
  )
}

function useColdWalletMenu(ask: (asked: Asked) => void) {
  const { makeDefault, setStatus } = useWalletChanges()
  const run = async (work: Promise<unknown>, done: string) => {
    const failure = await failureOf(() => work)
    if (failure === undefined) toast.success(done)
    else toast.error(failure)
  }
  return (wallet: Wallet): MenuItem[] => {
    const { id, name, status, canDelete } = wallet
    const off = wallet.default ? t`It is the default.` : t`Activate it first.`
    return [
      {
        label: t`Make default`,
        icon: <Star aria-hidden />,
        onSelect: () => void run(makeDefault(id), t`${name} is the default`),
        offReason: wallet.default || status === 'inactive' ? off : undefined,
      },
      {
        label: status === 'active' ? t`Deactivate` : t`Activate`,
        icon: <Power aria-hidden />,
        onSelect: () =>
          status === 'active'
            ? ask({ end: 'deactivate', wallet })
            : void run(setStatus(id, 'active'), t`${name} is active`),
      },
      {
        label: t`Delete`,
        icon: <Trash2 aria-hidden />,
        onSelect: () => ask({ end: 'delete', wallet }),
        danger: true,
        divided: true,
        offReason: canDelete ? undefined : t`Money has arrived there: deactivate it instead.`,
      },
    ]
  }
}

function coldColumns(): Column<Wallet>[] {
  return [
    {
      key: 'name',
      label: t`Name`,
      card: 'title',
      cell: (wallet) => (
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="min-w-0 break-words">{wallet.name}</span>
          {wallet.default && <StatusBadge tone="neutral" word={t`Default`} />}
        </span>
      ),
    },
    {
      key: 'network',
      label: t`Network`,
      card: 'foot',
      cardLabel: true,
      cell: ({ blockchainCode }) => blockchainCode ?? <None />,
    },
    {
      key: 'address',
      label: t`Address`,
      card: 'line',
      cell: ({ address }) => (address === null ? <None /> : <Address value={address} full />),
    },
    { key: 'state', label: t`State`, card: 'badge', cell: (wallet) => <ColdState wallet={wallet} /> },
  ]
}

/** The time in which members can object before a new address is used. */
function ColdState({ wallet: { status, usableAt } }: { wallet: Wallet }) {
  if (status === 'inactive') return <StatusBadge tone="neutral" word={t`Inactive`} wire={status} />
  if (usableAt === null || usableAt.getTime() <= Date.now()) {
    return <StatusBadge tone="success" word={t`Active`} wire={status} />
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <StatusBadge tone="info" word={t`Usable soon`} />
      <TimeRemaining until={usableAt} />
    </span>
  )
}

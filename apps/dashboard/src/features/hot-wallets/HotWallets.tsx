import type { Wallet, WalletBalance } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Flame, Pencil, Plus, Power, QrCode, Star } from 'lucide-react'
import { Suspense, useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { hotBalancesQuery, hotWalletsQuery, useWalletChanges } from '../../api/hot-wallets.ts'
import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { paths } from '../../lib/paths.ts'
import { usd } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import type { MenuItem } from '../../ui/actions/Menu.tsx'
import { Address } from '../../ui/facts/Address.tsx'
import { None } from '../../ui/facts/None.tsx'
import { StatusBadge } from '../../ui/facts/StatusBadge.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import type { Column } from '../../ui/list/columns.ts'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { FloatBar } from './FloatBar.tsx'
import { familyText, floatOf, purposeText } from './hot-words.ts'
import { HotWalletBanners } from './HotWalletBanners.tsx'

const AddHotWallet = lazyLayer(async () => ({ default: (await import('./AddHotWallet.tsx')).AddHotWallet }))
const changes = () => import('./ChangeHotWallet.tsx')
const ChangeHotWallet = lazyLayer(async () => ({ default: (await changes()).ChangeHotWallet }))
const DeactivateHotWallet = lazyLayer(async () => ({ default: (await changes()).DeactivateHotWallet }))
const TopUp = lazyLayer(async () => ({ default: (await import('./TopUp.tsx')).TopUp }))

type Action = 'change' | 'deactivate' | 'top-up'
type Open = { readonly action: 'add' } | { readonly action: Action; readonly wallet: Wallet }

/** The wallets whose keys the server holds: purpose, balance and limit of each. */
export function HotWallets() {
  const mayWrite = useCan()('wallet:write')
  const { data: wallets, error, refetch } = useQuery(hotWalletsQuery)
  const { data: balances } = useQuery(hotBalancesQuery)
  const [open, setOpen] = useState<Open>()
  const menu = useHotWalletMenu(setOpen)
  const close = () => setOpen(undefined)
  const add = mayWrite && (
    <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setOpen({ action: 'add' })}>
      <Trans>Add hot wallet</Trans>
    </Button>
  )
  return (
    <>
      <PageHead
        title={t`Hot wallets`}
        text={t`Their keys are stored on this server and never leave it. Keep only what fees and payouts need.`}
        primary={add}
      />
      {wallets && (
        <HotWalletBanners
          wallets={wallets}
          balances={balances}
          onTopUp={(wallet) => setOpen({ action: 'top-up', wallet })}
        />
      )}
      <DataTable
        caption={t`Hot wallets`}
        columns={hotColumns(balances)}
        rows={wallets}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        rowHref={({ id }) => paths.hotWallet({ id })}
        menu={mayWrite ? menu : undefined}
        error={error === null ? null : asRequestError(error)}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            title={t`No hot wallet`}
            icon={<Flame aria-hidden />}
            text={t`You need one to pay gas for sweeps and to send payouts.`}
            action={add}
          />
        }
      />
      <Suspense>
        {open?.action === 'add' && <AddHotWallet onClose={close} />}
        {open?.action === 'change' && <ChangeHotWallet wallet={open.wallet} onClose={close} />}
        {open?.action === 'deactivate' && <DeactivateHotWallet wallet={open.wallet} onClose={close} />}
        {open?.action === 'top-up' && <TopUp wallet={open.wallet} onClose={close} />}
      </Suspense>
    </>
  )
}

/** What may be done to a hot wallet; dialogs are opened by the page. */
function useHotWalletMenu(show: (open: Open) => void) {
  const { makeDefault, setStatus } = useWalletChanges()
  const run = async (work: Promise<unknown>, done: string) => {
    const failure = await failureOf(() => work)
    if (failure === undefined) toast.success(done)
    else toast.error(failure)
  }
  return (wallet: Wallet): MenuItem[] => {
    const { id, name, status } = wallet
    const isActive = status === 'active'
    const off = wallet.default ? t`It is the default.` : t`Activate it first.`
    return [
      { label: t`Top up`, icon: <QrCode aria-hidden />, onSelect: () => show({ action: 'top-up', wallet }) },
      {
        label: t`Change name and limit`,
        icon: <Pencil aria-hidden />,
        onSelect: () => show({ action: 'change', wallet }),
      },
      {
        label: t`Make default`,
        icon: <Star aria-hidden />,
        onSelect: () => void run(makeDefault(id), t`${name} is the default`),
        offReason: wallet.default || !isActive ? off : undefined,
      },
      isActive
        ? {
            label: t`Deactivate`,
            icon: <Power aria-hidden />,
            onSelect: () => show({ action: 'deactivate', wallet }),
            danger: true,
            divided: true,
          }
        : {
            label: t`Activate`,
            icon: <Power aria-hidden />,
            onSelect: () => void run(setStatus(id, 'active'), t`${name} is active`),
            divided: true,
          },
    ]
  }
}

function hotColumns(balances: readonly WalletBalance[] | undefined): Column<Wallet>[] {
  return [
    {
      key: 'name',
      label: t`Name`,
      card: 'title',
      grows: true,
      cell: (wallet) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-2 max-sm:py-0">
          <span className="min-w-0 break-words whitespace-normal">{wallet.name}</span>
          {wallet.default && <StatusBadge tone="neutral" word={t`Default`} />}
        </span>
      ),
    },
    { key: 'family', label: t`Family`, card: 'foot', cardLabel: true, shrink: 1, cell: familyText },
    {
      key: 'address',
      label: t`Address`,
      card: 'line',
      shrink: 3,
      cell: ({ address }) => (address === null ? <None /> : <Address value={address} />),
    },
    { key: 'for', label: t`For`, card: 'foot', cardLabel: true, cell: purposeText },
    {
      key: 'float',
      label: t`Float now`,
      card: 'line',
      cell: (wallet) => {
        const float = floatOf(wallet, balances)
        if (float === undefined) return <None />
        return (
          <div className="py-2 max-sm:py-0">
            <FloatBar wallet={wallet} float={float} />
          </div>
        )
      },
    },
    {
      key: 'held',
      label: t`Held for payouts`,
      align: 'end',
      card: 'foot',
      cardLabel: true,
      shrink: 2,
      cell: (wallet) => usd(floatOf(wallet, balances)?.held ?? '0'),
    },
    { key: 'used', label: t`Last use`, card: 'foot', cardLabel: true, shrink: 2, cell: LastUse },
    { key: 'state', label: t`State`, card: 'badge', cell: WalletState },
  ]
}

/** When the key of a wallet signed last. */
export function LastUse({ lastUsedAt }: Pick<Wallet, 'lastUsedAt'>) {
  return lastUsedAt === null ? <Trans>Never</Trans> : <TimeAgo at={lastUsedAt} />
}

/** Whether a wallet is in use. */
export function WalletState({ status }: Pick<Wallet, 'status'>) {
  return status === 'active' ? (
    <StatusBadge tone="success" word={t`Active`} wire={status} />
  ) : (
    <StatusBadge tone="neutral" word={t`Inactive`} wire={status} />
  )
}

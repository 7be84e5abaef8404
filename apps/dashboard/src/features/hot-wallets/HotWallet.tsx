import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { Suspense, useState } from 'react'

import { hotBalancesQuery, hotWalletsQuery } from '../../api/hot-wallets.ts'
import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { KeyValue } from '../../ui/facts/KeyValue.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { EmptyState } from '../../ui/places/EmptyState.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { TimeAgo } from '../../ui/time/TimeAgo.tsx'
import { FloatBar } from './FloatBar.tsx'
import { floatOf, purposeText } from './hot-words.ts'
import { HotWalletBanners } from './HotWalletBanners.tsx'
import { HotWalletBalances } from './HotWalletBalances.tsx'
import { TopUpAddress } from './TopUp.tsx'
import { LastUse, WalletState } from './HotWallets.tsx'

const ChangeHotWallet = lazyLayer(async () => ({ default: (await import('./ChangeHotWallet.tsx')).ChangeHotWallet }))

/** One hot wallet: its address to top it up, and its balance in each coin. */
export function HotWallet({ id }: { id: number }) {
  const { data: wallets, error, refetch } = useQuery(hotWalletsQuery)
  const wallet = wallets?.find((one) => one.id === id)
  if (wallet) return <Detail wallet={wallet} />
  return (
    <>
      <PageHead title={t`Hot wallet`} />
      <Card flush>
        {error !== null && wallets === undefined ? (
          <ErrorState
            title={t`The hot wallet couldn’t be loaded`}
            error={asRequestError(error)}
            onRetry={() => void refetch()}
          />
        ) : wallets === undefined ? (
          <div className="flex flex-col gap-3 p-5">
            <Skeleton width="40%" height={20} />
            <Skeleton width="80%" />
            <LoadingText text={t`Loading the hot wallet`} />
          </div>
        ) : (
          <EmptyState
            title={t`No such hot wallet`}
            action={
              <LinkButton href={paths.hotWallets()}>
                <Trans>Hot wallets</Trans>
              </LinkButton>
            }
          />
        )}
      </Card>
    </>
  )
}

function Detail({ wallet }: { wallet: Wallet }) {
  const mayWrite = useCan()('wallet:write')
  const { data: balances, error, refetch } = useQuery(hotBalancesQuery)
  const [isChanging, setChanging] = useState(false)
  const float = floatOf(wallet, balances)
  const rows = [
    { label: t`For`, value: wallet.default ? t`${purposeText(wallet)} (default)` : purposeText(wallet) },
    {
      label: t`Float now`,
      value: float === undefined ? <Skeleton width="60%" /> : <FloatBar wallet={wallet} float={float} />,
    },
    { label: t`Last use`, value: <LastUse lastUsedAt={wallet.lastUsedAt} /> },
    { label: t`Added`, value: <TimeAgo at={wallet.createdAt} /> },
  ]
  return (
    <>
      <PageHead
        title={wallet.name}
        badge={<WalletState status={wallet.status} />}
        actions={
          mayWrite && (
            <Button icon={<Pencil aria-hidden />} onClick={() => setChanging(true)}>
              <Trans>Change name and limit</Trans>
            </Button>
          )
        }
      />
      <HotWalletBanners wallets={[wallet]} balances={balances} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Card title={t`Facts`}>
            <KeyValue rows={rows} />
          </Card>
          <HotWalletBalances
            wallet={wallet}
            balances={balances}
            error={error === null ? null : asRequestError(error)}
            onRetry={() => void refetch()}
          />
        </div>
        <Card title={t`Top up`}>
          <TopUpAddress wallet={wallet} />
        </Card>
      </div>
      <Suspense>{isChanging && <ChangeHotWallet wallet={wallet} onClose={() => setChanging(false)} />}</Suspense>
    </>
  )
}

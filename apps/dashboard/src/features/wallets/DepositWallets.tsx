import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { blockchainsQuery } from '../../api/blockchains.ts'
import { useCan } from '../../api/me.ts'
import { depositWalletsQuery } from '../../api/lazy-lists.ts'
import { useSearchState } from '../../lib/navigation/search.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { lazyLayer } from '../../ui/overlays/lazy-load.ts'
import { Card } from '../../ui/places/Card.tsx'
import { ErrorState } from '../../ui/places/ErrorState.tsx'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { ColdWallets } from './cold/ColdWallets.tsx'
import { CustodyTable } from './cold/CustodyTable.tsx'
import { PendingLinks } from './cards/PendingLinks.tsx'
import { EvmCard } from './cards/EvmCard.tsx'
import { BitcoinCard } from './cards/BitcoinCard.tsx'
import { BITCOIN, EVM, type KeyFamily, SOLANA, TRON } from './account/families.ts'
import { SolanaCard } from './cards/SolanaCard.tsx'
import { TronCard } from './cards/TronCard.tsx'

const AddWalletDialog = lazyLayer(async () => ({
  default: (await import('./adding/AddWalletDialog.tsx')).AddWalletDialog,
}))

const WalletAddresses = lazyLayer(async () => ({
  default: (await import('./managing/WalletAddresses.tsx')).WalletAddresses,
}))

/** What the address holds of the list of addresses. */
const WITHOUT_ADDRESSES = {
  ...{ open: undefined, query: undefined, status: undefined },
  ...{ cursor: undefined, limit: undefined },
} as const

/** Where customers pay: the wallet of each chain family, and who could move its money. */
export function DepositWallets() {
  const wallets = useQuery(depositWalletsQuery)
  const { data: blockchains = [] } = useQuery(blockchainsQuery)
  const can = useCan()
  const [adding, setAdding] = useState<KeyFamily>()
  const [{ open }, setSearch] = useSearchState()
  const opened = can('address:read') ? wallets.data?.find(({ id }) => String(id) === open) : undefined
  const mayAdd = can('wallet:write')
  const ofFamily = (family: KeyFamily) => ({
    wallets: wallets.data?.filter((wallet) => wallet.family === family),
    blockchains: blockchains.filter((blockchain) => blockchain.family === family),
    onAdd: mayAdd ? () => setAdding(family) : undefined,
  })

  return (
    <>
      <PageHead
        title={t`Deposit wallets`}
        text={t`Customers pay to addresses of these wallets. The keys that move this money stay with you.`}
        primary={
          mayAdd && (
            <Button kind="primary" icon={<Plus aria-hidden />} onClick={() => setAdding(EVM)}>
              <Trans>Add deposit wallet</Trans>
            </Button>
          )
        }
      />
      <PendingLinks />
      <div className="flex flex-col gap-4">
        {wallets.data?.length === 0 && (
          <Banner tone="warning">
            <Trans>Customers can’t pay until one network has a deposit wallet.</Trans>
          </Banner>
        )}
        {wallets.data === undefined && wallets.error !== null ? (
          <Card flush>
            <ErrorState
              title={t`Deposit wallets couldn’t be loaded`}
              error={asRequestError(wallets.error)}
              onRetry={() => void wallets.refetch()}
            />
          </Card>
        ) : (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
            <EvmCard {...ofFamily(EVM)} />
            <div className="flex flex-col gap-4">
              <TronCard {...ofFamily(TRON)} />
              <BitcoinCard {...ofFamily(BITCOIN)} />
              {wallets.data !== undefined && (
                <SolanaCard wallets={wallets.data.filter(({ family }) => family === SOLANA)} mayAdd={mayAdd} />
              )}
            </div>
          </div>
        )}
      </div>
      <ColdWallets />
      <CustodyTable />
      <Suspense>
        {opened !== undefined && <WalletAddresses wallet={opened} onClose={() => setSearch(WITHOUT_ADDRESSES)} />}
        {adding !== undefined && wallets.data !== undefined && (
          <AddWalletDialog wallets={wallets.data} first={adding} onClose={() => setAdding(undefined)} />
        )}
      </Suspense>
    </>
  )
}

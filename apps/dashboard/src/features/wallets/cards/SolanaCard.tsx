import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Suspense, useState } from 'react'

import { Button } from '../../../ui/actions/Button.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { Card } from '../../../ui/places/Card.tsx'
import { WalletFacts } from './WalletFacts.tsx'

const AddListDialog = lazyLayer(async () => ({
  default: (await import('../adding/AddListDialog.tsx')).AddListDialog,
}))

export type SolanaCardProps = {
  /** Those of the family. */
  readonly wallets: readonly Wallet[]
  readonly mayAdd: boolean
}

/** Solana derives no addresses from a public key: its wallets are lists that their owner makes with the signer. */
export function SolanaCard({ wallets, mayAdd }: SolanaCardProps) {
  /** The wallet that gets more addresses, or `new`. */
  const [adding, setAdding] = useState<Wallet | 'new'>()
  const isSetUp = wallets.some(({ status }) => status === 'active')
  return (
    <Card
      title="Solana"
      text={t`SOL and tokens on Solana`}
      actions={<StatusBadge tone={isSetUp ? 'success' : 'info'} word={isSetUp ? t`Active` : t`Not set up`} />}
    >
      <div className="flex flex-col gap-5">
        {wallets.map((wallet) => (
          <div key={wallet.id} className="flex flex-col items-start gap-2">
            <WalletFacts wallet={wallet} wallets={wallets} />
            {mayAdd && (
              <Button size="small" onClick={() => setAdding(wallet)}>
                <Trans>Add addresses</Trans>
              </Button>
            )}
          </div>
        ))}
        {wallets.length === 0 && (
          <p className="text-body text-muted">
            <Trans>Payments on Solana aren’t possible yet. Its addresses come from a list made with the signer.</Trans>
          </p>
        )}
        {mayAdd && (
          <div>
            <Button onClick={() => setAdding('new')}>
              <Trans>Add address list</Trans>
            </Button>
          </div>
        )}
      </div>
      <Suspense>
        {adding !== undefined && (
          <AddListDialog
            wallets={wallets}
            wallet={adding === 'new' ? undefined : adding}
            onClose={() => setAdding(undefined)}
          />
        )}
      </Suspense>
    </Card>
  )
}

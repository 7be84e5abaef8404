import type { Blockchain } from '@kassa/contract/blockchains/schemas.ts'
import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { networkReason } from '../../../labels/networks/network-reason.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { LoadingText, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { WalletFacts } from './WalletFacts.tsx'

export type FamilyWallets = {
  /** Absent while they load. */
  readonly wallets: readonly Wallet[] | undefined
  readonly blockchains: readonly Blockchain[]
  /** Absent for those who may not add one. */
  readonly onAdd: (() => void) | undefined
}

export type FamilyCardProps = FamilyWallets & {
  /** As people call the family. */
  readonly title: string
  readonly text: string
  /** What cannot be done while there is no wallet. */
  readonly empty: string
  /** Content below the wallets. */
  readonly children?: ReactNode
}

/** One chain family: the wallets whose addresses its customers pay to. */
export function FamilyCard({ title, text, empty, wallets, blockchains, onAdd, children }: FamilyCardProps) {
  const isSetUp = wallets?.some(({ status }) => status === 'active') ?? false
  return (
    <Card
      title={title}
      text={text}
      actions={
        wallets !== undefined && (
          <StatusBadge tone={isSetUp ? 'success' : 'info'} word={isSetUp ? t`Active` : t`Not set up`} />
        )
      }
    >
      {wallets === undefined && <Loading />}
      {wallets?.length === 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-body text-muted">{empty}</p>
          {onAdd !== undefined && (
            <Button onClick={onAdd}>
              <Trans>Set up</Trans>
            </Button>
          )}
        </div>
      )}
      {wallets !== undefined && wallets.length > 0 && (
        <div className="flex flex-col gap-5">
          {wallets.map((wallet) => (
            <WalletFacts key={wallet.id} wallet={wallet} wallets={wallets} />
          ))}
          {children}
        </div>
      )}
      <OutOfUse blockchains={blockchains} />
    </Card>
  )
}

function OutOfUse({ blockchains }: { blockchains: readonly Blockchain[] }) {
  const outOfUse = blockchains.filter(({ status }) => status === 'inactive')
  if (outOfUse.length === 0) return null
  return (
    <ul className="mt-4 border-t border-border pt-3 text-dense text-muted">
      {outOfUse.map((network) => (
        <li key={network.code}>{outOfUseText(network)}</li>
      ))}
    </ul>
  )
}

function outOfUseText(network: Blockchain): string {
  const { code } = network
  const reason = networkReason(network)
  return reason === null ? t`${code} is not in use.` : t`${code} is not in use. ${reason}`
}

function Loading() {
  return (
    <div className="flex flex-col gap-3">
      <Skeleton width="40%" height={20} />
      <Skeleton width="80%" />
      <Skeleton width="60%" />
      <LoadingText text={t`Loading deposit wallets`} />
    </div>
  )
}

import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { usdOf } from '@kassa/primitives/money/usd.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { paths } from '../../../lib/paths.ts'
import { usd } from '../../../lib/text/format.ts'
import { listText } from '../../../lib/text/list-text.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { TextLink } from '../../../ui/actions/TextLink.tsx'
import { KeyValue } from '../../../ui/facts/KeyValue.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { AddressTable } from '../account/AddressTable.tsx'
import { LinkProjectsDialog } from '../linking/LinkProjectsDialog.tsx'

const WalletMenu = lazyPart(async () => ({ default: (await import('../managing/WalletMenu.tsx')).WalletMenu }))
const ContractFacts = lazyPart(async () => ({ default: (await import('./ContractFacts.tsx')).ContractFacts }))

export type WalletFactsProps = {
  readonly wallet: Wallet
  /** All wallets of the family, to tell which project uses another one. */
  readonly wallets: readonly Wallet[]
}

/** One wallet: what it is known by, how many addresses it gave out, and which projects use it. */
export function WalletFacts({ wallet, wallets }: WalletFactsProps) {
  const { name: walletName, addressCount: given, poolSize: ready } = wallet
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const [isLinking, setLinking] = useState(false)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  const linked = wallet.externalPlatformWallets.map(({ externalPlatformID: id }) => names.get(id) ?? t`Project ${id}`)
  const mayLink = wallet.status === 'active' && projects.some(({ id }) => can('wallet:link', id))
  const isUsed = wallet.externalPlatformWallets.some(({ externalPlatformID: id }) => names.has(id))
  const [xpub] = wallet.walletxpubs

  const rows = [
    ...(xpub === undefined ? [] : [{ label: t`Extended public key`, value: <KeyLine wallet={wallet} /> }]),
    {
      label: t`Addresses`,
      // English says the same of one and of many; other languages do not.
      value: t`${plural(given, { other: '# assigned to customers' })} · ${plural(ready, { other: '# ready' })}`,
    },
    ...(usdOf(wallet.balance) === 0n || !can('sweep:read')
      ? []
      : [
          {
            label: t`Waiting to be swept`,
            value: <TextLink href={paths.sweeps({ tabId: 'Funds' })}>{usd(wallet.balance)}</TextLink>,
          },
        ]),
    {
      label: t`Linked projects`,
      value: (
        <span className="flex flex-wrap items-center justify-between gap-2">
          {linked.length === 0 ? t`None: no customer is given an address of it` : listText(linked)}
          {mayLink && (
            <Button size="small" onClick={() => setLinking(true)}>
              <Trans>Link projects</Trans>
            </Button>
          )}
        </span>
      ),
    },
  ]
  return (
    <div>
      <div className="flex items-start justify-between gap-2">
        <div className="flex min-h-9 min-w-0 flex-wrap items-center gap-2">
          <h3 className="text-body font-semibold wrap-anywhere">{walletName}</h3>
          {wallet.default && <StatusBadge tone="neutral" word={t`Default`} />}
          {wallet.status === 'inactive' && <StatusBadge tone="neutral" word={t`Inactive`} wire="inactive" />}
        </div>
        <span className="min-h-9">
          <Suspense>
            <WalletMenu wallet={wallet} isUsed={isUsed} />
          </Suspense>
        </span>
      </div>
      {wallet.walletSubType === 'scw' && (
        <Suspense fallback={<Skeleton width="80%" />}>
          <ContractFacts wallet={wallet} />
        </Suspense>
      )}
      <KeyValue rows={rows} />
      {xpub !== undefined && xpub.firstAddresses.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit rounded-chip py-1 text-body font-medium text-accent-text">
            <Trans>First addresses</Trans>
          </summary>
          <p className="mt-1 mb-2 text-dense text-muted">
            <Trans>Your own wallet must show the same ones in the same order.</Trans>
          </p>
          <AddressTable label={t`First addresses of ${walletName}`} addresses={xpub.firstAddresses} path={xpub.path} />
        </details>
      )}
      {isLinking && <LinkProjectsDialog wallet={wallet} wallets={wallets} onClose={() => setLinking(false)} />}
    </div>
  )
}

function KeyLine({ wallet }: { wallet: Wallet }) {
  return wallet.walletxpubs.map(({ fingerprint, xpubMasked, path }) => (
    <span key={fingerprint} className="block">
      <bdi dir="ltr" className="font-mono text-dense break-all">
        {xpubMasked}
      </bdi>
      <span className="block text-dense text-muted">
        <Trans>
          Account {path} · fingerprint {fingerprint}
        </Trans>
      </span>
    </span>
  ))
}

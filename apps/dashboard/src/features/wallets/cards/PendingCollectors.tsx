import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'

import { depositWalletsQuery } from '../../../api/lazy-lists.ts'
import { networkName } from '../../../labels/networks/network-name.ts'
import { paths } from '../../../lib/paths.ts'
import { shortAddress } from '../../../lib/text/format.ts'
import { LinkButton } from '../../../ui/actions/LinkButton.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { lazyPart } from '../../../ui/overlays/lazy-load.ts'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

const PendingLinks = lazyPart(async () => ({ default: (await import('./PendingLinks.tsx')).PendingLinks }))

/** Says on every screen about wallets that somebody proposed another collector or linked another wallet, while it can be refused. */
export function PendingCollectors() {
  const { data: wallets = [] } = useQuery(depositWalletsQuery)
  const pending = wallets.flatMap(({ name, walletScws }) =>
    walletScws.flatMap(({ id, blockchainCode, pendingCollectorAddress: proposed, pendingCollectorReadyAt: readyAt }) =>
      proposed === null || readyAt === null ? [] : [{ id, name, blockchainCode, proposed, readyAt }],
    ),
  )
  return (
    <>
      <Suspense>{wallets.some(({ pendingLinks }) => pendingLinks.length > 0) && <PendingLinks />}</Suspense>
      <div className="mb-3 flex flex-col gap-2 empty:hidden">
        {pending.map(({ id, name, blockchainCode, proposed, readyAt }) => {
          const [network, collector] = [networkName(blockchainCode), shortAddress(proposed)]
          return (
            <Banner
              key={id}
              tone="danger"
              action={<LinkButton size="small" href={paths.depositWallets()}>{t`Veto`}</LinkButton>}
            >
              {t`A new collector was proposed for ${name} on ${network}: ${collector}.`}{' '}
              <TimeRemaining until={readyAt} /> <Trans>Until then sweeps go to the present one.</Trans>
            </Banner>
          )
        })}
      </div>
    </>
  )
}

import type { Wallet } from '@kassa/contract/wallets/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'

import { depositWalletsQuery } from '../../../api/lazy-lists.ts'
import { useCan } from '../../../api/me.ts'
import { projectsQuery } from '../../../api/projects.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'

const WithdrawLink = lazyLayer(async () => ({ default: (await import('../managing/WalletRemoval.tsx')).WithdrawLink }))

type Pending = { readonly wallet: Wallet; readonly project: { readonly id: number; readonly name: string } }

/** Says that another wallet takes the place of a project's own, while there is time to withdraw it. */
export function PendingLinks() {
  const { data: wallets = [] } = useQuery(depositWalletsQuery)
  const { data: projects = [] } = useQuery(projectsQuery)
  const can = useCan()
  const [withdrawing, setWithdrawing] = useState<Pending>()
  const pending = wallets.flatMap((wallet) =>
    wallet.pendingLinks.map(({ externalPlatformID: id, family, effectiveAt }) => {
      const project = { id, name: projects.find((one) => one.id === id)?.name ?? t`Project ${id}` }
      return { wallet, project, family, effectiveAt }
    }),
  )
  return (
    <div className="mb-3 flex flex-col gap-2 empty:hidden">
      {pending.map(({ wallet, project, family, effectiveAt }) => {
        const [walletName, projectName] = [wallet.name, project.name]
        const withdraw = (
          <Button size="small" onClick={() => setWithdrawing({ wallet, project })}>
            <Trans>Withdraw</Trans>
          </Button>
        )
        return (
          <Banner
            key={`${project.id} ${family}`}
            tone="danger"
            action={can('wallet:link', project.id) ? withdraw : undefined}
          >
            {t`New customers of ${projectName} will get addresses of the wallet “${walletName}”. Time left to withdraw it:`}{' '}
            <TimeRemaining until={effectiveAt} />
          </Banner>
        )
      })}
      <Suspense>
        {withdrawing !== undefined && <WithdrawLink {...withdrawing} onClose={() => setWithdrawing(undefined)} />}
      </Suspense>
    </div>
  )
}

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { useChangePayoutConfig, usePauseInstall } from '../../api/payout-policy.ts'
import { payoutMetricsQuery } from '../../api/payouts.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { useCurrentProject } from '../../lib/navigation/current-project.ts'
import { paths } from '../../lib/paths.ts'
import { dayAndMinute } from '../../lib/time/time.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { LinkButton } from '../../ui/actions/LinkButton.tsx'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** Says why no money is sent, and how to continue: it was paused, or the hot wallets do not hold enough. */
export function SendingHeld() {
  const { id } = useCurrentProject()
  const { data } = useQuery(payoutMetricsQuery(id))
  const can = useCan()
  const changePolicy = useChangePayoutConfig(id)
  const pauseInstall = usePauseInstall()
  if (data === undefined) return null
  const { paused, shortOf } = data
  return (
    <div className="mb-3 flex flex-col gap-2 empty:hidden">
      {paused.install !== null && (
        <Paused resume={can('settings:write') ? () => pauseInstall(false) : undefined}>
          <Trans>Sending is paused for every project since {dayAndMinute(paused.install)}.</Trans>
        </Paused>
      )}
      {paused.project !== null && (
        <Paused resume={can('payout_policy:write', id) ? () => changePolicy({ paused: false }) : undefined}>
          <Trans>Sending is paused since {dayAndMinute(paused.project)}.</Trans>
        </Paused>
      )}
      {shortOf.length > 0 && (
        <Banner
          tone="warning"
          action={can('wallet:read') && <LinkButton href={paths.hotWallets()}>{t`Top up`}</LinkButton>}
        >
          <Trans>Payouts wait: the hot wallets need more {shortOf.map(shortText).join(', ')}.</Trans>
        </Banner>
      )}
    </div>
  )
}

function shortText({ blockchainCode, currencyCode }: { blockchainCode: string; currencyCode: string }): string {
  const network = networkName(blockchainCode)
  return t`${currencyCode} on ${network}`
}

function Paused({ resume, children }: { resume: (() => Promise<unknown>) | undefined; children: ReactNode }) {
  const [isSending, setSending] = useState(false)
  const press = async () => {
    setSending(true)
    const failure = await failureOf(() => resume?.() ?? Promise.resolve())
    setSending(false)
    if (failure !== undefined) toast.error(failure)
    else toast.success(t`Sending resumed`)
  }
  return (
    <Banner
      tone="warning"
      action={
        resume && (
          <Button loading={isSending} onClick={() => void press()}>
            <Trans>Resume</Trans>
          </Button>
        )
      }
    >
      {children}
    </Banner>
  )
}

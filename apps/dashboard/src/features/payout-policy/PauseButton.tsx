import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { payoutConfigQuery, useChangePayoutConfig, usePauseInstall } from '../../api/payout-policy.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** Freezes all sending of a project with one press, and lets it go on. What froze it says the button beside what is frozen. */
export function PauseButton({ projectId }: { projectId: string }) {
  const { data: config } = useQuery(payoutConfigQuery(projectId))
  const change = useChangePayoutConfig(projectId)
  const can = useCan()
  if (config === undefined || !can('payout_policy:write', projectId)) return null
  const { paused } = config
  return (
    <Switch isPaused={paused} change={(isPaused) => change({ paused: isPaused })}>
      {paused ? <Trans>Resume this project</Trans> : <Trans>Pause this project</Trans>}
    </Switch>
  )
}

/** The same for every project of the install. */
export function PauseInstallButton({ projectId }: { projectId: string }) {
  const { data: config } = useQuery(payoutConfigQuery(projectId))
  const change = usePauseInstall()
  const can = useCan()
  if (config === undefined || !can('settings:write')) return null
  const isPaused = config.installPausedAt !== null
  return (
    <Switch isPaused={isPaused} change={change}>
      {isPaused ? <Trans>Resume every project</Trans> : <Trans>Pause every project</Trans>}
    </Switch>
  )
}

type SwitchProps = {
  readonly isPaused: boolean
  readonly change: (isPaused: boolean) => Promise<unknown>
  readonly children: ReactNode
}

function Switch({ isPaused, change, children }: SwitchProps) {
  const [isSending, setSending] = useState(false)
  const press = async () => {
    setSending(true)
    const failure = await failureOf(() => change(!isPaused))
    setSending(false)
    if (failure !== undefined) toast.error(failure)
    else toast.success(isPaused ? t`Sending resumed` : t`Sending paused`)
  }
  const icon = isPaused ? <Play aria-hidden /> : <Pause aria-hidden />
  return (
    <Button icon={icon} loading={isSending} onClick={() => void press()}>
      {children}
    </Button>
  )
}

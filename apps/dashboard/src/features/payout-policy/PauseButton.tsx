import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { useState } from 'react'

import { failureOf } from '../../api/form-failure.ts'
import { useCan } from '../../api/me.ts'
import { payoutConfigQuery, useChangePayoutConfig } from '../../api/payout-policy.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** Freezes all sending of a project with one press, and lets it go on. What froze it says the button beside what is frozen. */
export function PauseButton({ projectId }: { projectId: string }) {
  const { data: config } = useQuery(payoutConfigQuery(projectId))
  const change = useChangePayoutConfig(projectId)
  const can = useCan()
  const [isSending, setSending] = useState(false)
  if (config === undefined || !can('payout_policy:write', projectId)) return null
  const { paused } = config
  const press = async () => {
    setSending(true)
    const failure = await failureOf(() => change({ paused: !paused }))
    setSending(false)
    if (failure !== undefined) toast.error(failure)
    else toast.success(paused ? t`Sending goes on` : t`All sending is paused`)
  }
  const icon = paused ? <Play aria-hidden /> : <Pause aria-hidden />
  return (
    <Button icon={icon} loading={isSending} onClick={() => void press()}>
      {paused ? <Trans>Resume sending</Trans> : <Trans>Pause all sending</Trans>}
    </Button>
  )
}

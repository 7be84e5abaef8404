import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'

import { configurationQuery } from '../../../api/configuration.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { useCan } from '../../../api/me.ts'
import { bringFriend } from '../../../api/sandbox.ts'
import { ALL_PROJECTS } from '../../../lib/navigation/current-project.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'

/** In the sandbox: a promoter, a friend and a paid payment in one press, so that a newcomer sees a reward. */
export function BringFriend({ projectId }: { projectId: string }) {
  const { data: configuration } = useQuery(configurationQuery)
  const mayUse = useCan()('sandbox:use') && configuration?.features.sandbox === true && projectId !== ALL_PROJECTS
  const client = useQueryClient()
  const [isRunning, setRunning] = useState(false)
  if (!mayUse) return null
  const run = async () => {
    setRunning(true)
    const failure = await failureOf(() => bringFriend(projectId))
    setRunning(false)
    void client.invalidateQueries({ queryKey: ['growth'] })
    if (failure === undefined) toast.success(t`A friend has paid. The reward follows when the payment is final.`)
    else toast.error(failure)
  }
  return (
    <Button icon={<FlaskConical aria-hidden strokeWidth={1.75} />} loading={isRunning} onClick={() => void run()}>
      <Trans>Bring a friend</Trans>
    </Button>
  )
}

import type { Worker } from '@kassa/contract/workers/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useCan } from '../../../api/me.ts'
import { healthQuery } from '../../../api/system.ts'
import { workersQuery } from '../../../api/workers.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { HealthCard } from '../health/HealthCard.tsx'
import { RestartDialog } from './RestartDialog.tsx'
import { WorkerLine } from './WorkerLine.tsx'

/** What reads blocks, sends messages and does what must be done later, in whatever process; why it does not run. */
export function WorkersCard() {
  const workers = useQuery(workersQuery)
  const { data: health } = useQuery(healthQuery)
  const mayRestart = useCan()('system:operate')
  const [asked, setAsked] = useState<Worker>()
  return (
    <HealthCard
      title={t`Background work`}
      loading={t`Loading the background work`}
      failed={t`The background work couldn’t be loaded`}
      answer={workers}
    >
      {(list) => (
        <div className="flex flex-col gap-2">
          {health?.db === 'error' && <Banner tone="danger">{health.reason}</Banner>}
          {list.every(({ status }) => status === 'STOPPED') ? <NothingRuns /> : null}
          <ul aria-label={t`Background work`} className="-my-1 divide-y divide-border">
            {list.map((worker) => (
              <WorkerLine
                key={worker.name}
                worker={worker}
                onRestart={mayRestart ? () => setAsked(worker) : undefined}
              />
            ))}
          </ul>
          {asked && <RestartDialog worker={asked} onClose={() => setAsked(undefined)} />}
        </div>
      )}
    </HealthCard>
  )
}

function NothingRuns() {
  return (
    <Banner tone="danger">
      <p className="font-medium">
        <Trans>Nothing runs in the background.</Trans>
      </p>
      <p>
        <Trans>
          Payments are not seen and webhooks are not sent until a process runs with the roles worker and watcher. What
          arrives meanwhile is found then.
        </Trans>
      </p>
    </Banner>
  )
}

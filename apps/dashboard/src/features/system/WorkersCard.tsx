import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'

import { healthQuery } from '../../api/system.ts'
import { Banner } from '../../ui/Banner.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { HealthCard } from './HealthCard.tsx'
import { workerState, workerTask } from './worker-states.ts'

/** The loops that read blocks, send messages and do what must be done later. */
export function WorkersCard() {
  const health = useQuery(healthQuery)
  return (
    <HealthCard title={t`Workers`} loading={t`Loading Workers`} failed={t`Workers couldn’t be loaded`} answer={health}>
      {({ db, workers, reason }) => (
        <div className="flex flex-col gap-2">
          {reason !== null && <Banner tone={db === 'error' ? 'danger' : 'warning'}>{reason}</Banner>}
          {Object.keys(workers).length === 0 ? (
            <p className="text-body text-muted">
              <Trans>
                This process only answers requests. Workers run in the processes started with the role worker or
                watcher.
              </Trans>
            </p>
          ) : (
            <ul aria-label={t`Workers`} className="-my-1 divide-y divide-border">
              {Object.entries(workers).map(([name, state]) => (
                <li key={name} className="flex items-center gap-3 py-2.5">
                  <div className="min-w-0 flex-1">
                    <p className="text-body font-medium">{workerTask(name) ?? name}</p>
                    <p className="font-mono text-caption text-muted">{name}</p>
                  </div>
                  <StatusBadge {...workerState(state)} wire={state} />
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </HealthCard>
  )
}

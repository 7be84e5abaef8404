import type { Worker } from '@kassa/contract/workers/schemas.ts'
import { t } from '@lingui/core/macro'
import { RotateCw } from 'lucide-react'

import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import { canBeginAgain, workerState, workerTask } from './worker-states.ts'

type WorkerLineProps = {
  readonly worker: Worker
  /** Absent for those who may only read. */
  readonly onRestart: (() => void) | undefined
}

/** What a worker does, how it is and why; and, where that can help, the way to let it begin again. */
export function WorkerLine({ worker, onRestart }: WorkerLineProps) {
  const { name, status, details } = worker
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1.5 py-2.5">
      <div className="min-w-0 flex-1 basis-32">
        <p className="text-body font-medium">{workerTask(name)}</p>
        <p className="text-dense break-words text-muted tabular-nums">{details}</p>
        <p className="font-mono text-caption text-muted">{name}</p>
      </div>
      <StatusBadge {...workerState(worker)} wire={status} />
      {onRestart && (
        <div className="-my-1.5 size-9 flex-none coarse:size-11">
          {canBeginAgain(worker) && (
            <IconButton label={t`Restart ${name}`} icon={<RotateCw aria-hidden />} onClick={onRestart} />
          )}
        </div>
      )}
    </li>
  )
}

import type { BulkJob } from '@kassa/contract/bulk-jobs/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { bulkJobsQuery, bulkResultFile, cancelBulkJob } from '../../../api/bulk-jobs.ts'
import { count } from '../../../lib/text/format.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { TimeAgo } from '../../../ui/time/TimeAgo.tsx'
import { actionTitle } from './action-titles.ts'

/** The number of jobs shown; older ones are found by their payments. */
const MOST_SHOWN = 5

export type RecentJobsProps = {
  readonly projectId: string
  /** What the list is called. */
  readonly label: string
  /** The actions whose jobs are listed. */
  readonly actions: readonly string[]
  /** Only unfinished ones. */
  readonly isLive?: boolean
}

/** Jobs on the server, for an operator who comes back to the page: the progress and result of each. */
export function RecentJobs({ projectId, label, actions, isLive = false }: RecentJobsProps) {
  const { data: jobs = [] } = useQuery(bulkJobsQuery(projectId, isLive ? { isLive } : {}))
  const isWanted = ({ action, endedAt }: BulkJob) => actions.includes(action) && (!isLive || endedAt === null)
  const shown = jobs.filter(isWanted).slice(0, MOST_SHOWN)
  if (shown.length === 0) return null
  return (
    <ul aria-label={label} className="divide-y divide-border rounded-card border border-border">
      {shown.map((job) => (
        <Job key={job.id} job={job} />
      ))}
    </ul>
  )
}

function Job({ job }: { job: BulkJob }) {
  const client = useQueryClient()
  const [failure, setFailure] = useState<string>()
  const name = { projectId: String(job.projectID), id: job.id }
  const attempt = async (work: () => Promise<void>) => {
    setFailure(undefined)
    await work().catch((thrown: unknown) => setFailure(asRequestError(thrown).message))
  }
  const stop = async () => {
    await cancelBulkJob(name)
    await client.invalidateQueries({ queryKey: ['bulk-jobs'] })
  }
  const save = async () => saveFile(await bulkResultFile(name), `bulk-job-${job.id}.csv`)
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 text-dense">
      <span className="flex min-w-0 flex-wrap gap-x-3">
        <span className="font-medium">{actionTitle(job.action)}</span>
        <span className="text-muted">
          <TimeAgo at={job.createdAt} />
        </span>
        <span className="tabular-nums">{standText(job)}</span>
        {(failure ?? job.failure?.message) !== undefined && (
          <span role="alert" className="text-danger-text">
            {failure ?? job.failure?.message}
          </span>
        )}
      </span>
      {job.endedAt === null ? (
        <Button size="small" onClick={() => void attempt(stop)}>
          <Trans>Stop</Trans>
        </Button>
      ) : (
        <Button size="small" icon={<Download strokeWidth={1.75} />} onClick={() => void attempt(save)}>
          <Trans>Result CSV</Trans>
        </Button>
      )}
    </li>
  )
}

function standText(job: BulkJob): string {
  const [done, refused, total] = [count(job.done), count(job.refused), count(job.total)]
  const isClean = job.refused === 0
  if (job.status === 'done') return isClean ? t`${done} done` : t`${done} done, ${refused} refused`
  if (job.endedAt === null)
    return isClean ? t`${done} of ${total} done` : t`${done} of ${total} done, ${refused} refused`
  return isClean ? t`Stopped: ${done} of ${total} done` : t`Stopped: ${done} of ${total} done, ${refused} refused`
}

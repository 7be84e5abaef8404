import type { BulkResultLine } from '@kassa/contract/bulk-jobs/schemas.ts'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { asRequestError } from '../../../api/request-error.ts'
import { bulkJobQuery, bulkResultLines, cancelBulkJob, useStartBulkJob } from '../../../api/bulk-jobs.ts'
import type { JobName, NewBulkJob } from '../../../api/bulk-jobs.ts'

/** The result of a row, with the project it belongs to. */
export type RowResult = BulkResultLine & { readonly projectId: string }

export type JobRequest = { readonly projectId: string; readonly body: NewBulkJob }

export type Progress = { readonly done: number; readonly refused: number; readonly total: number }

export type BulkJobs = {
  readonly isRunning: boolean
  /** The progress of the running jobs. */
  readonly progress: Progress
  /** The results of the rows of finished jobs. */
  readonly results: readonly RowResult[]
  /** Why it could not start, or stopped early. */
  readonly halted: string | undefined
  /** Starts one job per request. Repeated rows lose their previous result. */
  readonly start: (requests: readonly JobRequest[]) => Promise<void>
  /** Stops the jobs before their next row; what was done remains. */
  readonly stop: () => void
}

/** What jobs change. */
const STALE = ['bulk-jobs', 'payments', 'customers']

const NOTHING: Progress = { done: 0, refused: 0, total: 0 }

/** Returns jobs on the server that can be started, watched and stopped; they go on when the page is left. */
export function useBulkJobs(): BulkJobs {
  const client = useQueryClient()
  const startJob = useStartBulkJob()
  const [isStarting, setIsStarting] = useState(false)
  const { names, jobs, results, halted, setNames, setResults, setHalted } = useWatchedJobs()
  /** The operator pressed "Stop" before the server confirmed the start. */
  const isStopAsked = useRef(false)

  const start = async (requests: readonly JobRequest[]) => {
    isStopAsked.current = false
    setIsStarting(true)
    setHalted(undefined)
    const { started, failure } = await startAll(requests, startJob)
    if (started.length > 0) setResults((before) => before.filter(stays(requests)))
    setHalted(failure)
    setNames(started)
    setIsStarting(false)
    if (isStopAsked.current) await end(started)
  }
  const end = (jobsToEnd: readonly JobName[]) =>
    Promise.all(jobsToEnd.map(cancelBulkJob))
      .catch((thrown: unknown) => setHalted(asRequestError(thrown).message))
      .then(() => client.invalidateQueries({ queryKey: ['bulk-jobs'] }))
  const stop = () => {
    isStopAsked.current = true
    void end(names)
  }
  return { isRunning: isStarting || names.length > 0, progress: sumOf(jobs), results, halted, start, stop }
}

/** Watches the running jobs, and reads the results of their rows once all of them have finished. */
function useWatchedJobs() {
  const client = useQueryClient()
  const [names, setNames] = useState<readonly JobName[]>([])
  const [results, setResults] = useState<readonly RowResult[]>([])
  const [halted, setHalted] = useState<string>()
  const jobs = useQueries({ queries: names.map(bulkJobQuery) }).map(({ data }) => data)
  const isOver = names.length > 0 && jobs.every((job) => job !== undefined && job.endedAt !== null)

  useEffect(() => {
    if (!isOver) return
    let isLeft = false
    const finish = async () => {
      const read = await Promise.all(names.map(resultsOf))
      if (isLeft) return
      setResults((before) => [...before, ...read.flat()])
      setHalted(jobs.find((job) => job?.failure)?.failure?.message)
    }
    void finish()
      .catch((thrown: unknown) => setHalted(asRequestError(thrown).message))
      .then(() => {
        setNames([])
        for (const noun of STALE) void client.invalidateQueries({ queryKey: [noun] })
      })
    return () => {
      isLeft = true
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once per round of jobs
  }, [isOver])
  return { names, jobs, results, halted, setNames, setResults, setHalted }
}

/** Whether a result survives a new round: repeated rows lose theirs, and rows that were not tried have none. */
function stays(requests: readonly JobRequest[]): (row: RowResult) => boolean {
  const again = new Set(
    requests.flatMap(({ projectId, body }) => (body.rows ?? []).map(({ line }) => `${projectId} ${line}`)),
  )
  return ({ projectId, line, outcome }) => outcome !== 'not_tried' && !again.has(`${projectId} ${line}`)
}

/** When nothing matches in one project, another project may still have a match. */
async function startAll(requests: readonly JobRequest[], startJob: ReturnType<typeof useStartBulkJob>) {
  const started: JobName[] = []
  let empty: string | undefined
  for (const { projectId, body } of requests) {
    try {
      const { id } = await startJob(projectId, body)
      started.push({ projectId, id })
    } catch (thrown) {
      const { code, message } = asRequestError(thrown)
      if (code !== 'BULK_JOB_EMPTY') return { started, failure: message }
      empty = message
    }
  }
  return { started, failure: started.length === 0 ? empty : undefined }
}

async function resultsOf(name: JobName): Promise<RowResult[]> {
  return (await bulkResultLines(name)).map((line) => ({ ...line, projectId: name.projectId }))
}

function sumOf(jobs: readonly (Progress | undefined)[]): Progress {
  return jobs.reduce<Progress>(
    (sum, job) => ({
      done: sum.done + (job?.done ?? 0),
      refused: sum.refused + (job?.refused ?? 0),
      total: sum.total + (job?.total ?? 0),
    }),
    NOTHING,
  )
}

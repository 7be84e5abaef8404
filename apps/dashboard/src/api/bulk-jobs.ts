import { bulkJobsRoutes } from '@kassa/contract/bulk-jobs/routes.ts'
import { BulkResultLine } from '@kassa/contract/bulk-jobs/schemas.ts'
import type { BulkJob } from '@kassa/contract/bulk-jobs/schemas.ts'
import type { RouteCall } from '@kassa/contract/kit/route.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { decode } from 'zod/mini'

import { asRequestError } from './request-error.ts'
import { call, openFile } from './client.ts'
import { useIntent } from './intent.ts'

export type NewBulkJob = NonNullable<RouteCall<typeof bulkJobsRoutes.startBulkJob>['body']>

/** Which job a call is about. */
export type JobName = { readonly projectId: string; readonly id: number }

/** How often a job that goes on is asked for; its live topic says more often how far it is. */
const ASK_MS = 1_000

const paramsOf = ({ projectId, id }: JobName) => ({ p: projectId, id })

/** One job and how far it is, until it has ended. */
export function bulkJobQuery(name: JobName) {
  return queryOptions({
    queryKey: ['bulk-jobs', name.projectId, name.id],
    queryFn: ({ signal }) => call(bulkJobsRoutes.getBulkJob, { params: paramsOf(name) }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.endedAt !== null ? false : ASK_MS),
  })
}

/** The newest jobs of a project that the operator may see. */
export function bulkJobsQuery(projectId: string, query: { readonly action?: string; readonly isLive?: boolean }) {
  return queryOptions({
    queryKey: ['bulk-jobs', projectId, 'list', query],
    queryFn: ({ signal }) => call(bulkJobsRoutes.listBulkJobs, { params: { p: projectId }, query }, { signal }),
    refetchInterval: ({ state }) => (state.data?.some(({ endedAt }) => endedAt === null) === true ? ASK_MS : false),
    enabled: projectId !== '',
  })
}

/** Returns the function that starts a job; a repetition after a lost answer starts no second one. @throws RequestError */
export function useStartBulkJob(): (projectId: string, body: NewBulkJob) => Promise<BulkJob> {
  const intent = useIntent()
  const queryClient = useQueryClient()
  return async (projectId, body) => {
    const job = await intent({ projectId, body }, (idempotencyKey) =>
      call(bulkJobsRoutes.startBulkJob, { params: { p: projectId }, body }, { idempotencyKey }),
    )
    void queryClient.invalidateQueries({ queryKey: ['bulk-jobs'] })
    return job
  }
}

/** Ends a job before its next row; one that has ended already is left as it is. @throws RequestError */
export async function cancelBulkJob(name: JobName): Promise<void> {
  try {
    await call(bulkJobsRoutes.cancelBulkJob, { params: paramsOf(name) })
  } catch (thrown) {
    if (asRequestError(thrown).code !== 'BULK_JOB_ENDED') throw thrown
  }
}

/** Returns what became of every row of a job. @throws RequestError */
export async function bulkResultLines(name: JobName): Promise<BulkResultLine[]> {
  const text = await (await resultOf(name, 'jsonl')).text()
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => decode(BulkResultLine, JSON.parse(line) as never))
}

/** Returns the result of a job as a CSV file. @throws RequestError */
export async function bulkResultFile(name: JobName): Promise<Blob> {
  return (await resultOf(name, 'csv')).blob()
}

function resultOf(name: JobName, format: 'csv' | 'jsonl'): Promise<Response> {
  const input = { params: paramsOf(name), query: { format } }
  return openFile(bulkJobsRoutes.exportBulkJob, input, new AbortController().signal)
}

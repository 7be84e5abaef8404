import * as z from 'zod/mini'

import { exportInput } from '../kit/exports.ts'
import { oneOf } from '../kit/fields.ts'
import { route } from '../kit/route.ts'
import { BULK_ROW_STATUSES, BulkJob, BulkJobRows, BulkResultLine, NewBulkJob } from './schemas.ts'

const project = z.object({ p: z.string() })
const projectJob = z.object({ p: z.string(), id: z.int() })

/** Beyond `project:read` the action of a job names the permission; without it the job is not found. */
const access = { permission: 'project:read' } as const

export const bulkJobsRoutes = {
  startBulkJob: route({
    id: 'J1',
    methods: ['POST'],
    paths: ['/external-platform/{p}/bulk-job'],
    summary: 'Does something to many rows, each once, in the background.',
    access,
    rate: 'dashboard',
    params: project,
    body: NewBulkJob,
    largeBody: true,
    response: BulkJob,
    status: 201,
    errors: ['FILTER_INVALID', 'BULK_JOB_EMPTY', 'BULK_JOB_LIMIT'],
  }),

  listBulkJobs: route({
    id: 'J2',
    methods: ['GET'],
    paths: ['/external-platform/{p}/bulk-job'],
    summary: 'The newest bulk jobs whose action the operator may use.',
    access,
    rate: 'dashboard',
    params: project,
    query: z.object({ action: z.optional(z.string()), isLive: z.optional(z.boolean()) }),
    response: z.array(BulkJob),
    errors: [],
  }),

  getBulkJob: route({
    id: 'J3',
    methods: ['GET'],
    paths: ['/external-platform/{p}/bulk-job/{id}'],
    summary: 'One bulk job and how far it is.',
    access,
    rate: 'dashboard',
    params: projectJob,
    response: BulkJob,
    errors: ['BULK_JOB_NOT_FOUND'],
  }),

  listBulkJobRows: route({
    id: 'J4',
    methods: ['GET'],
    paths: ['/external-platform/{p}/bulk-job/{id}/rows'],
    summary: 'Rows of a bulk job in their order, each with its result or why it was refused.',
    access,
    rate: 'dashboard',
    params: projectJob,
    query: z.object({
      status: z.optional(oneOf('Status', BULK_ROW_STATUSES)),
      limit: z.optional(z.int()),
      /** Rows after this line. */
      after: z.optional(z.int()),
    }),
    response: BulkJobRows,
    errors: ['BULK_JOB_NOT_FOUND'],
  }),

  cancelBulkJob: route({
    id: 'J5',
    methods: ['POST'],
    paths: ['/external-platform/{p}/bulk-job/{id}/cancel'],
    summary: 'Ends a bulk job before its next row; what was done stays done.',
    access,
    rate: 'dashboard',
    params: projectJob,
    response: BulkJob,
    errors: ['BULK_JOB_NOT_FOUND', 'BULK_JOB_ENDED'],
  }),

  exportBulkJob: route({
    id: 'J6',
    methods: ['GET'],
    paths: ['/external-platform/{p}/bulk-job/{id}/result'],
    summary: 'The rows of a bulk job as a file: what was asked, and what became of it.',
    access,
    rate: 'heavy',
    params: projectJob,
    query: z.object(exportInput),
    response: BulkResultLine,
    stream: 'rows',
    fileName: 'bulk-job',
    errors: ['BULK_JOB_NOT_FOUND'],
  }),
}

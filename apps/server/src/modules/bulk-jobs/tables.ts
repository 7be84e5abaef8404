import type { BulkJobState, BulkRowState } from '@kassa/contract/bulk-jobs/machine.ts'
import type { Generated, Selectable } from 'kysely'

import type { Json, SerialId } from '../../db/columns.ts'
import type { StoredError } from './rules.ts'

type Fields = Record<string, unknown>

export type BulkJobTables = {
  bulk_jobs: {
    id: SerialId
    project_id: number
    action: string
    status: Generated<BulkJobState>
    place: number
    operator_id: number
    total: number
    done: Generated<number>
    refused: Generated<number>
    truncated: boolean
    failure: Json<StoredError> | null
    created_at: Date
    worked_at: Date
    ended_at: Date | null
  }
  bulk_job_rows: {
    job_id: number
    project_id: number
    action: string
    line: number
    key: string | null
    input: Json<Fields>
    status: Generated<BulkRowState>
    result: Json<Fields> | null
    repeated: Generated<boolean>
    error: Json<StoredError> | null
    faults: Generated<number>
  }
}

/** A column of another module that a job shows. */
export type BulkJobReads = { operators: { id: number; email: string } }

export type JobRow = Selectable<BulkJobTables['bulk_jobs']>
export type RowOfJob = Selectable<BulkJobTables['bulk_job_rows']>

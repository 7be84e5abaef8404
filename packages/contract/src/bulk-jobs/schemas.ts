import * as z from 'zod/mini'

import { id, int, ts } from '../kit/codecs.ts'
import { text, wholeNumber } from '../kit/fields.ts'
import { bulkJobMachine } from './machine.ts'

/** Rows of one job; more are split into several. */
export const MOST_BULK_ROWS = 10_000

/** Jobs that one project has under way at a time. */
export const MOST_LIVE_BULK_JOBS = 3

/** Jobs and their results are deleted this many days after the job has ended. */
export const BULK_RESULTS_DAYS = 30

/** Jobs that the list gives, newest first. */
export const MOST_LISTED_BULK_JOBS = 50

const fields = z.record(z.string(), z.unknown())

const BulkRowInput = z.object({
  /** A key is processed once per project and action, in whatever job it appears again. */
  key: z.optional(text('Key', { max: 255 })),
  /** The number people know the row by, such as the line of their file; absent: its place in the list. */
  line: z.optional(wholeNumber('Line', 1, 1_000_000)),
  input: fields,
})

export const NewBulkJob = z.object({
  action: text('Action', { max: 50 }),
  rows: z.optional(
    z
      .array(BulkRowInput)
      .check(
        z.minLength(1, { error: 'Rows must hold at least one' }),
        z.maxLength(MOST_BULK_ROWS, { error: `Rows must be at most ${MOST_BULK_ROWS}` }),
      ),
  ),
  /** Instead of rows: all that match, as many as a job may hold. */
  filter: z.optional(fields),
  /** Fields that every row has. */
  shared: z.optional(fields),
})

export type NewBulkJob = z.output<typeof NewBulkJob>

/** Why a row was refused: a code of the catalogue with the values of its message. */
export const BulkError = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  fields: z.record(z.string(), z.string()),
  message: z.string(),
  details: z.string(),
})

export type BulkError = z.output<typeof BulkError>

export const BulkJob = z.object({
  id,
  projectID: id,
  action: z.string(),
  status: z.enum(bulkJobMachine.states),
  total: int,
  done: int,
  refused: int,
  /** More matched the filter than a job takes. */
  isTruncated: z.boolean(),
  /** E-mail of the operator who started it. */
  startedBy: z.string(),
  createdAt: ts,
  endedAt: z.nullable(ts),
  /** Until when results can be read; null while it runs. */
  resultsUntil: z.nullable(ts),
  /** Why it could not continue. */
  failure: z.nullable(BulkError),
})

export type BulkJob = z.output<typeof BulkJob>

/** `waiting` in a job that has ended means that the row was not tried. */
export const BULK_ROW_STATUSES = ['waiting', 'done', 'refused'] as const

export const BulkJobRow = z.object({
  line: int,
  key: z.nullable(z.string()),
  status: z.enum(BULK_ROW_STATUSES),
  input: fields,
  result: z.nullable(fields),
  error: z.nullable(BulkError),
})

export type BulkJobRow = z.output<typeof BulkJobRow>

export const BulkJobRows = z.object({ data: z.array(BulkJobRow), total: int })

/** A line of the result file; the fields of the action's row and result stand beside these (`bulkColumns`). */
export const BulkResultLine = z.catchall(
  z.object({ line: int, outcome: z.enum(['done', 'refused', 'not_tried']), errorCode: z.string(), error: z.string() }),
  z.unknown(),
)

export type BulkResultLine = z.output<typeof BulkResultLine>

import type * as z from 'zod/mini'

import type { Permission } from '../permissions.ts'

/** Fields by name: what a row of a job says, and what became of it. */
type Fields = z.ZodMiniObject

/**
 * Something that can be done to many rows, as data. The nouns define their own; the frame of bulk jobs knows none of
 * them. The fields of `row` and of `result` are columns of the result file and share no name.
 */
export type BulkActionContract<
  Row extends Fields = Fields,
  Result extends Fields = Fields,
  Filter extends Fields = Fields,
> = {
  /** Noun and verb, such as `payment.cancel`; stored with every job, so it is never renamed. */
  readonly name: string
  /** What the operator must hold in the project, when the job starts and again at every row. */
  readonly permission: Permission
  /** Proof of presence to start it (api.md 2.7). */
  readonly stepUp?: 'S'
  readonly row: Row
  /** Fields of a row that say how, not what: a key that was done once is the same without them. */
  readonly options?: readonly string[]
  readonly result: Result
  /** Present where a job may be started for all that match a filter. */
  readonly filter?: Filter
}

/** Returns the action as it is, keeping the exact types of its schemas. @throws TypeError when two columns share a name */
export function bulkActionContract<Row extends Fields, Result extends Fields, Filter extends Fields = Fields>(
  action: BulkActionContract<Row, Result, Filter>,
): BulkActionContract<Row, Result, Filter> {
  const columns = bulkColumns(action)
  if (new Set(columns).size < columns.length) throw new TypeError(`Two columns of ${action.name} share a name`)
  return action
}

type Columns = Pick<BulkActionContract, 'row' | 'result' | 'options'>

/** The columns of an action's result file, in their order: what was asked, not how. */
export function bulkColumns({ row, result, options = [] }: Columns): readonly string[] {
  const asked = Object.keys(row.shape).filter((name) => !options.includes(name))
  return ['line', ...asked, 'outcome', ...Object.keys(result.shape), 'errorCode', 'error']
}

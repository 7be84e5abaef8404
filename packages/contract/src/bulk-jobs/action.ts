import type * as z from 'zod/mini'

import type { Permission } from '../permissions.ts'

/** Fields by name: those of a job's row, and of its result. */
type Fields = z.ZodMiniObject

/**
 * An operation on many rows, as data. Each noun defines its own; bulk jobs know none of them. The fields of `row` and `result`
 * are columns of the result file and share no name.
 */
export type BulkActionContract<
  Row extends Fields = Fields,
  Result extends Fields = Fields,
  Filter extends Fields = Fields,
> = {
  /** Noun and verb, such as `payment.cancel`; stored with every job, so it is never renamed. */
  readonly name: string
  /** The permission in the project that the operator needs at the start of the job, and again at every row. */
  readonly permission: Permission
  /** Proof of presence to start it (api.md 2.7). */
  readonly stepUp?: 'S'
  readonly row: Row
  /** Fields of a row that say how, not what: they do not count when a key is compared with an earlier one. */
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

/** The columns of an action's result file, in their order. */
export function bulkColumns({ row, result, options = [] }: Columns): readonly string[] {
  const asked = Object.keys(row.shape).filter((name) => !options.includes(name))
  return ['line', ...asked, 'outcome', ...Object.keys(result.shape), 'errorCode', 'error']
}

import type { BulkActionContract } from '@kassa/contract/bulk-jobs/action.ts'
import { fold } from '@kassa/contract/kit/fold.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import * as z from 'zod/mini'

import type { Context } from '../../context.ts'
import { fieldTexts } from '../../http/api-errors.ts'

type Fields = Readonly<Record<string, unknown>>

/** Rows that match a filter; `isTruncated` says that more match. */
export type SelectedRows = { readonly rows: readonly Fields[]; readonly isTruncated: boolean }

/** An action as bulk jobs run it: rows are untyped fields, which the action's own schemas have checked. */
export type BulkAction = {
  readonly contract: BulkActionContract
  /** What is wrong with a row, by field; null when nothing is. */
  readonly check: (input: Fields) => Readonly<Record<string, string>> | null
  /** Performs the action on one row of a project, in the open transaction, as the caller of the context. */
  readonly run: (ctx: Context, projectId: number, input: Fields) => Promise<Fields>
  /** Lists the rows that match a filter in a project, without the fields that all rows share. */
  readonly select: ((ctx: Context, projectId: number, filter: Fields, most: number) => Promise<SelectedRows>) | null
}

type Verbs<Row extends z.ZodMiniObject, Result extends z.ZodMiniObject, Filter extends z.ZodMiniObject> = {
  readonly run: (ctx: Context, projectId: number, row: z.output<Row>) => Promise<z.output<Result>>
  readonly select?: (ctx: Context, projectId: number, filter: z.output<Filter>, most: number) => Promise<SelectedRows>
}

/** Combines an action of the contract with the functions of its module; from here on its rows are fields without a type. */
export function bulkAction<Row extends z.ZodMiniObject, Result extends z.ZodMiniObject, Filter extends z.ZodMiniObject>(
  contract: BulkActionContract<Row, Result, Filter>,
  { run, select }: Verbs<Row, Result, Filter>,
): BulkAction {
  const { filter: filterSchema } = contract
  return {
    contract,
    check: (input) => {
      const read = readFields(contract.row, input)
      return 'errors' in read ? read.errors : null
    },
    run: async (ctx, projectId, input) => {
      const row = required(readFields(contract.row, input))
      return z.encode(contract.result, await run(ctx, projectId, row))
    },
    select:
      select && filterSchema
        ? (ctx, projectId, filter, most) => select(ctx, projectId, required(readFields(filterSchema, filter)), most)
        : null,
  }
}

type Read<Value> = { readonly value: Value } | { readonly errors: Readonly<Record<string, string>> }

/** Reads fields as a route reads its body: names in any case, and no unknown ones. */
function readFields<Schema extends z.ZodMiniObject>(schema: Schema, input: Fields): Read<z.output<Schema>> {
  const { value, unknown, duplicate } = fold(schema, input)
  if (duplicate[0] !== undefined) return { errors: { [duplicate[0]]: 'Sent twice' } }
  if (unknown.length > 0) return { errors: Object.fromEntries(unknown.map((key) => [key, 'Unknown field'])) }
  const result = schema.safeParse(value)
  return result.success ? { value: result.data } : { errors: fieldTexts(result.error) }
}

function required<Value>(read: Read<Value>): Value {
  if ('value' in read) return read.value
  const [message] = Object.values(read.errors)
  return fail('VALIDATION_FAILED', { ...(message !== undefined && { message }), fields: read.errors })
}

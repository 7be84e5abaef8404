/** What every export accepts (api.md Y19): its form, and the version of its columns. */
import * as z from 'zod/mini'

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const exportInput = {
  format: z.optional(z.enum(EXPORT_FORMATS, { error: 'Format must be one of: csv, jsonl' })),
  /** The only version there is; a caller that names it gets an error when its columns change. */
  schema: z.optional(z.literal(1, { error: 'Schema must be 1' })),
}

/** Which columns a file has, in which order; without them it has all. */
export function exportColumns<Column extends string>(columns: readonly Column[]) {
  const error = `Columns must be some of: ${columns.join(', ')}`
  return z.optional(
    z
      .array(z.enum(columns, { error }))
      .check(z.minLength(1, { error }), z.refine(isEachOnce, { error: 'No column can be named twice' })),
  )
}

function isEachOnce(names: readonly string[]): boolean {
  return new Set(names).size === names.length
}

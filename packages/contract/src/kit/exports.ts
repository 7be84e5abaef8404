/** What every export accepts (api.md Y19): its form, and the version of its columns. */
import * as z from 'zod/mini'

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const exportInput = {
  format: z.optional(z.enum(EXPORT_FORMATS, { error: 'Format must be one of: csv, jsonl' })),
  /** The only version there is; a caller that names it is told when its columns change. */
  schema: z.optional(z.literal(1, { error: 'Schema must be 1' })),
}

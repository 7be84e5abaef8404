/** The span of time that a list is narrowed to (api.md 1.5). */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { readMoment } from '@kassa/contract/kit/moments.ts'
import type { spanInput } from '@kassa/contract/kit/paging.ts'

type Field = Exclude<keyof typeof spanInput, 'timezone'>

export type SpanInput = { readonly [Name in keyof typeof spanInput]?: string | undefined }

export type Span = { readonly from?: Date; readonly to?: Date }

/** The names of each end; of several that are sent the first counts. */
const STARTS = ['dateFrom', 'startDate', 'createdAfter'] as const satisfies readonly Field[]
const ENDS = ['dateTo', 'endDate', 'createdBefore'] as const satisfies readonly Field[]

/** Reads a span as a filter of its list. @throws FILTER_INVALID */
export function readSpan(input: SpanInput): Span {
  return spanOf(input, (filter) => fail('FILTER_INVALID', { values: { filter } }))
}

/** Reads a span as fields of the request. @throws VALIDATION_FAILED */
export function readSpanFields(input: SpanInput): Span {
  return spanOf(input, refuseDate)
}

/** Says that a field holds no date. @throws VALIDATION_FAILED */
export function refuseDate(field: string): never {
  const message = 'Use a date such as 2026-01-31'
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}

function spanOf(input: SpanInput, refuse: (field: Field) => never): Span {
  const zone = input.timezone ? { timezone: input.timezone } : {}
  const read = (names: readonly Field[], isEnd: boolean) => {
    const name = names.find((one) => input[one])
    return name && (readMoment(input[name] ?? '', { ...zone, isEnd }) ?? refuse(name))
  }
  const [from, to] = [read(STARTS, false), read(ENDS, true)]
  return { ...(from && { from }), ...(to && { to }) }
}

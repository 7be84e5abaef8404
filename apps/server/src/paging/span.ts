/** The span of time that a list is narrowed to (api.md 1.5). */
import { fail } from '@kassa/contract/kit/api-error.ts'
import { readMoment } from '@kassa/contract/kit/moments.ts'
import type { spanInput } from '@kassa/contract/kit/paging.ts'

export type SpanInput = { readonly [Name in keyof typeof spanInput]?: string | undefined }

/** When something was sent, beside when it was created. */
export type SentSpanInput = {
  readonly sentAfter?: string | undefined
  readonly sentBefore?: string | undefined
  readonly timezone?: string | undefined
}

export type Span = { readonly from?: Date; readonly to?: Date }

/** The names of each end; of several that are sent the first counts. */
type Names<Field extends string = string> = { readonly starts: readonly Field[]; readonly ends: readonly Field[] }

const CREATED = {
  starts: ['dateFrom', 'startDate', 'createdAfter'],
  ends: ['dateTo', 'endDate', 'createdBefore'],
} as const satisfies Names<keyof SpanInput>
const SENT = { starts: ['sentAfter'], ends: ['sentBefore'] } as const satisfies Names<keyof SentSpanInput>

/** Reads a span as a filter of its list. @throws FILTER_INVALID */
export function readSpan(input: SpanInput): Span {
  return spanOf(input, CREATED, refuseFilter)
}

/** Reads the span in which something was sent, as a filter of its list. @throws FILTER_INVALID */
export function readSentSpan(input: SentSpanInput): Span {
  return spanOf(input, SENT, refuseFilter)
}

function refuseFilter(filter: string): never {
  return fail('FILTER_INVALID', { values: { filter } })
}

/** Reads a span as fields of the request. @throws VALIDATION_FAILED */
export function readSpanFields(input: SpanInput): Span {
  return spanOf(input, CREATED, refuseDate)
}

/** Says that a field holds no date. @throws VALIDATION_FAILED */
export function refuseDate(field: string): never {
  const message = 'Use a date such as 2026-01-31'
  return fail('VALIDATION_FAILED', { message, fields: { [field]: message } })
}

function spanOf(
  input: Readonly<Record<string, string | undefined>>,
  { starts, ends }: Names,
  refuse: (field: string) => never,
): Span {
  const { timezone } = input
  const zone = timezone ? { timezone } : {}
  const read = (names: readonly string[], isEnd: boolean) => {
    const name = names.find((one) => input[one])
    return name && (readMoment(input[name] ?? '', { ...zone, isEnd }) ?? refuse(name))
  }
  const [from, to] = [read(starts, false), read(ends, true)]
  return { ...(from && { from }), ...(to && { to }) }
}

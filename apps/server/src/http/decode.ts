import { FREE_FIELDS, MONEY_NUMBERS } from '@kassa/contract/kit/fields.ts'
import { fold, foldKey, type Folded } from '@kassa/contract/kit/fold.ts'
import { fail } from '@kassa/contract/kit/api-error.ts'
import type { Route } from '@kassa/contract/kit/route.ts'
import type * as z from 'zod/mini'

import { fieldTexts, invalidInput } from './api-errors.ts'

export type RawInput = {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The body was sent as a form, whose values are text. */
  readonly isForm: boolean
}

/** Decodes each part of the request by the route's schemas. @throws VALIDATION_FAILED, INVALID_JSON_DATA, DUPLICATE_FIELD */
export function decodeInput(route: Route, raw: RawInput): { params: unknown; query: unknown; body: unknown } {
  return {
    params: decodePart(route, route.params, raw.params, { fromText: true, refuseUnknown: false }),
    query: decodePart(route, route.query, raw.query, { fromText: true, refuseUnknown: false }),
    body: decodePart(route, route.body, raw.body ?? {}, { fromText: raw.isForm, refuseUnknown: isOperatorOnly(route) }),
  }
}

/** Parses JSON and keeps the digits of money numbers as they were sent, so that no float rounds them (decisions.md 2). */
export function parseJson(route: Route, text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return withFreeFields(JSON.parse(text, keepMoneyDigits), text)
  } catch {
    throw invalidInput(route, {}, 'The body is not well-formed JSON.')
  }
}

/** The third argument of a reviver holds the source text (ECMAScript JSON.parse source text access). */
function keepMoneyDigits(this: unknown, key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined && MONEY_NUMBERS.has(foldKey(key))
    ? context.source
    : value
}

/** Gives what callers keep in a body back as they sent it: they get it again in answers and webhooks. */
function withFreeFields(body: unknown, text: string): unknown {
  if (typeof body !== 'object' || body === null) return body
  const names = Object.keys(body).filter((name) => FREE_FIELDS.has(foldKey(name)))
  if (names.length === 0) return body
  const sent = JSON.parse(text) as Record<string, unknown>
  return { ...body, ...Object.fromEntries(names.map((name) => [name, sent[name]])) }
}

function decodePart(
  route: Route,
  schema: z.ZodMiniType | undefined,
  value: unknown,
  { fromText, refuseUnknown }: { fromText: boolean; refuseUnknown: boolean },
): unknown {
  if (schema === undefined) return {}
  const folded = fold(schema, value, { fromText })
  refuseKeys(route, folded, refuseUnknown)
  const result = schema.safeParse(folded.value)
  if (!result.success) throw invalidInput(route, fieldTexts(result.error))
  return result.data
}

function refuseKeys(route: Route, { unknown, duplicate }: Folded, refuseUnknown: boolean): void {
  const [twice] = duplicate
  if (twice !== undefined) fail('DUPLICATE_FIELD', { values: { field: twice }, fields: { [twice]: 'Sent twice' } })
  if (refuseUnknown && unknown.length > 0) {
    throw invalidInput(route, Object.fromEntries(unknown.map((key) => [key, 'Unknown field'])))
  }
}

/**
 * Unknown keys are refused only from our own dashboard, where they are a mistake; merchants' programs may send more than we
 * read (api.md 1.2).
 */
function isOperatorOnly(route: Route): boolean {
  const { access } = route
  return !access.public && !access.reference && access.scope === undefined
}

/** Schemas of input fields with their error texts (api.md 1.2), shared by the dashboard's forms and the server. */
import * as z from 'zod/mini'

import { cleanText, EMAIL, EMAIL_INVALID, LONGEST_EMAIL } from './email.ts'

type Issue = { readonly input?: unknown }

function missing(issue: Issue): boolean {
  return issue.input === undefined || issue.input === null
}

const clean = z.overwrite(cleanText)

/** Required text; `required` replaces the usual "{label} is required". */
export function text(label: string, { max = 255, required = `${label} is required` } = {}) {
  return z
    .string({ error: (issue) => (missing(issue) ? required : `${label} must be text`) })
    .check(
      clean,
      z.minLength(1, { error: required }),
      z.maxLength(max, { error: `${label} must be at most ${max} characters long` }),
    )
}

/** Optional text; null is read as empty, and empty text clears the stored value. */
export function clearableText(label: string, { max = 255 } = {}) {
  return z.optional(
    z.pipe(
      z.nullable(z.string({ error: `${label} must be text` })),
      z.pipe(
        z.transform((value: string | null) => value ?? ''),
        z.string().check(clean, z.maxLength(max, { error: `${label} must be at most ${max} characters long` })),
      ),
    ),
  )
}

/** A required e-mail address, lower-cased. */
export function email(label = 'E-mail', required = `${label} is required`) {
  return text(label, { max: LONGEST_EMAIL, required }).check(
    z.regex(EMAIL, { error: EMAIL_INVALID, abort: true }),
    z.toLowerCase(),
  )
}

/** Whether text is an absolute http or https address without user-info (api.md 1.2). */
export function isHttpUrl(value: string): boolean {
  if (value.length > 2048) return false
  const url = URL.parse(value)
  return (
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === ''
  )
}

/** An optional web address; null and empty text clear the stored one. */
export function clearableUrl(label: string) {
  return z.optional(
    z.pipe(
      z.nullable(z.string({ error: `${label} must be an http or https address` })),
      z.pipe(
        z.transform((value: string | null) => (value ?? '').trim()),
        z.string().check(
          z.refine((value) => value === '' || isHttpUrl(value), {
            error: `${label} must be an http or https address`,
          }),
        ),
      ),
    ),
  )
}

/** The value of an HTTP header: visible ASCII without spaces. A line break would end the header and inject another. */
export const HEADER_VALUE = /^[\x21-\x7e]*$/

/** A required web address. */
export function httpUrl(label: string) {
  return text(label, { max: 2048 }).check(z.refine(isHttpUrl, { error: `${label} must be an http or https address` }))
}

/** Removes leading zeros: they mean nothing, and a text longer than any amount cannot be computed with. */
export const withoutLeadingZeros = z.overwrite((decimal: string) => decimal.replace(/^(-?)0+(?=\d)/, '$1'))

/**
 * US dollars above zero, at most 12 digits before and 6 after the point. The request may contain text or a JSON number; the
 * server passes the digits of the number on as text, so that it never becomes a float (`MONEY_NUMBERS`).
 */
export function positiveUsd(label: string) {
  return z
    .string({ error: (issue) => (missing(issue) ? `${label} is required` : `${label} must be a decimal number`) })
    .check(
      z.trim(),
      z.regex(/^-?\d+(\.\d+)?$/, { error: `${label} must be a decimal number`, abort: true }),
      withoutLeadingZeros,
      z.refine((value) => /[1-9]/.test(value) && !value.startsWith('-'), {
        error: `${label} must be greater than 0`,
        abort: true,
      }),
      z.regex(/^\d{1,12}(\.\d{1,6}0*)?$/, { error: `${label} must have at most 12 digits and 6 decimals` }),
    )
}

/** US dollars, zero included; text or a JSON number, as `positiveUsd`. */
export function dollars(label: string) {
  return z
    .string({ error: `${label} must be a decimal number` })
    .check(
      z.trim(),
      z.regex(/^\d+(\.\d+)?$/, { error: `${label} must be a decimal number`, abort: true }),
      withoutLeadingZeros,
      z.regex(/^\d{1,12}(\.\d{1,6}0*)?$/, { error: `${label} must have at most 12 digits and 6 decimals` }),
    )
}

/** Keys of a body, in lower case without underscores, whose JSON numbers are read as text to keep every digit (decisions.md 2). */
export const MONEY_NUMBERS: ReadonlySet<string> = new Set([
  'amountinusd',
  'amount',
  'minamountinusd',
  'maxamountinusd',
  'uptousd',
  'aboveusd',
  'autoapprovelimitinusd',
  'hourlylimitinusd',
  'dailylimitinusd',
  'floatlimitinusd',
  'underpaidtolerancepercent',
  'overpaidtolerancepercent',
  'rewardvalue',
  'rewardcap',
  'inviteerewardvalue',
  'inviteerewardcap',
  'rewardcappercustomer',
  'budget',
])

/** Fields of a body in which a caller keeps whatever it likes: its numbers stay numbers, whatever they are called. */
export const FREE_FIELDS: ReadonlySet<string> = new Set(['metadata', 'data'])

/** One of the listed values. */
export function oneOf<const Values extends readonly [string, ...string[]]>(label: string, values: Values) {
  return z.enum(values, { error: `${label} must be one of: ${values.join(', ')}` })
}

/** A whole number within bounds. */
export function wholeNumber(label: string, min: number, max: number) {
  const error = `${label} must be between ${min} and ${max}`
  return z
    .int({ error: (issue) => (missing(issue) ? `${label} is required` : error) })
    .check(z.minimum(min, { error }), z.maximum(max, { error }))
}

/** A colour such as `#caff54`, lower-cased; the specification's default brand colour has this form. */
export const colour = z
  .string({ error: 'Use a colour like #caff54' })
  .check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, { error: 'Use a colour like #caff54' }))

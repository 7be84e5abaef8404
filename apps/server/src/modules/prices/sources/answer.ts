/** Answers of price sources, read without converting a price to a floating-point number. */

/** An answer's body with every number as its own text, and the time its server stated. */
export type Answer = { readonly body: unknown; readonly date: string | undefined }

/** A time outside of this is never plausible. */
const PLAUSIBLE = { from: Date.UTC(2000, 0), until: Date.UTC(2100, 0) } as const

/** The parser's third argument: the text a value was read from (TC39 "JSON.parse source text access"). */
type Numbers = (key: string, value: unknown, context: { readonly source?: string }) => unknown

const numbersAsText: Numbers = (_key, value, { source }) => (typeof value === 'number' ? source : value)

/** Reads JSON with every number as the text that was sent. @throws Error when it is not JSON */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text, numbersAsText as (key: string, value: unknown) => unknown)
  } catch {
    throw new Error('the answer is not JSON')
  }
}

/** The text at a path of keys. @throws Error that names the key that is missing */
export function textAt(body: unknown, ...keys: readonly string[]): string {
  let value = body
  for (const key of keys) {
    const has = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    if (!has) throw new Error(`the answer has no ${keys.join('.')}`)
    value = (value as Record<string, unknown>)[key]
  }
  if (typeof value !== 'string') throw new Error(`the answer has no text at ${keys.join('.')}`)
  return value
}

/** Reads a count of seconds or milliseconds since 1970. @throws Error when it is no plausible time */
export function epochTime(text: string, unit: 'seconds' | 'milliseconds'): Date {
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return plausible(new Date(unit === 'seconds' ? count * 1000 : count))
}

/** Reads an ISO 8601 time in UTC. @throws Error when it is no plausible time */
export function isoTime(text: string): Date {
  return plausible(new Date(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? text : Number.NaN))
}

/** Reads the time of an HTTP answer: that of its origin, also when a cache stored it (RFC 9110 §6.6.1). @throws Error */
export function headerTime(date: string | undefined): Date {
  return plausible(new Date(date ?? Number.NaN))
}

function plausible(time: Date): Date {
  if (time.getTime() >= PLAUSIBLE.from && time.getTime() < PLAUSIBLE.until) return time
  throw new Error('the answer has no plausible time')
}

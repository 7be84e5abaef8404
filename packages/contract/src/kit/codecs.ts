import * as z from 'zod/mini'

/** RFC 3339 writes years with four digits; a time zone may carry a text past them. */
const LAST_DAY = new Date('9999-12-31T23:59:59.999Z')

/** A time: RFC 3339 UTC with milliseconds on the wire, a Date in the code. */
export const ts = z.codec(z.iso.datetime({ offset: true }), z.date().check(z.maximum(LAST_DAY)), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

/** A decimal number in the asset's natural unit, exact, as text. */
export const dec = z.string().check(z.regex(/^-?\d+(\.\d+)?$/))

/** US dollars, exact, as decimal text. */
export const usd = dec

export const int = z.int()

/** A row's id; never negative. */
export const id = z.int().check(z.positive())

export const uuid = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i))

/** The answer of calls that only say what they did. */
export const Message = z.object({ message: z.string() })

/** The columns a search names, in order (api.md 1.5). */
export const Attribute = z.object({ displayName: z.string(), key: z.string(), sortBy: z.optional(z.string()) })

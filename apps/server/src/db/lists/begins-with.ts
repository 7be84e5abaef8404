import { type RawBuilder, sql } from 'kysely'

/** No text that begins with another comes after that one with the last of all characters. */
const LAST_CHARACTER = '\u{10FFFF}'

/**
 * The condition that a text begins with another. By bounds, which an index (`text_pattern_ops`) finds whatever they are: a
 * prepared LIKE is soon planned for any pattern, and for most of those an index is of no use.
 */
export function beginsWith(text: RawBuilder<unknown>, start: string): RawBuilder<boolean> {
  return sql`(${text} ~>=~ ${start} AND ${text} ~<~ ${start + LAST_CHARACTER})`
}

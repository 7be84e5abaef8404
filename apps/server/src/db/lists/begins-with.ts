import { type RawBuilder, sql } from 'kysely'

/** A text that begins with another sorts before that text followed by the last of all characters. */
const LAST_CHARACTER = '\u{10FFFF}'

/**
 * The condition that a text begins with another, as bounds, which an index (`text_pattern_ops`) can always use. PostgreSQL soon
 * plans a prepared LIKE for any pattern, and for most patterns an index would not help.
 */
export function beginsWith(text: RawBuilder<unknown>, start: string): RawBuilder<boolean> {
  return sql`(${text} ~>=~ ${start} AND ${text} ~<~ ${start + LAST_CHARACTER})`
}

import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Invariant, Touched } from '../../module.ts'
import type { Breach } from './invariants.ts'

/** How many of the rows that break an invariant a report lists. */
const EXAMPLES = 5

/** Counts the rows that break an invariant and lists the first few; undefined when none does. */
export async function findBreach(
  ctx: Context,
  { name, rule, sql: query }: Invariant,
  touched: Touched,
): Promise<Breach | undefined> {
  const { rows } = await sql<{ count: bigint; examples: string[] | null }>`
    SELECT count(*) AS count, (array_agg(subject))[1:${sql.lit(EXAMPLES)}] AS examples
    FROM (${sql.raw(query(touched))}) AS broken`.execute(ctx.db)
  const [found] = rows
  return found && found.count > 0n
    ? { name, rule, rows: Number(found.count), examples: found.examples ?? [] }
    : undefined
}

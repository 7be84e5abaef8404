import { type RawBuilder, sql } from 'kysely'

import type { Context } from '../../context.ts'
import { beginsWith } from '../../db/lists/begins-with.ts'
import type { Customer } from './store.ts'

/** In each place so many customers are looked at for the newest. */
const MOST_LOOKED_AT = 200

/** Lists the newest customers whose e-mail, name or id begins with a text; of a text that begins very many, the newest of some. */
export async function listByPrefix(
  ctx: Context,
  { projectIds, start, limit }: { projectIds: readonly number[] | 'every'; start: string; limit: number },
): Promise<Customer[]> {
  const inScope = projectIds === 'every' ? sql`true` : sql`project_id = ANY (${[...projectIds]}::int[])`
  const place = (condition: RawBuilder<boolean>) =>
    sql`(SELECT id FROM customers WHERE ${condition} AND ${inScope} LIMIT ${MOST_LOOKED_AT})`
  const places = [
    place(beginsWith(sql`lower(email)`, start)),
    place(beginsWith(sql`lower(customer_id)`, start)),
    // Written as in the index, which leaves out the many customers without a name.
    place(sql`name <> '' AND ${beginsWith(sql`lower(name)`, start)}`),
  ]
  const { rows } = await sql<Customer>`
    SELECT customer.* FROM (${sql.join(places, sql` UNION `)}) AS place JOIN customers AS customer USING (id)
    ORDER BY customer.created_at DESC, customer.id DESC LIMIT ${limit}`.execute(ctx.db)
  return rows
}

import type { Context } from '../../../context.ts'
import type { PaymentReads, PaymentTables } from '../payment/tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables & PaymentReads>()

/** Lists what happened to a payment, oldest first. */
export async function listTimeline(
  ctx: Context,
  reference: string,
): Promise<{ at: Date; type: string; actor: string; payload: Record<string, unknown> }[]> {
  const rows = await tables(ctx)
    .selectFrom('events')
    .select(['created_at', 'type', 'actor', 'payload'])
    .where('reference_id', '=', reference)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ at: row.created_at, type: row.type, actor: row.actor, payload: row.payload }))
}

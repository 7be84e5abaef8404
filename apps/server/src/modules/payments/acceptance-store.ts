import type { Context } from '../../context.ts'
import type { Acceptance } from './payment.ts'
import type { PaymentTables } from './tables.ts'

/** Stores a person's word that a payment is paid although some is missing. */
export async function moveAccepted(ctx: Context, id: bigint, { leastUnits, at, by, note }: Acceptance): Promise<void> {
  await ctx.db
    .$extendTables<PaymentTables>()
    .updateTable('payments')
    .set({ accepted_units: leastUnits, accepted_at: at, accepted_by: by, accepted_note: note, updated_at: at })
    .where('id', '=', id)
    .execute()
}

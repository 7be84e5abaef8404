import type { Context } from '../../../context.ts'
import type { Acceptance, Resolved } from '../payment/payment.ts'
import type { PaymentTables } from '../payment/tables.ts'

/** Stores a person's word that a payment is paid although some is missing. */
export async function moveAccepted(ctx: Context, id: bigint, { leastUnits, at, by, note }: Acceptance): Promise<void> {
  await ctx.db
    .$extendTables<PaymentTables>()
    .updateTable('payments')
    .set({ accepted_units: leastUnits, accepted_at: at, accepted_by: by, accepted_note: note, updated_at: at })
    .where('id', '=', id)
    .execute()
}

/** Stores a person's word that nothing more is to be done about a payment; `moveFunded` takes it away again. */
export async function moveResolved(ctx: Context, id: bigint, { at, by, note }: Resolved): Promise<void> {
  await ctx.db
    .$extendTables<PaymentTables>()
    .updateTable('payments')
    .set({ settled_at: at, settled_by: by, settled_note: note, updated_at: at })
    .where('id', '=', id)
    .execute()
}

import type { Context } from '../../../context.ts'
import type { Acceptance, Resolved } from '../payment/payment.ts'
import type { PaymentTables } from '../payment/tables.ts'

/** Stores that an operator accepted an underpayment. */
export async function moveAccepted(ctx: Context, id: bigint, { leastUnits, at, by, note }: Acceptance): Promise<void> {
  await ctx.db
    .$extendTables<PaymentTables>()
    .updateTable('payments')
    .set({ accepted_units: leastUnits, accepted_at: at, accepted_by: by, accepted_note: note, updated_at: at })
    .where('id', '=', id)
    .execute()
}

/** Stores that a payment is resolved; `moveFunded` clears it when the deposits change. */
export async function moveResolved(ctx: Context, id: bigint, { at, by, note }: Resolved): Promise<void> {
  await ctx.db
    .$extendTables<PaymentTables>()
    .updateTable('payments')
    .set({ resolved_at: at, resolved_by: by, resolved_note: note, updated_at: at })
    .where('id', '=', id)
    .execute()
}

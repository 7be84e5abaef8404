import type { Context } from '../../context.ts'
import type { Settlement } from './payment.ts'
import type { PaymentTables } from './tables.ts'

/** Stores a person's word that nothing more is to be done about a payment; `moveFunded` takes it away again. */
export async function moveSettled(ctx: Context, id: bigint, { at, by, note }: Settlement): Promise<void> {
  await ctx.db
    .$extendTables<PaymentTables>()
    .updateTable('payments')
    .set({ settled_at: at, settled_by: by, settled_note: note, updated_at: at })
    .where('id', '=', id)
    .execute()
}

import type { Context } from '../../context.ts'
import type { PaymentTables } from './tables.ts'

const tables = (ctx: Context) => ctx.db.$extendTables<PaymentTables>()

type Claim = { readonly projectId: number; readonly invoiceId: string; readonly paymentId: bigint }

/**
 * Claims an invoice id for a payment; false when another payment that is not cancelled holds it. Of two callers at once
 * the primary key lets one through: the other waits for its commit, and reads what it wrote in a statement of its own.
 */
export async function claimInvoice(ctx: Context, { projectId, invoiceId, paymentId }: Claim): Promise<boolean> {
  const inserted = await tables(ctx)
    .insertInto('invoice_claims')
    .values({ project_id: projectId, invoice_id: invoiceId, payment_id: paymentId })
    .onConflict((conflict) => conflict.columns(['project_id', 'invoice_id']).doNothing())
    .returning('payment_id')
    .executeTakeFirst()
  if (inserted) return true
  const taken = await tables(ctx)
    .updateTable('invoice_claims as claim')
    .set({ payment_id: paymentId })
    .where('claim.project_id', '=', projectId)
    .where('claim.invoice_id', '=', invoiceId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('payments as holder')
          .select('holder.id')
          .whereRef('holder.id', '=', 'claim.payment_id')
          .where('holder.status', '=', 'CANCELLED'),
      ),
    )
    .returning('claim.payment_id')
    .executeTakeFirst()
  return taken !== undefined
}

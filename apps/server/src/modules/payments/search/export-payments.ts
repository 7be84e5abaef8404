import { usd, usdOf } from '@kassa/primitives/money/usd.ts'
import type { PaymentExportQuery, PaymentExportRow } from '@kassa/contract/payments/exports.ts'
import { type Context, inSnapshot, type ProjectScope } from '../../../context.ts'
import { exactAmounts } from './row-view.ts'
import { readFilter } from './rules.ts'
import { type FoundPayment, listFound, ofAll, openSearch } from './store.ts'

/** Payments per statement: few enough that the garbage collector frees them early and the process does not grow. */
const PAGE = 200

/**
 * Every payment a caller may see that matches, oldest first, as of now: it leaves out what happens while the file is written,
 * so that the sums of the file equal those of the ledger. @throws FILTER_INVALID
 */
export function exportPayments(
  ctx: Context,
  scope: ProjectScope,
  input: PaymentExportQuery,
): AsyncIterable<PaymentExportRow> {
  const filter = readFilter(input, scope.projectIds)
  return inSnapshot(ctx, async function* (snapshot) {
    const search = ofAll(await openSearch(snapshot, filter))
    let from: { key: string; id: string; isBackwards: false } | null = null
    for (;;) {
      const page = { sort: 'created_at', isAscending: true, from, limit: PAGE, offset: 0 } as const
      const rows: Awaited<ReturnType<typeof listFound>> = await listFound(snapshot, search, page)
      for (const row of rows.slice(0, PAGE)) yield exportRow(row)
      const last = rows[PAGE - 1]
      if (!last || rows.length <= PAGE) return
      from = { key: last.sortKey, id: String(last.id), isBackwards: false }
    }
  })
}

function exportRow(found: FoundPayment): PaymentExportRow {
  const { amountInUSD, amount = null, filledAmountInUSD = null, filledAmount = null } = exactAmounts(found)
  return {
    projectName: found.project_name,
    blockHeight: found.height === null ? null : Number(found.height),
    referenceID: found.reference_id,
    transactionHash: found.tx_id,
    fromAddress: found.from_address,
    toAddress: found.to_address,
    paymentStatus: found.status,
    currency: found.currency_code,
    network: found.blockchain_code,
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    invoiceID: found.invoice_id || found.reference_id,
    customerID: found.merchant_customer_id,
    email: found.email,
    amountInUSD,
    amount,
    filledAmountInUSD,
    filledAmount,
    webhookStatus: found.webhook_status,
    createdBy: found.created_by,
    transactionTimestamp: found.block_time,
    paidInUSD: found.paid_usd === null ? null : usd(usdOf(found.paid_usd)),
  }
}

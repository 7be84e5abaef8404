import type { PaymentRow } from '@kassa/contract/payments/schemas.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'
import { remainingUsd } from '../funding/funding-rules.ts'
import { usdOf, usd } from '@kassa/primitives/money/usd.ts'
import type { FoundPayment } from './store.ts'

/** A row of the search. Existing clients add up the four numbers; `exact` holds what they stand for. */
export function rowView(found: FoundPayment): PaymentRow {
  const exact = exactAmounts(found)
  return {
    projectName: found.project_name,
    ...present({ blockId: found.height === null ? null : Number(found.height) }),
    referenceId: found.reference_id,
    ...present({ txHash: found.tx_id, fromAddress: found.from_address, toAddress: found.to_address }),
    paymentStatus: found.status,
    ...present({ currency: found.currency_code, network: found.blockchain_code }),
    createdAt: found.created_at,
    updatedAt: found.updated_at,
    invoiceId: found.invoice_id || found.reference_id,
    customerId: found.merchant_customer_id,
    ...present({ email: found.email === '' ? null : found.email }),
    amountInUSD: Number(exact.amountInUSD),
    ...present({
      amount: exact.amount === undefined ? null : Number(exact.amount),
      filledAmountInUSD: exact.filledAmountInUSD === undefined ? null : Number(exact.filledAmountInUSD),
      filledAmount: exact.filledAmount === undefined ? null : Number(exact.filledAmount),
    }),
    createdBy: found.created_by,
    ...present({ trxTimestamp: found.block_time, webhookStatus: found.webhook_status }),
    exact: { ...exact, ...(found.paid_usd !== null && { paidInUSD: usd(usdOf(found.paid_usd)) }) },
    fundingState: found.funding_state,
    ...present({ cancelReason: found.status === 'CANCELLED' ? found.cancel_reason : null }),
    late: found.late,
    needsAttention: found.needs_attention,
    externalPlatformID: found.project_id,
    id: Number(found.id),
  }
}

/** The amounts of a payment as exact text; those of its coin only once it has one. */
export function exactAmounts(found: FoundPayment): PaymentRow['exact'] {
  const { status, decimals, due_units: due } = found
  const [amountUsd, filledUsd] = [usdOf(found.amount_usd), usdOf(found.filled_usd)]
  const amountDueInUSD = usd(remainingUsd({ status, amountUsd, filledUsd }))
  if (due === null || decimals === null) return { amountInUSD: usd(amountUsd), amountDueInUSD }
  return {
    amountInUSD: usd(amountUsd),
    amount: formatUnits(BigInt(due), decimals),
    filledAmountInUSD: usd(filledUsd),
    filledAmount: formatUnits(BigInt(found.filled_units), decimals),
    amountDueInUSD,
  }
}

/** The keys that have a value: an empty one is absent, not null. */
function present<T extends object>(fields: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [Key in keyof T]?: NonNullable<T[Key]>
  }
}

import type { PaymentState } from '@kassa/contract/payments/machine.ts'
import { USD_DECIMALS } from '@kassa/primitives/money/rate.ts'
import { formatUnits } from '@kassa/primitives/money/units.ts'

import type { Deposit } from '../../deposits/service.ts'
import type { Payment } from '../payment/payment.ts'
import { remainingUnits } from './funding-rules.ts'

export type PayloadFacts = {
  readonly deposits: readonly Deposit[]
  readonly confirmations: { readonly current: number; readonly required: number }
  readonly previousStatus: PaymentState
  readonly at: Date
  readonly isTest: boolean
}

/** The webhook payload of a payment (api.md 6.2); the sender adds the event's id and sequence. */
export function paymentPayload(payment: Omit<Payment, 'id'>, facts: PayloadFacts): Record<string, unknown> {
  const { quote, customer } = payment
  const units = (value: bigint) => formatUnits(value, quote?.asset.decimals ?? 0)
  return {
    reference_id: payment.reference,
    invoice_id: payment.invoiceId,
    customer_id: customer.customerId,
    customer_email: customer.email === '' ? null : customer.email,
    status: payment.status,
    amount: quote ? units(quote.dueUnits) : formatUnits(payment.amountUsd, USD_DECIMALS),
    filled_amount: quote ? units(payment.filledUnits) : '0',
    filled_amount_in_usd: formatUnits(payment.filledUsd, USD_DECIMALS),
    currency: quote?.asset.currencyCode ?? 'USD',
    timestamp: Math.floor(facts.at.getTime() / 1000),
    confirmation_current: facts.confirmations.current,
    confirmation_required: facts.confirmations.required,
    payment_info: facts.deposits
      .filter(({ status }) => status !== 'reverted')
      .map((deposit) => ({
        source_address: deposit.from,
        transaction_hash: deposit.txId,
        destination_address: deposit.to,
        block_number: deposit.height,
      })),
    amount_in_usd: formatUnits(payment.amountUsd, USD_DECIMALS),
    amount_due: quote && units(remainingUnits(payment)),
    amount_overpaid: quote && payment.overUnits > 0n ? units(payment.overUnits) : null,
    network: quote?.asset.blockchainCode ?? null,
    funding_state: payment.fundingState,
    cancel_reason: payment.status === 'CANCELLED' ? payment.cancelReason : null,
    late: payment.late,
    previous_status: facts.previousStatus,
    project_id: payment.project.id,
    metadata: payment.metadata,
    test: facts.isTest,
  }
}

/**
 * Payments: requests for money. One is made for a customer, pinned to an asset and a price when the payer picks them, and
 * becomes what the chain shows: its status is computed from final deposits and the clock, never set.
 */
export { assignToPayment } from './assign-deposit.ts'
export { paymentsBulkActions } from './bulk-actions.ts'
export { cancelPayment } from './cancel-payment.ts'
export { checkoutFacts } from './checkout-facts.ts'
export { checkReadiness } from './check-readiness.ts'
export { createPayment } from './create-payment.ts'
export { exportPayments } from './export-payments.ts'
export { diagnosePayment } from './diagnose.ts'
export { expirePayments, lapsePayment } from './expire-payments.ts'
export { findMissedDeposit } from './find-missed-deposit.ts'
export { keepHeldDeposit } from './keep-held-deposit.ts'
export { listOptions } from './list-options.ts'
export type { Payment, Terms } from './payment.ts'
export { pinPayment } from './pin-payment.ts'
export type { ReceivedBlock, ReceivedTransfer } from './receive-transfers.ts'
export { resendState } from './resend-webhook.ts'
export { resolvePayment } from './resolve-payment.ts'
export { searchPayments, summarizePayments } from './search-payments.ts'
export { refreshConfirmations, takeBack } from './settle-final.ts'
export {
  depositAddresses,
  getByReference,
  getInScope,
  givenAddress,
  isStillOpen,
  paymentDetail,
  projectOf,
  publicPayment,
  walletsOf,
} from './show-payment.ts'
export { settleFinal, takeIn } from './take-in.ts'

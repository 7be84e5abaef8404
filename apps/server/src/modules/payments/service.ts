/**
 * Payments: requests for money. One is made for a customer, pinned to an asset and a price when the payer picks them, and
 * becomes what the chain shows: its status is computed from final deposits and the clock, never set.
 */
export { expirePayments } from './expire-payments.ts'
export { type ReceivedBlock, type ReceivedTransfer, receiveTransfers } from './receive-transfers.ts'
export { refreshConfirmations, settleFinal, takeBack } from './settle-final.ts'

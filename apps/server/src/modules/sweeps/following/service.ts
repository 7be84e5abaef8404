/** What becomes of sweeps that have a transaction: of a hot wallet of the server, or of the wallet of an operator. */
export { followSend } from './follow-send.ts'
export { followOwnWallets, isOfSweep } from './own-wallets.ts'
export { findSweepOfAddresses, findUse, listExpiredPlans, updateTransaction } from './store.ts'

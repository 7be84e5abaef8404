/** The families whose deposit wallets are set up here. */
export const EVM = 'ETH_Family'
export const BITCOIN = 'BTC_Family'

export type DepositFamily = typeof EVM | typeof BITCOIN

/** The chain families that take no deposits here yet, as people call them. */
export const OTHER_FAMILIES = ['Tron', 'Solana'] as const

/** The family whose addresses this server can derive. */
export const EVM = 'ETH_Family'

/** The family whose addresses come as lists. */
export const SOLANA = 'SOL_Family'

/** The chain families that take no deposits yet, as people call them. */
export const OTHER_FAMILIES = ['Tron', 'Bitcoin'] as const

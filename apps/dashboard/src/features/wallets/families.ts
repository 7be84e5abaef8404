/** The family whose addresses this server can derive. */
export const EVM = 'ETH_Family'

/** Chain families as people call them; those without deposits say why. */
export const OTHER_FAMILIES = [
  { family: 'TRX_Family', name: 'Tron' },
  { family: 'BTC_Family', name: 'Bitcoin' },
  { family: 'SOL_Family', name: 'Solana' },
] as const

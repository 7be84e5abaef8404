/** The chain families whose deposit addresses come from an extended public key, in the order in which they are offered. */
export type KeyFamily = 'ETH_Family' | 'TRX_Family'

export const EVM = 'ETH_Family' satisfies KeyFamily
export const TRON = 'TRX_Family' satisfies KeyFamily

/** As people call them. */
export const FAMILY_NAMES: Readonly<Record<KeyFamily, string>> = { ETH_Family: 'EVM', TRX_Family: 'Tron' }

/** The chain families that take no deposits yet, as people call them. */
export const OTHER_FAMILIES = ['Bitcoin', 'Solana'] as const

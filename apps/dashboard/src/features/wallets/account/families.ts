/** The chain families whose deposit addresses come from an extended public key. */
export type KeyFamily = 'ETH_Family' | 'TRX_Family' | 'BTC_Family'

export const EVM = 'ETH_Family' satisfies KeyFamily
export const TRON = 'TRX_Family' satisfies KeyFamily
export const BITCOIN = 'BTC_Family' satisfies KeyFamily

/** Those whose account is at one path, whatever network and kind of address it has. */
export type OnePathFamily = Exclude<KeyFamily, typeof BITCOIN>

/** As people call them. */
export const FAMILY_NAMES: Readonly<Record<KeyFamily, string>> = {
  ETH_Family: 'EVM',
  TRX_Family: 'TRON',
  BTC_Family: 'Bitcoin',
}

/** The family whose addresses come as lists. */
export const SOLANA = 'SOL_Family'

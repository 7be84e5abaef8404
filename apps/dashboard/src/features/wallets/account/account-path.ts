import type { OnePathFamily } from './families.ts'

/** The account of each family (BIP-44, SLIP-44 coins 60 and 195): the level whose public key the server is given. */
export const ACCOUNT_PATHS: Readonly<Record<OnePathFamily, string>> = {
  ETH_Family: "m/44'/60'/0'",
  TRX_Family: "m/44'/195'/0'",
}

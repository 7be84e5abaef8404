import { HDKey } from 'viem/accounts'

/** The account whose addresses a shop of the worlds gives to its customers; the same in every run. */
export function accountOf(shop: string, family: keyof typeof PATHS = 'ETH_Family'): HDKey {
  const versions = family === 'BTC_Family' ? VPUB : undefined
  return HDKey.fromMasterSeed(Buffer.alloc(32, `shop ${shop}`), versions).derive(PATHS[family])
}

/** Of Bitcoin, the path and the spelling of test networks (BIP-84, SLIP-132). */
const PATHS = { ETH_Family: "m/44'/60'/0'", TRX_Family: "m/44'/195'/0'", BTC_Family: "m/84'/1'/0'" } as const
const VPUB = { private: 0x04_5f_18_bc, public: 0x04_5f_1c_f6 } as const

import { HDKey } from 'viem/accounts'

/** The account whose addresses a shop of the worlds gives to its customers; the same in every run. */
export function accountOf(shop: string): HDKey {
  return HDKey.fromMasterSeed(Buffer.alloc(32, `shop ${shop}`)).derive("m/44'/60'/0'")
}

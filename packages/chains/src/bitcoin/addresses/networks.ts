import type { NetworkMode } from '@kassa/primitives/chains/blockchain.ts'

/** What an address of one network begins with: bech32's prefix, and the first bytes of Base58Check. */
export type AddressPrefixes = { readonly segwit: string; readonly keyHash: number; readonly scriptHash: number }

/** Bitcoin Core, `src/kernel/chainparams.cpp`. Test networks share the bytes; only a local chain has bech32 of its own. */
const PREFIXES: Readonly<Record<NetworkMode, AddressPrefixes>> = {
  mainnet: { segwit: 'bc', keyHash: 0x00, scriptHash: 0x05 },
  testnet: { segwit: 'tb', keyHash: 0x6f, scriptHash: 0xc4 },
  sandbox: { segwit: 'bcrt', keyHash: 0x6f, scriptHash: 0xc4 },
}

/** Returns the prefixes of a network mode. */
export function prefixesOf(mode: NetworkMode): AddressPrefixes {
  return PREFIXES[mode]
}

/** The other network modes, to tell people where an address belongs. */
export function otherModes(mode: NetworkMode): NetworkMode[] {
  return (Object.keys(PREFIXES) as NetworkMode[]).filter((one) => one !== mode)
}

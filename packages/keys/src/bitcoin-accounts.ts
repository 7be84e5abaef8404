import { base58Text, keyHashOf, segwitText } from './address-text.ts'
import type { ExtendedKeyKind } from './extended-key.ts'

/** The prefixes of addresses on one network of Bitcoin: bech32's, and the first bytes of Base58Check. */
export type AddressPrefixes = { readonly segwit: string; readonly keyHash: number; readonly scriptHash: number }

/** Bitcoin Core, `src/kernel/chainparams.cpp`. Test networks share the bytes; a local chain has a bech32 prefix of its own. */
export const BITCOIN_PREFIXES = {
  mainnet: { segwit: 'bc', keyHash: 0x00, scriptHash: 0x05 },
  testnet: { segwit: 'tb', keyHash: 0x6f, scriptHash: 0xc4 },
  sandbox: { segwit: 'bcrt', keyHash: 0x6f, scriptHash: 0xc4 },
} as const satisfies Record<string, AddressPrefixes>

export type BitcoinNetwork = keyof typeof BITCOIN_PREFIXES

/**
 * Which script the addresses of an account stand for: a SegWit output of their own (BIP-84), or one inside a script hash
 * (BIP-49).
 */
export type ScriptKind = 'p2wpkh' | 'p2sh-p2wpkh'

/** Kinds of keys by network (SLIP-132). For a kind that does not name its script, the path does. */
const KINDS = {
  mainnet: { p2wpkh: 'zpub', 'p2sh-p2wpkh': 'ypub', unstated: 'xpub' },
  test: { p2wpkh: 'vpub', 'p2sh-p2wpkh': 'upub', unstated: 'tpub' },
} as const satisfies Record<string, Record<ScriptKind | 'unstated', ExtendedKeyKind>>

const PURPOSES = { p2wpkh: 84, 'p2sh-p2wpkh': 49 } as const satisfies Record<ScriptKind, number>

/** The kinds of keys that belong on a network, and the one whose path must say which script it is for. */
export function keyKindsOf(network: BitcoinNetwork): Readonly<Record<ScriptKind | 'unstated', ExtendedKeyKind>> {
  return network === 'mainnet' ? KINDS.mainnet : KINDS.test
}

/** Where the usual account is; test networks share coin type 1 (SLIP-44). */
export function bitcoinAccountPath(script: ScriptKind, network: BitcoinNetwork): string {
  return `m/${PURPOSES[script]}'/${network === 'mainnet' ? 0 : 1}'/0'`
}

/** The script kind of a key's addresses; null when neither the kind of key nor its path tells. */
export function scriptKindOf(kind: ExtendedKeyKind, path: string): ScriptKind | null {
  for (const script of ['p2wpkh', 'p2sh-p2wpkh'] as const) {
    if (kind === KINDS.mainnet[script] || kind === KINDS.test[script]) return script
    const isUnstated = kind === KINDS.mainnet.unstated || kind === KINDS.test.unstated
    if (isUnstated && path.startsWith(`m/${PURPOSES[script]}'/`)) return script
  }
  return null
}

/** Writes the address of a compressed public key. */
export function bitcoinAddress(network: BitcoinNetwork, script: ScriptKind, publicKey: Uint8Array): string {
  const { segwit, scriptHash } = BITCOIN_PREFIXES[network]
  const program = keyHashOf(publicKey)
  if (script === 'p2wpkh') return segwitText(segwit, { version: 0, program })
  return base58Text(Uint8Array.of(scriptHash, ...keyHashOf(Uint8Array.of(0, program.length, ...program))))
}

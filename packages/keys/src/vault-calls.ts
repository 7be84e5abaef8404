import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import { checksumAddress } from './address-text.ts'

/** What the owner of a sweep contract asks of its factory, or of the contract, in words of the ABI. */
export type OwnerCall =
  | { readonly kind: 'createVault'; readonly salt: string; readonly collector: string }
  | { readonly kind: 'proposeCollector'; readonly to: string }
  | { readonly kind: 'acceptCollector' | 'cancelCollector' }

/**
 * Encodes what the owner's wallet sends, with nothing but the caller's own words in it: a page needs no server to say it.
 * Prints hex.
 */
export function ownerCallData(call: OwnerCall): string {
  switch (call.kind) {
    case 'createVault':
      return encoded('createVault(bytes32,address)', hexToBytes(bare(call.salt)), addressWord(call.collector))
    case 'proposeCollector':
      return encoded('proposeCollector(address)', addressWord(call.to))
    case 'acceptCollector':
    case 'cancelCollector':
      return encoded(`${call.kind}()`)
  }
}

/** Computes where a factory creates the contract of an owner: the same on every EVM network (EIP-1014). Prints it with EIP-55. */
export function vaultAddressOf({
  factory,
  bytecode,
  owner,
  salt,
}: Readonly<Record<'factory' | 'bytecode' | 'owner' | 'salt', string>>): string {
  const initHash = keccak_256(concatBytes(hexToBytes(bare(bytecode)), addressWord(owner)))
  const preimage = [Uint8Array.of(0xff), hexToBytes(bare(factory)), hexToBytes(bare(salt)), initHash]
  return checksumAddress(keccak_256(concatBytes(...preimage)).subarray(12))
}

/** Hashes code as it stands on chain with Keccak-256; prints hex. */
export function codeHashOf(code: string): string {
  return `0x${bytesToHex(keccak_256(hexToBytes(bare(code))))}`
}

/** The first four bytes of the hash of a function's signature, and its words of 32 bytes. */
function encoded(signature: string, ...words: readonly Uint8Array[]): string {
  return `0x${bytesToHex(concatBytes(keccak_256(utf8ToBytes(signature)).subarray(0, 4), ...words))}`
}

function addressWord(address: string): Uint8Array {
  return concatBytes(new Uint8Array(12), hexToBytes(bare(address)))
}

function bare(hex: string): string {
  return hex.replace(/^0x/, '')
}

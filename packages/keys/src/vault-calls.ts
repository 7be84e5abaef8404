import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import { base58Text, checksumAddress, readBase58 } from './address-text.ts'
import { create2Address, CREATE2_PREFIX } from './evm/create2.ts'

/** A call that the owner of a sweep contract makes to its factory or to the contract, named as in the ABI. */
export type OwnerCall =
  | { readonly kind: 'createVault'; readonly salt: string; readonly collector: string }
  | { readonly kind: 'proposeCollector'; readonly to: string }
  | { readonly kind: 'acceptCollector' | 'cancelCollector' }

/** Encodes a call of the owner's wallet from the caller's arguments alone, so that a page needs no server for it. Prints hex. */
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

/**
 * Computes where a factory creates the contract of an owner: the same on every EVM network (EIP-1014), and on TRON with its own
 * first byte. It is spelled like the factory's address.
 */
export function vaultAddressOf({
  factory,
  bytecode,
  owner,
  salt,
}: Readonly<Record<'factory' | 'bytecode' | 'owner' | 'salt', string>>): string {
  const initHash = keccak_256(concatBytes(hexToBytes(bare(bytecode)), addressWord(owner)))
  const isHex = factory.startsWith('0x')
  const prefix = isHex ? CREATE2_PREFIX.evm : CREATE2_PREFIX.tvm
  const key = create2Address({ prefix, deployer: addressBytes(factory), salt: hexToBytes(bare(salt)), initHash })
  return isHex ? checksumAddress(key) : base58Text(concatBytes(Uint8Array.of(CREATE2_PREFIX.tvm), key))
}

/**
 * Computes the number of an account in calls of a contract, from its address in hex or in TRON's spelling. @throws RangeError
 * for other text
 */
export function accountNumber(address: string): bigint {
  return BigInt(`0x${bytesToHex(addressBytes(address))}`)
}

/** Hashes the code of a contract on chain with Keccak-256; prints hex. */
export function codeHashOf(code: string): string {
  return `0x${bytesToHex(keccak_256(hexToBytes(bare(code))))}`
}

/** The first four bytes of the hash of a function's signature, and its words of 32 bytes. */
function encoded(signature: string, ...words: readonly Uint8Array[]): string {
  return `0x${bytesToHex(concatBytes(keccak_256(utf8ToBytes(signature)).subarray(0, 4), ...words))}`
}

function addressWord(address: string): Uint8Array {
  return concatBytes(new Uint8Array(12), addressBytes(address))
}

/** The 20 bytes of an address in hex, or of one of TRON behind its first byte. @throws RangeError when it is neither */
function addressBytes(address: string): Uint8Array {
  const bytes = address.startsWith('T') ? readBase58(address)?.subarray(1) : hexToBytes(bare(address))
  if (bytes?.length === 20) return bytes
  throw new RangeError('This is no address of an account')
}

function bare(hex: string): string {
  return hex.replace(/^0x/, '')
}

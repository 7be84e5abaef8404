import { base58Text, readBase58, readSegwit, type SegwitProgram, segwitText } from '@kassa/keys/address-text.ts'
import type { AddressPrefixes } from '@kassa/keys/bitcoin-accounts.ts'
import type { Address, AddressKey } from '../../adapter.ts'

/**
 * Output scripts that addresses stand for (BIP-13, BIP-141, BIP-341): the bytes of one are what is matched and stored.
 * Opcodes: Bitcoin Core, `src/script/script.h`.
 */
const HASH_BYTES = 20
const DUP_HASH160 = [0x76, 0xa9, 0x14] as const
const EQUALVERIFY_CHECKSIG = [0x88, 0xac] as const
const HASH160 = [0xa9, 0x14] as const
const EQUAL = 0x87

/** The script of an output that one key's hash may spend, without SegWit. */
export function keyHashScript(hash: Uint8Array): AddressKey {
  return Uint8Array.of(...DUP_HASH160, ...hash, ...EQUALVERIFY_CHECKSIG)
}

/** The script of an output that is spent by presenting a script of this hash (P2SH). */
export function scriptHashScript(hash: Uint8Array): AddressKey {
  return Uint8Array.of(...HASH160, ...hash, EQUAL)
}

/** The script of a SegWit output. */
export function segwitScript({ version, program }: SegwitProgram): AddressKey {
  return Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program)
}

/** Writes the address of a script; null for one that no address stands for. */
export function addressOfScript(prefixes: AddressPrefixes, script: AddressKey): Address | null {
  const segwit = segwitProgram(script)
  if (segwit) return segwitText(prefixes.segwit, segwit)
  if (script.length === 25 && startsWith(script, DUP_HASH160) && script[23] === 0x88 && script[24] === 0xac) {
    return base58Text(Uint8Array.of(prefixes.keyHash, ...script.subarray(3, 23)))
  }
  if (script.length === 23 && startsWith(script, HASH160) && script[22] === EQUAL) {
    return base58Text(Uint8Array.of(prefixes.scriptHash, ...script.subarray(2, 22)))
  }
  return null
}

/** Reads the script of an address of one network; null when it is of another, or none. */
export function scriptOfAddress(prefixes: AddressPrefixes, address: Address): AddressKey | null {
  const segwit = readSegwit(prefixes.segwit, address)
  if (segwit) return segwitScript(segwit)
  const bytes = readBase58(address)
  if (bytes?.length !== HASH_BYTES + 1) return null
  if (bytes[0] === prefixes.keyHash) return keyHashScript(bytes.subarray(1))
  return bytes[0] === prefixes.scriptHash ? scriptHashScript(bytes.subarray(1)) : null
}

/** A witness program of 2 to 40 bytes behind its version (BIP-141); version 0 has 20 or 32 bytes. */
function segwitProgram(script: AddressKey): SegwitProgram | null {
  const [opcode = 0xff, length] = script
  const isVersion = opcode === 0 || (opcode >= 0x51 && opcode <= 0x60)
  if (!isVersion || length !== script.length - 2 || length < 2 || length > 40) return null
  if (opcode === 0 && length !== 20 && length !== 32) return null
  return { version: opcode === 0 ? 0 : opcode - 0x50, program: script.subarray(2) }
}

function startsWith(script: AddressKey, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => script[at] === byte)
}

import type { VaultCall } from '../../sweep-vaults.ts'
import { decodeVaultCall, encodeVaultCall } from '../../vault-contract/calls.ts'
import { addressKey, addressText } from '../addresses/addresses.ts'
import { fromHex, toHex } from '../encoding/hex.ts'

/** Writes an address of TRON as the ABI does: 20 bytes in hex with `0x`. */
export function abiAddress(address: string): string {
  return `0x${toHex(addressKey(address))}`
}

/** The inverse of `abiAddress`. */
export function addressOfAbi(hex: string): string {
  return addressText(fromHex(hex.slice(2)))
}

/** Encodes a call of a vault; addresses in it are TRON's. @throws RangeError when an item does not fit, or an address is none */
export function encodeCall(call: VaultCall): string {
  return encodeVaultCall(spelled(call, abiAddress))
}

/** Reads a call of a vault; null when it is not one. */
export function decodeCall(data: string): VaultCall | null {
  const call = decodeVaultCall(data)
  return call && spelled(call, addressOfAbi)
}

/** A copy of the call in which `spell` wrote each address. */
function spelled(call: VaultCall, spell: (address: string) => string): VaultCall {
  if ('permits' in call) {
    const permits = call.permits.map((permit) => ({ ...permit, owner: spell(permit.owner) }))
    return { ...call, token: spell(call.token), permits }
  }
  if ('token' in call) return { ...call, token: spell(call.token) }
  return 'to' in call ? { ...call, to: spell(call.to) } : call
}

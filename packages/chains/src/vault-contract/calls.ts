import { kassaFactory } from '@kassa/solidity/generated/kassa-factory.ts'
import { kassaVault } from '@kassa/solidity/generated/kassa-vault.ts'
import type { Hex } from 'viem'
import type { decodeFunctionData } from 'viem/utils'
import type { Permit, VaultCall, VaultItem } from '../sweep-vaults.ts'
import { abiCoder } from './abi-coder.ts'

export type FactoryCall = {
  readonly kind: 'createVault' | 'createFundSweeperContract'
  readonly salt: string
  readonly collector: string
}

const UNITS_BITS = 96n
const MOST_UNITS = (1n << UNITS_BITS) - 1n
const MOST_ID = (1n << 160n) - 1n

/** Encodes what a person sends to the factory to create their vault. */
export function encodeFactoryCall({ kind, salt, collector }: FactoryCall): Hex {
  return abiCoder().encodeFunctionData({ abi: kassaFactory.abi, functionName: kind, args: [hex(salt), hex(collector)] })
}

/**
 * Encodes a call of a vault.
 * @throws RangeError when an item does not fit: units of 96 bits, ids of 160
 */
export function encodeVaultCall(call: VaultCall): Hex {
  const { abi } = kassaVault
  const { encodeFunctionData } = abiCoder()
  switch (call.kind) {
    case 'sweepToken':
    case 'sweepTokenDelegated':
    case 'pullToken':
      return encodeFunctionData({ abi, functionName: call.kind, args: [hex(call.token), call.items.map(packItem)] })
    case 'sweepNative':
    case 'sweepNativeDelegated':
      return encodeFunctionData({ abi, functionName: call.kind, args: [call.items.map(packItem)] })
    case 'permitAndPull':
      return encodeFunctionData({
        abi,
        functionName: call.kind,
        args: [hex(call.token), call.permits.map(packPermit), call.items.map(packItem)],
      })
    case 'permitToken':
      return encodeFunctionData({ abi, functionName: call.kind, args: [hex(call.token), call.permits.map(packPermit)] })
    case 'deploy':
      return encodeFunctionData({ abi, functionName: call.kind, args: [call.salts] })
    case 'proposeCollector':
      return encodeFunctionData({ abi, functionName: call.kind, args: [hex(call.to)] })
    case 'acceptCollector':
    case 'cancelCollector':
    case 'freezeCollector':
      return encodeFunctionData({ abi, functionName: call.kind })
  }
}

/** Reads a call of a vault; null when it is none of those above, or when the same call would be written otherwise. */
export function decodeVaultCall(data: string): VaultCall | null {
  const decoded = decoding(() => abiCoder().decodeFunctionData({ abi: kassaVault.abi, data: hex(data) }))
  const call = decoded && callOf(decoded)
  return call && encodeVaultCall(call) === data.toLowerCase() ? call : null
}

function callOf(decoded: ReturnType<typeof decodeFunctionData<typeof kassaVault.abi>>): VaultCall | null {
  const { functionName: kind, args } = decoded
  if (kind === 'sweepToken' || kind === 'sweepTokenDelegated' || kind === 'pullToken') {
    return { kind, token: args[0], items: args[1].map(unpackItem) }
  }
  if (kind === 'sweepNative' || kind === 'sweepNativeDelegated') return { kind, items: args[0].map(unpackItem) }
  if (kind === 'permitAndPull') return { kind, token: args[0], permits: args[1], items: args[2].map(unpackItem) }
  if (kind === 'permitToken') return { kind, token: args[0], permits: args[1] }
  if (kind === 'deploy') return { kind, salts: args[0] }
  if (kind === 'proposeCollector') return { kind, to: args[0] }
  return kind === 'acceptCollector' || kind === 'cancelCollector' || kind === 'freezeCollector' ? { kind } : null
}

function packPermit({ owner, r, s, ...rest }: Permit) {
  return { ...rest, owner: hex(owner), r: hex(r), s: hex(s) }
}

/** Addresses and hashes of this family are hex; the caller has read them as such. */
function hex(text: string): Hex {
  return text as Hex
}

function packItem({ id, units }: VaultItem): bigint {
  if (units < 0n || units > MOST_UNITS) throw new RangeError('Units of an item have 96 bits')
  if (id < 0n || id > MOST_ID) throw new RangeError('The id of an item has 160 bits')
  return (id << UNITS_BITS) | units
}

function unpackItem(item: bigint): VaultItem {
  return { id: item >> UNITS_BITS, units: item & MOST_UNITS }
}

/** Whatever does not decode is no call of ours. */
function decoding<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** One request to a deposit address, on a network of EVM or on TRON: read, checked, explained, signed. */
import { accountOf, checksumAddress } from '@kassa/keys/address-text.ts'
import { type Destination, faultOf, hexOf, type Permission, type PermissionFault } from '@kassa/keys/evm/permission.ts'
import { readPermission, type SignatureJson, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { signPermission } from '@kassa/keys/evm/permission-signing.ts'
import { tronText } from '@kassa/keys/tron/address.ts'
import {
  faultOfTron,
  readTronPermission,
  signTronPermission,
  type TronPermission,
} from '@kassa/keys/tron/permission.ts'

export type Asked =
  | { readonly family: 'evm'; readonly permission: Permission }
  | { readonly family: 'tron'; readonly permission: TronPermission }

/** Reads the request of a job to an address; null when it is nothing that is ever signed. */
export function readAsked(json: unknown): Asked | null {
  const tron = readTronPermission(json)
  if (tron) return { family: 'tron', permission: tron }
  const permission = readPermission(json)
  return permission && { family: 'evm', permission }
}

/** The network that it is for. */
export function chainOf({ family, permission }: Asked): bigint {
  if (family === 'tron') return permission.chainId
  if (permission.kind === 'permit') return permission.domain.chainId
  return permission.kind === 'authorization' ? permission.authorization.chainId : permission.tx.chainId
}

/** Returns what would make it do anything but bring money to its destination; null when nothing would. */
export function faultOfAsked({ family, permission }: Asked, destination: Destination): PermissionFault | null {
  return family === 'tron' ? faultOfTron(permission, destination) : faultOf(permission, destination)
}

/** Writes the address of a public key in the spelling of the request's network. */
export function spelledFor({ family }: Asked, publicKey: Uint8Array): string {
  const account = accountOf(publicKey)
  return family === 'tron' ? tronText(account) : checksumAddress(account)
}

/** Signs it with the key of its address. @throws PermissionRefused */
export function signAsked({ family, permission }: Asked, destination: Destination, key: Uint8Array): SignatureJson {
  if (family === 'tron') return { signedTransaction: hexOf(signTronPermission(permission, destination, key)) }
  return signatureJson(permission, signPermission(permission, destination, key))
}

/** Says what a request without faults does. */
export function describeAsked({ family, permission }: Asked, destination: Destination): string {
  return family === 'tron' ? describeTron(permission, destination) : describeEvm(permission, destination)
}

function describeEvm(permission: Permission, { collector }: Destination): string {
  switch (permission.kind) {
    case 'approve_tx':
    case 'transfer_tx': {
      const { tx } = permission
      const fee = `network fee at most ${coins(tx.gas * tx.feeCap, WEI)}`
      if (permission.kind === 'transfer_tx') return `Sends ${coins(tx.value, WEI)} to ${tx.to ?? 'nobody'}; ${fee}`
      return `Lets ${spenderIn(tx.data)} take all of the token ${tx.to ?? '?'}; ${fee}`
    }
    case 'permit':
      return `Lets ${permission.message.spender} take all of the token ${permission.domain.verifyingContract}`
    case 'authorization':
      return `Lets ${permission.authorization.address} move what it holds to ${collector}`
  }
}

/** A TRON transaction's bytes cost TRX as well; how much cannot be stated beforehand, but less than one. */
function describeTron({ tx: { message, feeLimit } }: TronPermission, { vault }: Destination): string {
  const to = tronText(message.to)
  if (message.kind === 'transfer') return `Sends ${coins(message.units, SUN)} to ${to}`
  return `Lets ${vault} take all of the token ${to}; network fee at most ${coins(feeLimit, SUN)}, and its bytes`
}

function spenderIn(data: string): string {
  return `0x${data.slice(34, 74)}`
}

/** Decimals of the coin of every EVM network, and of TRX. */
const [WEI, SUN] = [18, 6]

function coins(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const rest = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}${rest === '' ? '' : `.${rest}`} coins`
}

import { checksumAddress, accountOf } from '../address-text.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { signAuthorization } from './authorization.ts'
import { signFeeTransaction } from './fee-transaction.ts'
import {
  type Destination,
  faultOf,
  isSameAccount,
  type Permission,
  type PermissionFault,
  type PermissionSignature,
} from './permission.ts'
import { signPermit } from './permit.ts'

/** A permission that was not signed, and why. */
export class PermissionRefused extends Error {
  readonly fault: PermissionFault

  constructor(fault: PermissionFault) {
    super(`Not signed: ${fault}`)
    this.name = 'PermissionRefused'
    this.fault = fault
  }
}

/**
 * Checks a permission and signs it with the key of its deposit address.
 * @throws PermissionRefused when it does anything but bring money to the destination, or the key belongs to another address
 */
export function signPermission(permission: Permission, destination: Destination, key: Uint8Array): PermissionSignature {
  const fault = faultOf(permission, destination)
  if (fault !== null) throw new PermissionRefused(fault)
  const own = checksumAddress(accountOf(secp256k1.getPublicKey(key)))
  if (!isSameAccount(own, permission.from)) throw new PermissionRefused('signer')
  switch (permission.kind) {
    case 'approve_tx':
    case 'transfer_tx':
      return { kind: permission.kind, raw: signFeeTransaction(permission.tx, key).raw }
    case 'permit':
      return { kind: 'permit', signature: signPermit(permission.domain, permission.message, key) }
    case 'authorization':
      return { kind: 'authorization', authorization: signAuthorization(permission.authorization, key) }
  }
}

import { authorityOf } from '@kassa/keys/evm/authorization.ts'
import { readFeeTransaction } from '@kassa/keys/evm/fee-transaction.ts'
import {
  EVERYTHING,
  faultOf,
  faultOfSignature,
  type Permission,
  type PermissionFault,
  type PermissionSignature,
} from '@kassa/keys/evm/permission.ts'
import { type PermissionJson, readPermission, readSignature, signatureJson } from '@kassa/keys/evm/permission-json.ts'
import { permitSigner } from '@kassa/keys/evm/permit.ts'

import type { Chain } from '../../adapter.ts'
import type { CheckedSignature, PermissionPlace, PermissionTx } from '../../permissions.ts'
import { maxFeeOf, packBody } from '../sender/transaction.ts'

/** Reads and compares what was signed; see `Permissions.check`. */
export function checkSignature(
  { network }: Chain,
  place: PermissionPlace,
  json: PermissionJson,
  signature: unknown,
): CheckedSignature {
  const permission = readPermission(json)
  if (!permission) throw new Error(`A stored permission of ${json.from} cannot be read`)
  // Stored permissions are checked again, because a row may have been changed without this program.
  const fault = faultOf(permission, { ...place, chainId: BigInt(network.chainId ?? 0), mostFee: EVERYTHING })
  if (fault !== null) return { kind: 'refused', fault, found: '' }
  const signed = readSignature(permission.kind, signature)
  if (!signed) return { kind: 'refused', fault: 'unreadable', found: '' }
  const wrong = faultOfSignature(permission, signed)
  if (wrong !== null) return { kind: 'refused', fault: wrong, found: foundIn(permission, signed, wrong) }
  return { kind: 'signed', signature: signatureJson(permission, signed), tx: txOf(permission, signed) }
}

/** What is there instead of what was asked for: another signer, or another nonce. */
function foundIn(permission: Permission, signed: PermissionSignature, fault: PermissionFault): string {
  const tx = 'raw' in signed ? readFeeTransaction(signed.raw) : null
  if (fault === 'nonce') return String(tx?.nonce ?? ('authorization' in signed ? signed.authorization.nonce : ''))
  if (fault !== 'signer') return ''
  if ('authorization' in signed) return authorityOf(signed.authorization) ?? ''
  if (permission.kind === 'permit' && 'signature' in signed) {
    return permitSigner(permission.domain, permission.message, signed.signature) ?? ''
  }
  return tx?.from ?? ''
}

function txOf(permission: Permission, signed: PermissionSignature): PermissionTx | null {
  if (!('raw' in signed) || !('tx' in permission)) return null
  const { nonce, to, value, data, gas, tip, feeCap } = permission.tx
  const body = { to, value, data, gas, tip, feeCap, layerFee: 0n, authorizations: [] }
  const txId = readFeeTransaction(signed.raw)?.txId
  if (txId === undefined) return null
  return { txId, raw: signed.raw, sequence: nonce, validUntil: null, body: packBody(body), maxFee: maxFeeOf(body) }
}

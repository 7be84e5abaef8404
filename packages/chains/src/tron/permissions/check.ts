import { bytesOf, EVERYTHING, hexOf } from '@kassa/keys/evm/permission.ts'
import type { PermissionJson } from '@kassa/keys/evm/permission-json.ts'
import { faultOfTron, readTronPermission, readTronSignature } from '@kassa/keys/tron/permission.ts'
import { transactionId } from '@kassa/keys/tron/transaction.ts'
import type { Chain } from '../../adapter.ts'
import type { CheckedSignature, PermissionPlace } from '../../permissions.ts'
import { toHex } from '../encoding/hex.ts'

/** Reads and compares what was signed; see `Permissions.check`. */
export function checkSignature(
  { network }: Chain,
  place: PermissionPlace,
  json: PermissionJson,
  signature: unknown,
): CheckedSignature {
  const permission = readTronPermission(json)
  if (!permission) throw new Error(`A stored permission of ${json.from} cannot be read`)
  // A stored signature is checked again: its row may have been changed directly in the database.
  const fault = faultOfTron(permission, { ...place, chainId: BigInt(network.chainId ?? 0), mostFee: EVERYTHING })
  if (fault !== null) return { kind: 'refused', fault, found: '' }
  const bytes = signedBytes(signature)
  if (!bytes) return { kind: 'refused', fault: 'unreadable', found: '' }
  const read = readTronSignature(permission, bytes)
  if (read.kind === 'wrong') return { kind: 'refused', fault: read.fault, found: read.found }
  const { raw, tx } = permission
  return {
    kind: 'signed',
    signature: { signedTransaction: hexOf(read.signed) },
    tx: {
      ...{ txId: transactionId(raw), raw: read.signed, sequence: null, validUntil: tx.expiresAt },
      ...{ body: { raw: toHex(raw) }, maxFee: BigInt(json.maxFee ?? 0) },
    },
  }
}

function signedBytes(signature: unknown): Uint8Array | null {
  if (typeof signature !== 'object' || signature === null || !('signedTransaction' in signature)) return null
  const { signedTransaction: text } = signature
  return typeof text === 'string' ? bytesOf(text) : null
}

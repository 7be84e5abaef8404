import { readPermission, readSignature } from '@kassa/keys/evm/permission-json.ts'
import type { PermitMessage } from '@kassa/keys/evm/permit.ts'
import type { Signature } from '@kassa/keys/evm/signature.ts'
import type { Hex } from 'viem'

import type { ChainSession } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import { callNode, jsonCall } from '../../node/client.ts'
import type { PermissionPlace, SignedPermission, Validity } from '../../permissions.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { toHex } from '../encoding/hex.ts'
import { wordOf } from '@kassa/keys/evm/create2.ts'
import { isAllowed, readAccounts } from './accounts.ts'
import { abiCoder } from '../../vault-contract/abi-coder.ts'
import { tokenAbi } from './token-permits.ts'

/** Reads whether a permission is valid now; see `Permissions.validity`. */
export async function readValidity(
  session: ChainSession,
  place: PermissionPlace,
  signed: SignedPermission,
): Promise<Validity> {
  await requireOwnNetwork(session)
  const permission = readPermission(signed.permission)
  if (!permission) throw new Error('A stored permission cannot be read')
  const [account] = await readAccounts(session, place, [permission.from])
  if (!account) return 'absent'
  if (permission.kind === 'authorization') {
    if (account.code === 'ours') return 'given'
    return account.code === 'none' && account.nonce === permission.authorization.nonce ? 'offered' : 'absent'
  }
  if (isAllowed(account)) return 'given'
  const read = readSignature(permission.kind, signed.signature)
  if (permission.kind !== 'permit' || read?.kind !== 'permit' || account.code !== 'none') return 'absent'
  return (await isTaken(session, permission.domain.verifyingContract, permission.message, read.signature))
    ? 'offered'
    : 'absent'
}

/** Whether the token would accept a permit now (`eth_call`). */
async function isTaken(
  session: ChainSession,
  token: string,
  { owner, spender, value, deadline }: PermitMessage,
  { yParity, r, s }: Signature,
): Promise<boolean> {
  const word = (number: bigint) => toHex(wordOf(number)) as Hex
  const args = [owner as Hex, spender as Hex, value, deadline, 27 + yParity, word(r), word(s)] as const
  const data = abiCoder().encodeFunctionData({ abi: tokenAbi(), functionName: 'permit', args })
  try {
    await callNode(session, jsonCall('eth_call', { from: spender, to: token, data }, 'latest'))
    return true
  } catch (error) {
    if (error instanceof NodeRejected) return false
    throw error
  }
}

import { delegateOf } from '@kassa/keys/evm/permission.ts'
import type { Hex } from 'viem'

import type { ChainSession } from '../../adapter.ts'
import type { PermissionPlace } from '../../permissions.ts'
import { callAll, jsonCall } from '../../node/client.ts'
import { hexBytes, quantity } from '../encoding/wire.ts'
import { abiCoder } from '../../vault-contract/abi-coder.ts'
import { tokenAbi } from './token-permits.ts'

/** What matters of an account for permissions, as of the newest block. */
export type AccountFacts = {
  readonly nonce: bigint
  readonly coins: bigint
  /** Its code delegates to the vault's contract, to another, or it has none (EIP-7702). */
  readonly code: 'none' | 'ours' | 'other'
  /** What the vault may take of the token. */
  readonly allowance: bigint
}

/** The least allowance that counts as unlimited: some tokens lower even the largest allowance by what is taken. */
const EVERYTHING_LEFT = 2n ** 255n

const CALLS = 4

/** Reads accounts in the order asked. @throws RetryableRpcError, NodeRejected */
export async function readAccounts(
  session: ChainSession,
  { token, vault }: PermissionPlace,
  owners: readonly string[],
): Promise<AccountFacts[]> {
  const allowance = (owner: string) =>
    abiCoder().encodeFunctionData({ abi: tokenAbi(), functionName: 'allowance', args: [owner as Hex, vault as Hex] })
  const calls = owners.flatMap((owner) => [
    jsonCall('eth_getTransactionCount', owner, 'latest'),
    jsonCall('eth_getBalance', owner, 'latest'),
    jsonCall('eth_getCode', owner, 'latest'),
    ...(token === null ? [] : [jsonCall('eth_call', { to: token, data: allowance(owner) }, 'latest')]),
  ])
  const each = token === null ? CALLS - 1 : CALLS
  const answers = await callAll(session, calls)
  const ours = delegationTo(delegateOf(vault))
  return owners.map((_, at) => {
    const [nonce, coins, code, left] = answers.slice(at * each, (at + 1) * each)
    const text = hexBytes(code, 'code').toLowerCase()
    return {
      nonce: quantity(nonce, 'nonce'),
      coins: quantity(coins, 'balance'),
      code: text === '0x' ? 'none' : text === ours ? 'ours' : 'other',
      allowance: token === null ? 0n : BigInt(hexBytes(left, 'allowance')),
    }
  })
}

/** Whether the vault may take everything there will ever be. */
export function isAllowed({ allowance }: AccountFacts): boolean {
  return allowance >= EVERYTHING_LEFT
}

/** The code of an account that delegates to a contract (EIP-7702). */
function delegationTo(contract: string): string {
  return `0xef0100${contract.slice(2).toLowerCase()}`
}

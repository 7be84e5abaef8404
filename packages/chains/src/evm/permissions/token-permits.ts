import { domainSeparator, type TokenDomain } from '@kassa/keys/evm/permit.ts'
import type { Hex, ParseAbi } from 'viem'

import type { ChainSession } from '../../adapter.ts'
import { NodeRejected } from '../../errors.ts'
import { callEach, jsonCall } from '../../node/client.ts'
import { abiCoder } from '../../vault-contract/abi-coder.ts'
import { hexBytes } from '../encoding/wire.ts'

const SIGNATURES = [
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonces(address owner) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
] as const

let parsed: TokenAbi | undefined
type TokenAbi = ParseAbi<typeof SIGNATURES>

/** What tokens are asked. */
export function tokenAbi(): TokenAbi {
  parsed ??= abiCoder().parseAbi(SIGNATURES)
  return parsed
}

/** Versions to try for a token without `version()`: 1 (OpenZeppelin), and 2 for USD Coin. */
const VERSIONS = ['1', '2'] as const

/** More than the name of any token; what is longer is not signed for. */
const LONGEST_NAME = 64

/**
 * Reads how a token identifies itself in permits (EIP-2612): the domain whose hash is the one that the token states. Null for a
 * token that accepts none, or another kind of permit.
 */
export async function readPermitDomain(session: ChainSession, token: string): Promise<TokenDomain | null> {
  const { chainId } = session.chain.network
  if (chainId === undefined) return null
  const names = ['name', 'version', 'DOMAIN_SEPARATOR'] as const
  const calls = names.map((functionName) => {
    const data = abiCoder().encodeFunctionData({ abi: tokenAbi(), functionName })
    return jsonCall('eth_call', { to: token, data }, 'latest')
  })
  const [name, version, separator] = (await callEach(session, calls)).map((outcome, at) =>
    textOf(outcome, names[at] ?? 'name'),
  )
  if (!name || !separator || name.length > LONGEST_NAME) return null
  const domains = [...(version ? [version] : []), ...VERSIONS].map((one) => ({
    ...{ name, version: one, chainId: BigInt(chainId), verifyingContract: token },
  }))
  return domains.find((domain) => domainSeparator(domain) === separator) ?? null
}

/** A contract that refuses the call, or answers something else, states nothing; a node that failed is asked again. */
function textOf(
  outcome: PromiseSettledResult<unknown>,
  functionName: 'name' | 'version' | 'DOMAIN_SEPARATOR',
): string | null {
  if (outcome.status === 'rejected') {
    if (outcome.reason instanceof NodeRejected) return null
    throw outcome.reason
  }
  try {
    const data = hexBytes(outcome.value, functionName) as Hex
    return abiCoder().decodeFunctionResult({ abi: tokenAbi(), functionName, data })
  } catch {
    return null
  }
}

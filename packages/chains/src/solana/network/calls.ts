import type { ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { type JsonCall, jsonCall } from '../../node/client.ts'

/** Errors of a node that does not have a block, or not yet: another node may have it. */
const MISSING = new Set([-32_001, -32_004, -32_007, -32_009, -32_014])

/** Makes one call; whole numbers keep all of their digits. @throws RetryableRpcError, NodeRejected */
export async function ask({ node, signal }: ChainSession, method: string, ...params: unknown[]): Promise<unknown> {
  const call: JsonCall = jsonCall(method, ...params)
  try {
    return await node.call(call, { signal, exactNumbers: true })
  } catch (error) {
    if (error instanceof NodeRejected && error.code !== null && MISSING.has(error.code)) {
      throw new RetryableRpcError('inconsistent', error.message)
    }
    throw error
  }
}

/**
 * The commitment of everything that is read: final on public networks, so a fork is never seen there (money.md 1.4). On the
 * sandbox, finality is a number of confirmations.
 */
export function commitmentOf({ chain }: Pick<ChainSession, 'chain'>): 'finalized' | 'confirmed' {
  return chain.mode === 'sandbox' ? 'confirmed' : 'finalized'
}

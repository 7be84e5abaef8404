import type { ChainSession } from '@kassa/chains/adapter.ts'
import { NodeRejected, RetryableRpcError } from '@kassa/chains/errors.ts'
import { ApiError } from '@kassa/contract/kit/api-error.ts'

import type { Context } from '../../../context.ts'
import { openSession } from '../../blockchains/nodes/service.ts'

/** A node of a blockchain; null while none can be used. */
export async function sessionOf(ctx: Context, blockchainId: number): Promise<ChainSession | null> {
  try {
    return await openSession(ctx, blockchainId)
  } catch (error) {
    if (isNodesFault(error)) return null
    throw error
  }
}

/** Whether a failure is a node's fault, so that another attempt may succeed. */
export function isNodesFault(error: unknown): error is Error {
  const isWrongNetwork = error instanceof ApiError && error.code === 'NODE_WRONG_NETWORK'
  return error instanceof RetryableRpcError || error instanceof NodeRejected || isWrongNetwork
}

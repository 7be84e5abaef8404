import type { ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { jsonCall } from '../../node/client.ts'

/** Bitcoin Core, `src/rpc/protocol.h`. */
const NOT_FOUND = -5
const OUT_OF_RANGE = -8
const WARMING_UP = -28

/** Makes one call of a node. @throws its failure; a node that is starting up is asked again later */
export async function ask(
  { node, signal }: ChainSession,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> {
  try {
    return await node.call(jsonCall(method, ...params), { signal })
  } catch (error) {
    if (!(error instanceof NodeRejected) || error.code !== WARMING_UP) throw error
    throw new RetryableRpcError('internal', error.message, { cause: error })
  }
}

/** Makes a call for something that may not exist; null when it does not. @throws every other failure */
export async function askFor(session: ChainSession, method: string, ...params: readonly unknown[]): Promise<unknown> {
  try {
    return await ask(session, method, ...params)
  } catch (error) {
    if (error instanceof NodeRejected && (error.code === NOT_FOUND || error.code === OUT_OF_RANGE)) return null
    throw error
  }
}

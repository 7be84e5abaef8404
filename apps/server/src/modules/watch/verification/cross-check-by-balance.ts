import type { BlockRef, ChainSession, ChainReader } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'

import type { Context } from '../../../context.ts'
import { broughtInBlock, type CrossCheck, type Unproven } from '../../deposits/service.ts'

/** Failures that pass: ask again. Any other says that the node has not got the state of that block. */
const PASSING = new Set(['unreachable', 'timeout', 'limited'])

/**
 * What a node without traces can say of money that contracts forwarded: whether the address held more after the block by as
 * much as all that is recorded of it there; null when it does not answer now. Deposit addresses send nothing yet; where one did, a person looks.
 */
export async function crossCheckByBalance(
  ctx: Context,
  node: ChainSession,
  { reader, deposit, block }: { reader: Pick<ChainReader, 'balances'>; deposit: Unproven; block: BlockRef },
): Promise<Pick<CrossCheck, 'verdict' | 'details'> | null> {
  const ask = [{ assetId: deposit.assetId, address: deposit.to }]
  const told = await broughtInBlock(ctx, node.chain.blockchain.id, deposit)
  try {
    const [before] = await reader.balances(node, ask, { ...block, hash: block.parentHash, height: block.height - 1 })
    const [after] = await reader.balances(node, ask, block)
    if (!before || !after) throw new RetryableRpcError('malformed', 'There was no balance in the answer')
    if (after.units - before.units >= told)
      return { verdict: 'agrees', details: 'It keeps no traces; what the address holds rose by as much in this block.' }
    return { verdict: 'differs', details: 'It keeps no traces, and what the address holds did not rise by as much.' }
  } catch (error) {
    if (node.signal.aborted) throw error
    if (error instanceof RetryableRpcError && PASSING.has(error.kind)) return null
    return { verdict: 'alone', details: 'It has the same block and keeps no traces of internal transfers.' }
  }
}

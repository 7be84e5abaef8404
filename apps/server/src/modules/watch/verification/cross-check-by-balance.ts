import type { BalanceReader, BlockRef, ChainSession } from '@kassa/chains/adapter.ts'
import { RetryableRpcError } from '@kassa/chains/errors.ts'

import type { Contradiction } from '@kassa/contract/alarms/catalogue.ts'
import type { DepositWait } from '@kassa/contract/deposits/waits.ts'

import type { Context } from '../../../context.ts'
import { broughtInBlock, type Unproven } from '../../deposits/service.ts'

/** What one node says about a deposit. */
export type Verdict =
  | { readonly verdict: 'agrees' | 'alone'; readonly details: string }
  | { readonly verdict: 'differs'; readonly contradiction: Contradiction }
  | { readonly verdict: 'silent'; readonly waits: DepositWait }

/**
 * Temporary failures, after which the node is asked again. Any other failure means that the node lacks the state of that block.
 */
const PASSING = new Set(['unreachable', 'timeout', 'limited'])

/**
 * Cross-checks an internal transfer through a node without traces: whether the balance of the address rose in the block by
 * everything that is recorded for it there; null when the node does not answer now. Deposit addresses do not send; where one
 * did, the balances differ and an operator decides.
 */
export async function crossCheckByBalance(
  ctx: Context,
  session: ChainSession,
  { balances, deposit, block }: { balances: BalanceReader; deposit: Unproven; block: BlockRef },
): Promise<Verdict | null> {
  const ask = { assetId: deposit.assetId, address: deposit.to }
  const recorded = await broughtInBlock(ctx, session.chain.blockchain.id, deposit)
  try {
    if ((await balances.rise(session, ask, block)) >= recorded)
      return {
        verdict: 'agrees',
        details: 'It has no traces; the balance of the address rose by as much in this block.',
      }
    return { verdict: 'differs', contradiction: { case: 'no_rise' } }
  } catch (error) {
    if (session.signal.aborted) throw error
    if (error instanceof RetryableRpcError && PASSING.has(error.kind)) return null
    return { verdict: 'alone', details: 'It has the same block and no traces of internal transfers.' }
  }
}

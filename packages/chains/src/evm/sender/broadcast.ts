import type { BroadcastRefusal, ChainSession, SignedTx } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callNode, jsonCall } from '../../node/client.ts'
import { toHex } from '../encoding/hex.ts'
import { requireOwnNetwork } from '../network/heads.ts'

/** The wordings of geth, Erigon, Nethermind, Besu, Reth and anvil: the code is −32000 for everything. */
const KNOWN = /already (known|imported|exists)|alreadyknown|known transaction/i
const SEQUENCE_USED = /nonce (is )?too low|old ?nonce|nonce .*(lower|below)|invalid nonce/i
const UNDERPRICED = /underpriced|fee ?too ?low|less than (the )?(block )?base ?fee|replacement|max fee per gas less/i
const SHORT_OF_COIN = /insufficient ?(funds|balance)/i

/** Gives a node the bytes (`eth_sendRawTransaction`); see `ChainSender.broadcast`. */
export async function broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal> {
  await requireOwnNetwork(session)
  try {
    const answer = await callNode(session, jsonCall('eth_sendRawTransaction', toHex(tx.raw)))
    if (answer === tx.txId) return 'accepted'
    throw new RetryableRpcError('inconsistent', `${session.node.label} took ${String(answer)} in place of ${tx.txId}`)
  } catch (error) {
    if (!(error instanceof NodeRejected)) throw error
    return refusalOf(error.message)
  }
}

function refusalOf(reason: string): 'known' | BroadcastRefusal {
  if (KNOWN.test(reason)) return 'known'
  if (SEQUENCE_USED.test(reason)) return { code: 'sequence_used', reason }
  if (UNDERPRICED.test(reason)) return { code: 'underpriced', reason }
  return { code: SHORT_OF_COIN.test(reason) ? 'short_of_coin' : 'other', reason }
}

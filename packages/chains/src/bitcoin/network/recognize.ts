import type { ChainSession } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import type { NodeClient } from '../../node/client.ts'
import { bitcoind } from './bitcoind.ts'
import { esplora } from './esplora.ts'
import type { Protocol } from './protocol.ts'

/** An identified node: how to ask it, and the hash of its block 0. */
type Recognized = { readonly protocol: Protocol; readonly genesis: string }

/** Repeated whenever a node is identified; one that changes its network later answers with blocks that do not follow ours. */
const recognized = new WeakMap<NodeClient, Recognized>()

/**
 * Identifies the interface of a node by asking for block 0: only an Esplora has a hash at that path, and only JSON-RPC has one
 * for that call. The path comes first, because a JSON-RPC node rejects it at once and without harm to its health.
 * @throws the failure of the call when it is neither, or does not answer now
 */
export async function recognize(session: ChainSession): Promise<Recognized> {
  const known = recognized.get(session.node)
  if (known) return known
  const found = (await answerAs(esplora, session)) ?? (await ofJsonRpc(session))
  recognized.set(session.node, found)
  return found
}

/** Identifies the node again: it may serve another network, or another program, than before. */
export function recognizeAnew(session: ChainSession): Promise<Recognized> {
  recognized.delete(session.node)
  return recognize(session)
}

/** How a node is asked. */
export async function protocolOf(session: ChainSession): Promise<Protocol> {
  return (await recognize(session)).protocol
}

async function answerAs(protocol: Protocol, session: ChainSession): Promise<Recognized | null> {
  try {
    const genesis = await protocol.hashAt(session, 0)
    return genesis === null ? null : { protocol, genesis }
  } catch (error) {
    // A busy node would still be busy for a second question.
    if (!(error instanceof RetryableRpcError) || error.kind === 'limited') throw error
    return null
  }
}

async function ofJsonRpc(session: ChainSession): Promise<Recognized> {
  const genesis = await bitcoind.hashAt(session, 0)
  if (genesis === null) throw new RetryableRpcError('malformed', `${session.node.label} has no block 0`)
  return { protocol: bitcoind, genesis }
}

import type { ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import type { Outpoint, PsbtBroadcast } from '../../signing/psbts.ts'
import { requireOwnNetwork } from '../network/heads.ts'
import { protocolOf } from '../network/recognize.ts'

/** Blocks within which a sweep should be mined: a day. */
const WITHIN_BLOCKS = 144

/** Units per virtual byte: nodes relay no transaction below the first, and no node's estimate above the last is trusted. */
const LEAST_RATE = 1n
const MOST_RATE = 1_000n

/**
 * See `PsbtBuilderOf.feeRate`. A node that has seen too few blocks estimates nothing; then the least that every node relays is
 * enough.
 */
export async function readFeeRate(session: ChainSession): Promise<bigint> {
  await requireOwnNetwork(session)
  const protocol = await protocolOf(session)
  const estimate = await protocol.feeRate(session, WITHIN_BLOCKS)
  if (estimate === null) return LEAST_RATE
  // A price, from which only rounded-up amounts are computed.
  if (!Number.isFinite(estimate) || estimate < 0) {
    throw new RetryableRpcError('malformed', 'The node estimates a fee that is none')
  }
  const rate = BigInt(Math.ceil(estimate))
  if (rate > MOST_RATE) throw new RetryableRpcError('inconsistent', `The node estimates ${rate} units per byte`)
  return rate < LEAST_RATE ? LEAST_RATE : rate
}

/** See `PsbtBuilderOf.unspent`. */
export async function readUnspent(session: ChainSession, outputs: readonly Outpoint[]): Promise<boolean[]> {
  if (outputs.length === 0) return []
  await requireOwnNetwork(session)
  const protocol = await protocolOf(session)
  return protocol.unspent(session, outputs)
}

/** Bitcoin Core, `src/rpc/protocol.h` and `src/validation.cpp`: one code covers many cases, so the message decides. */
const KNOWN = /already (known|in (block chain|mempool|utxo set))|txn-already|outputs already in utxo/i
const GONE = /missing ?inputs|inputs-missingorspent|txn-mempool-conflict/i
const UNDERPRICED = /fee|replacement/i

/** See `PsbtBuilderOf.broadcast`. */
export async function broadcastSigned(
  session: ChainSession,
  { txId, raw }: { readonly txId: string; readonly raw: Uint8Array },
): Promise<PsbtBroadcast> {
  await requireOwnNetwork(session)
  const protocol = await protocolOf(session)
  try {
    const answer = await protocol.send(session, Buffer.from(raw).toString('hex'))
    if (answer === txId) return 'accepted'
    throw new RetryableRpcError('inconsistent', `${session.node.label} took ${answer} in place of ${txId}`)
  } catch (error) {
    if (!(error instanceof NodeRejected)) throw error
    const reason = error.message
    if (KNOWN.test(reason)) return 'known'
    if (GONE.test(reason)) return { code: 'gone', reason }
    return { code: UNDERPRICED.test(reason) ? 'underpriced' : 'other', reason }
  }
}

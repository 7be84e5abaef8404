import type { BlockRef, ChainSession } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { callNode, callEach, jsonCall, type NodeCall } from '../../node/client.ts'
import { quantity } from '../encoding/wire.ts'

/** Nodes keep about 128 block states, without which they cannot execute a block again; a few are used up meanwhile. */
const STATE_DEPTH = 120

/** The sandbox's own nodes keep 70, so that writing them to disk at each block stays cheap. */
const SANDBOX_STATE_DEPTH = 60

/**
 * Requests one trace per block, in their order; null where the node no longer has the state of an old block. What contracts
 * forwarded there stays unknown until a node with history is asked.
 * @throws the failure of a trace that the node must be able to return
 */
export async function tracesOf(
  session: ChainSession,
  asked: readonly { readonly block: Pick<BlockRef, 'height'>; readonly call: NodeCall }[],
): Promise<(NonNullable<unknown> | null)[]> {
  if (asked.length === 0) return []
  const outcomes = await callEach(
    session,
    asked.map(({ call }) => call),
  )
  if (!outcomes.some(isGone)) return outcomes.map(settled)
  const depth = session.chain.mode === 'sandbox' ? SANDBOX_STATE_DEPTH : STATE_DEPTH
  const newest = Number(quantity(await callNode(session, jsonCall('eth_blockNumber')), 'height'))
  return outcomes.map((outcome, at) => {
    const isOld = (asked[at]?.block.height ?? newest) <= newest - depth
    return isOld && isGone(outcome) ? null : settled(outcome)
  })
}

/**
 * The node refuses, or lacks, what needs a state that it no longer has; a node that is unreachable or busy says nothing about
 * that.
 */
function isGone(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled') return outcome.value === null || isHollow(outcome.value)
  const reason: unknown = outcome.reason
  return reason instanceof NodeRejected || (reason instanceof RetryableRpcError && reason.kind === 'internal')
}

/** Whether the trace of a block lists transactions without their calls. */
function isHollow(answer: unknown): boolean {
  return Array.isArray(answer) && answer.some((one: { result?: unknown } | null) => (one?.result ?? null) === null)
}

function settled(outcome: PromiseSettledResult<unknown>): NonNullable<unknown> {
  if (outcome.status === 'rejected') throw outcome.reason
  if (outcome.value === null || outcome.value === undefined) {
    throw new RetryableRpcError('malformed', 'The node gave no trace of a block whose state it keeps')
  }
  return outcome.value
}

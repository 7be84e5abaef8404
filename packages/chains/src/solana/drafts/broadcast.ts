import type { BroadcastRefusal, ChainSession, SignedTx } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { list, object, whole } from '../encoding/wire.ts'
import { ask } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'

/**
 * Drafts refer to blocks that two thirds of the network have voted for: a final block is so old that the draft would expire
 * soon.
 */
export const COMMITMENT = 'confirmed'

/** `TransactionError` of the network: the block is too old, or this node has not seen it. */
const EXPIRED = 'BlockhashNotFound'

/** JSON-RPC errors of a node for a wrong signature, or bytes that are not a transaction. */
const REFUSED = new Map<number | null, string>([
  [-32_003, 'SignatureFailure'],
  [-32_602, 'SanitizeFailure'],
])

/** Longer texts of a node are cut. */
const LONGEST_REASON = 200

type Run = {
  /** Why the network would refuse it, or its programs would fail; null when it succeeds. */
  readonly error: string | null
  /** 0 where the node does not say. */
  readonly computeUnits: bigint
}

/** Simulates a transaction (`simulateTransaction`): as it is, or unsigned and on the newest block. */
export async function simulate(session: ChainSession, raw: Uint8Array, { isSigned = false } = {}): Promise<Run> {
  const checks = { sigVerify: isSigned, replaceRecentBlockhash: !isSigned }
  const options = { encoding: 'base64', commitment: COMMITMENT, ...checks }
  const answer = object(await ask(session, 'simulateTransaction', textOf(raw), options), 'simulation')
  const { err, unitsConsumed } = object(answer['value'], 'simulation')
  return { error: nameOf(err), computeUnits: typeof unitsConsumed === 'number' ? whole(unitsConsumed) : 0n }
}

/**
 * Broadcasts signed bytes; see `WalletDraftsOf.broadcast`. It simulates them first, because `sendTransaction` reports a failing
 * transaction with a code that also means "busy".
 */
export async function broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal> {
  await requireOwnNetwork(session)
  const reason = await refusalOf(session, tx)
  if (reason !== null) {
    // A transaction in a block is refused too, and is called expired once its block is old.
    return (await minedAs(session, tx)) ?? { code: reason === EXPIRED ? 'expired' : 'other', reason }
  }
  const options = { encoding: 'base64', skipPreflight: true, preflightCommitment: COMMITMENT }
  const txId = await ask(session, 'sendTransaction', textOf(tx.raw), options)
  if (txId === tx.txId) return 'accepted'
  throw new RetryableRpcError('inconsistent', `${session.node.label} took another transaction than ${tx.txId}`)
}

async function refusalOf(session: ChainSession, tx: SignedTx): Promise<string | null> {
  try {
    return (await simulate(session, tx.raw, { isSigned: true })).error
  } catch (error) {
    const reason = error instanceof NodeRejected ? REFUSED.get(error.code) : undefined
    if (reason !== undefined) return reason
    throw error
  }
}

/** Its outcome in a block (`getSignatureStatuses`); a failed one has moved nothing. Null while no block holds it. */
async function minedAs(session: ChainSession, { txId }: SignedTx): Promise<'known' | BroadcastRefusal | null> {
  const options = { searchTransactionHistory: true }
  const answer = object(await ask(session, 'getSignatureStatuses', [txId], options), 'statuses')
  const [status = null] = list(answer['value'], 'statuses')
  if (status === null) return null
  const error = nameOf(object(status, 'status')['err'])
  return error === null ? 'known' : { code: 'other', reason: error }
}

/** The error is a name, or an object that names what failed in which instruction. */
function nameOf(error: unknown): string | null {
  if (error === null || error === undefined) return null
  return typeof error === 'string' ? error : JSON.stringify(error).slice(0, LONGEST_REASON)
}

function textOf(raw: Uint8Array): string {
  return Buffer.from(raw).toString('base64')
}

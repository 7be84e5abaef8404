import type { BroadcastRefusal, ChainSession, SignedTx } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { list, object, whole } from '../encoding/wire.ts'
import { ask } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'

/** Drafts are written on blocks that two thirds of the network have voted for: final ones are old enough to be too late soon. */
export const COMMITMENT = 'confirmed'

/** `TransactionError` of the network: its block is too old, or one that this node has not seen. */
const EXPIRED = 'BlockhashNotFound'

/** JSON-RPC errors of a node that finds the signature wrong, or the bytes no transaction. */
const REFUSED = new Map<number | null, string>([
  [-32_003, 'SignatureFailure'],
  [-32_602, 'SanitizeFailure'],
])

/** Longer words of a node are cut. */
const LONGEST_REASON = 200

type Run = {
  /** Why the network would not take it, or what its programs would answer; null when it goes through. */
  readonly error: string | null
  /** 0 where the node does not say. */
  readonly computeUnits: bigint
}

/** Runs a transaction without sending it (`simulateTransaction`): as it is, or without a signature and on the newest block. */
export async function simulate(session: ChainSession, raw: Uint8Array, { isSigned = false } = {}): Promise<Run> {
  const checks = { sigVerify: isSigned, replaceRecentBlockhash: !isSigned }
  const options = { encoding: 'base64', commitment: COMMITMENT, ...checks }
  const answer = object(await ask(session, 'simulateTransaction', textOf(raw), options), 'simulation')
  const { err, unitsConsumed } = object(answer['value'], 'simulation')
  return { error: nameOf(err), computeUnits: typeof unitsConsumed === 'number' ? whole(unitsConsumed) : 0n }
}

/**
 * Gives a node signed bytes; see `WalletDraftsOf.broadcast`. It runs them first: a node that is asked to send what fails says so by a
 * number that stands for being busy too.
 */
export async function broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal> {
  await requireOwnNetwork(session)
  const reason = await refusalOf(session, tx)
  if (reason !== null) {
    // What a block holds is refused too, and once its block is old it is called expired.
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

/** What a block made of it (`getSignatureStatuses`): one that failed there has paid nobody. Null where no block holds it. */
async function minedAs(session: ChainSession, { txId }: SignedTx): Promise<'known' | BroadcastRefusal | null> {
  const options = { searchTransactionHistory: true }
  const answer = object(await ask(session, 'getSignatureStatuses', [txId], options), 'statuses')
  const [status = null] = list(answer['value'], 'statuses')
  if (status === null) return null
  const error = nameOf(object(status, 'status')['err'])
  return error === null ? 'known' : { code: 'other', reason: error }
}

/** A name, or an object with what failed in which instruction. */
function nameOf(error: unknown): string | null {
  if (error === null || error === undefined) return null
  return typeof error === 'string' ? error : JSON.stringify(error).slice(0, LONGEST_REASON)
}

function textOf(raw: Uint8Array): string {
  return Buffer.from(raw).toString('base64')
}

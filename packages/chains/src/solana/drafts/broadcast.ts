import type { BroadcastRefusal, ChainSession, SignedTx } from '../../adapter.ts'
import { NodeRejected, RetryableRpcError } from '../../errors.ts'
import { list, object, whole } from '../encoding/wire.ts'
import { ask } from '../network/calls.ts'
import { requireOwnNetwork } from '../network/heads.ts'

/** As new as a block can be that two thirds of the network have seen: what is written on it can be taken for a minute. */
export const SOON = 'confirmed'

/** A transaction that names a block which is too old, or none of this network. */
const EXPIRED = 'BlockhashNotFound'
const KNOWN = 'AlreadyProcessed'
const SHORT = new Set(['InsufficientFundsForFee', 'InsufficientFundsForRent', 'AccountNotFound'])

/** JSON-RPC error of a node that checks a signature and finds it wrong. */
const SIGNATURE_WRONG = -32_003

type Run = {
  /** Why the network would not take it, or what its programs would answer; null when it goes through. */
  readonly error: string | null
  /** Units of work. */
  readonly work: bigint
}

/** Runs a transaction without sending it (`simulateTransaction`); its signature is looked at only where that is asked for. */
export async function simulate(session: ChainSession, raw: Uint8Array, { isSigned = false } = {}): Promise<Run> {
  const options = { encoding: 'base64', commitment: SOON, sigVerify: isSigned, replaceRecentBlockhash: false }
  const answer = object(await ask(session, 'simulateTransaction', textOf(raw), options), 'simulation')
  const { err, unitsConsumed } = object(answer['value'], 'simulation')
  return { error: nameOf(err), work: unitsConsumed === undefined || unitsConsumed === null ? 0n : whole(unitsConsumed) }
}

/**
 * Gives a node signed bytes; see `WalletDraftsOf.broadcast`. It runs them first: a node that is asked to send what fails says so by a
 * number that stands for being busy too.
 */
export async function broadcast(session: ChainSession, tx: SignedTx): Promise<'accepted' | 'known' | BroadcastRefusal> {
  await requireOwnNetwork(session)
  const reason = await refusalOf(session, tx)
  if (reason !== null) {
    // What a block holds is refused too: as known, and as expired once its block is old.
    if (reason === KNOWN || (await isKnown(session, tx))) return 'known'
    return { code: reason === EXPIRED ? 'expired' : SHORT.has(reason) ? 'short_of_coin' : 'other', reason }
  }
  const options = { encoding: 'base64', skipPreflight: true, preflightCommitment: SOON }
  const txId = await ask(session, 'sendTransaction', textOf(tx.raw), options)
  if (txId === tx.txId) return 'accepted'
  throw new RetryableRpcError('inconsistent', `${session.node.label} took another transaction than ${tx.txId}`)
}

async function refusalOf(session: ChainSession, tx: SignedTx): Promise<string | null> {
  try {
    return (await simulate(session, tx.raw, { isSigned: true })).error
  } catch (error) {
    if (error instanceof NodeRejected && error.code === SIGNATURE_WRONG) return 'SignatureFailure'
    throw error
  }
}

async function isKnown(session: ChainSession, { txId }: SignedTx): Promise<boolean> {
  const options = { searchTransactionHistory: true }
  const answer = object(await ask(session, 'getSignatureStatuses', [txId], options), 'statuses')
  const [status = null] = list(answer['value'], 'statuses')
  return status !== null
}

/** `TransactionError` of the network: a name, or an object whose one key is it. */
function nameOf(error: unknown): string | null {
  if (error === null || error === undefined) return null
  if (typeof error === 'string') return error
  return Object.keys(object(error, 'error'))[0] ?? 'unknown'
}

function textOf(raw: Uint8Array): string {
  return Buffer.from(raw).toString('base64')
}

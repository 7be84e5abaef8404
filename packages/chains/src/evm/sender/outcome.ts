import type { ChainSession, Evidence, Outcome, SentFacts } from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callAll, callNode, jsonCall } from '../../node/client.ts'
import { examineAll, refOf } from '../blocks/receipts.ts'
import { TRANSFER_TOPIC } from '../blocks/transfers.ts'
import { toQuantity } from '../encoding/hex.ts'
import { quantity, readBlock, readReceipt, type WireBlock, type WireReceipt } from '../encoding/wire.ts'
import { featuresOf } from '../network/features.ts'
import { chargedBesideGas } from './layer-fee.ts'
import { findReplacement } from './replacement.ts'
import { type EvmBody, readBody, tokenTransferOf } from './transaction.ts'

/**
 * Returns what became of a send, by its transactions' ids and by sender and nonce; see `ChainSender.outcome`.
 * @throws RetryableRpcError when the node contradicts itself or does not know enough
 */
export async function readOutcome(session: ChainSession, sent: SentFacts): Promise<Outcome> {
  const receipts = await callAll(
    session,
    sent.attempts.map(({ txId }) => jsonCall('eth_getTransactionReceipt', txId)),
  )
  for (const [at, { txId, body }] of sent.attempts.entries()) {
    const receipt = readReceipt(receipts[at])
    if (receipt && receipt.txHash !== txId) throw lying(session, `answers for another transaction than ${txId}`)
    if (receipt) return mined(session, { txId }, receipt, readBody(body))
  }
  const used = await nonceOf(session, sent.from)
  if (sent.sequence !== null && used > sent.sequence) return replaced(session, sent, sent.sequence)
  const known = await callAll(
    session,
    sent.attempts.map(({ txId }) => jsonCall('eth_getTransactionByHash', txId)),
  )
  return { state: known.some((one) => one !== null) ? 'pending' : 'unknown' }
}

async function nonceOf(session: ChainSession, from: string): Promise<bigint> {
  return quantity(await callNode(session, jsonCall('eth_getTransactionCount', from, 'latest')), 'nonce')
}

/** The nonce is used, and the node has no receipt of ours: either that is proved, or nothing is known. */
async function replaced(session: ChainSession, sent: SentFacts, sequence: bigint): Promise<Outcome> {
  const found = await findReplacement(session, sent, sequence)
  if (!found) return { state: 'unknown' }
  const { tx, block } = found
  if (sent.attempts.some(({ txId }) => txId === tx.txId)) {
    throw lying(session, `has ${tx.txId} in block ${block.height} and no receipt of it`)
  }
  const twin = sent.attempts.map(({ body }) => readBody(body)).find((body) => isSameCall(body, found.call))
  if (!twin) return { state: 'impossible', proof: { kind: 'replaced', txId: tx.txId, block } }
  // An attempt that this database does not have, as after the restore of an older backup: the money did move.
  const receipt = readReceipt(await callNode(session, jsonCall('eth_getTransactionReceipt', tx.txId)))
  if (receipt?.txHash !== tx.txId) throw lying(session, `has no receipt of ${tx.txId}`)
  return mined(session, tx, receipt, { ...twin, feeCap: found.feeCap })
}

type Call = Pick<EvmBody, 'to' | 'value' | 'data'>

function isSameCall(one: Call, other: Call): boolean {
  const lower = (text: string | null) => text?.toLowerCase()
  return lower(one.to) === lower(other.to) && one.value === other.value && lower(one.data) === lower(other.data)
}

type MinedTx = Extract<Outcome, { state: 'mined' }>['tx']

async function mined(session: ChainSession, tx: MinedTx, receipt: WireReceipt, body: EvmBody): Promise<Outcome> {
  const block = readBlock(await callNode(session, jsonCall('eth_getBlockByNumber', toQuantity(receipt.height), true)))
  if (block?.hash !== receipt.blockHash)
    throw lying(session, `has a receipt in block ${receipt.blockHash}, which it left`)
  if (!block.transactions.some(({ hash }) => hash === tx.txId)) throw lying(session, `has no ${tx.txId} in its block`)
  const { evidence, shown } = await evidenceOf(session, block, receipt)
  const price = quantity(shown.raw['effectiveGasPrice'], 'effectiveGasPrice')
  if (price > body.feeCap) throw lying(session, `says that ${tx.txId} paid more than it may`)
  return {
    state: 'mined',
    tx,
    block: refOf(block),
    failure: failureOf(shown, body),
    fee: price * shown.gasUsed + chargedBesideGas(shown.raw, shown.gasUsed),
    evidence,
  }
}

/** The receipt as the block's receipts root proves it, where the node returns a block's receipts. */
async function evidenceOf(
  session: ChainSession,
  block: WireBlock,
  receipt: WireReceipt,
): Promise<{ evidence: Evidence; shown: WireReceipt }> {
  if (!(await featuresOf(session)).has('block-receipts')) return { evidence: 'receipt', shown: receipt }
  const [examined] = await examineAll(session, [block])
  const found = examined?.mined.find(({ tx }) => tx.hash === receipt.txHash)
  if (!examined || !found) throw lying(session, `has no ${receipt.txHash} among the receipts of its block`)
  return { evidence: examined.isProven ? 'receipts-root' : 'receipt', shown: found.receipt }
}

/** A token may report success and move nothing; then it has logged nothing either. */
function failureOf({ isSuccess, logs }: WireReceipt, body: EvmBody): 'reverted' | 'no_transfer' | null {
  if (!isSuccess) return 'reverted'
  const transfer = tokenTransferOf(body)
  if (!transfer) return null
  const isMoved = logs.some(
    ({ address, topics: [topic, , to] }) =>
      address === transfer.token && topic === TRANSFER_TOPIC && to?.slice(26) === transfer.to.slice(2),
  )
  return isMoved ? null : 'no_transfer'
}

function lying({ node }: ChainSession, what: string): RetryableRpcError {
  return new RetryableRpcError('inconsistent', `${node.label} ${what}`)
}

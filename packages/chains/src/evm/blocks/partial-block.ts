import { createHash } from 'node:crypto'

import type {
  BlockRef,
  ChainSession,
  InternalTransfers,
  PartialBlock,
  Transfer,
  UnreadTransaction,
  TransferFilter,
} from '../../adapter.ts'
import { RetryableRpcError } from '../../errors.ts'
import { callNode, callAll, jsonCall } from '../../node/client.ts'
import { mapConcurrent } from '../../node/map-concurrent.ts'
import { bloomOf, isWithin } from '../encoding/bloom.ts'
import { fromHex, toQuantity } from '../encoding/hex.ts'
import { areProven } from '../encoding/receipts-root.ts'
import { factsOf } from '../network/facts.ts'
import { readWithReceipt } from './transaction.ts'
import { hexBytes, list, NO_SENDER, object, readBlockRef, readHeader, type WireReceipt } from '../encoding/wire.ts'

/** Transactions requested at the same time: such a block is rare, and others use the node too. */
const AT_ONCE = 4

/** Failures that say something about the node, and nothing about the transaction. */
const NODE_TROUBLE = new Set(['unreachable', 'timeout', 'limited', 'internal'])

/**
 * Words of 20 bytes, alone or at the end of a 32-byte word: anything that may be an address in an answer that cannot be
 * decoded.
 */
const ADDRESS_WORD = /0x(?:0{24})?([0-9a-f]{40})(?![0-9a-f])/gi

/**
 * Reads one block transaction by transaction (`eth_getTransactionReceipt` for each); see `PartialReader`. What the block's
 * header contradicts is left out: a node with one false log is not trusted about single transactions.
 */
export async function readPartialBlock(
  session: ChainSession,
  height: number,
  filter: TransferFilter,
): Promise<PartialBlock | null> {
  const call = jsonCall('eth_getBlockByNumber', toQuantity(height), false)
  const answer = await callNode(session, call)
  const block = readBlockRef(answer)
  if (!block) return null
  const hashes = list(object(answer, 'block')['transactions'], 'transactions').map((hash) => hexBytes(hash, 'hash'))
  const outcomes = await mapConcurrent(AT_ONCE, hashes, (hash) => readOne(session, block, hash, filter))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected' && isAboutNode(session, outcome.reason))
  if (failed?.status === 'rejected') throw failed.reason
  const judged = judge(session, answer, outcomes)
  const transfers: Transfer[] = []
  const unread: UnreadTransaction[] = []
  for (const [at, outcome] of judged.entries()) {
    const txId = hashes[at] ?? ''
    if (outcome.status === 'fulfilled') transfers.push(...outcome.value.transfers)
    else unread.push({ txId, error: messageOf(outcome.reason), concernsUs: await namesOurs(session, txId, filter) })
  }
  const payloadHash = createHash('sha256').update(JSON.stringify(answer)).digest('hex')
  return { block, transfers, unread, payloadHash, internalTransfers: internalTransfersIn(judged) }
}

/**
 * Internal transfers of the transactions that were read. If the calls of one of them are missing, they are missing for the
 * block.
 */
function internalTransfersIn(outcomes: readonly Outcome[]): InternalTransfers {
  const read = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.internalTransfers] : []))
  return read.find((one) => one !== 'complete') ?? 'complete'
}

type ReadOne = {
  readonly transfers: readonly Transfer[]
  readonly receipt: WireReceipt
  readonly internalTransfers: InternalTransfers
}
type Outcome = PromiseSettledResult<ReadOne>

async function readOne(session: ChainSession, block: BlockRef, txId: string, filter: TransferFilter): Promise<ReadOne> {
  const { facts, receipt, internalTransfers } = await readWithReceipt(session, txId)
  if (receipt && facts.state === 'failed') return { transfers: [], receipt, internalTransfers }
  if (!receipt || facts.state !== 'included' || facts.block.hash !== block.hash) {
    throw new RetryableRpcError('inconsistent', `The node lists ${txId} in block ${block.height}, but has it elsewhere`)
  }
  const transfers = facts.transfers.filter(
    ({ assetId, senders, to }) =>
      filter.assets.has(assetId) && [to, ...senders].some((one) => filter.matches(fromHex(one))),
  )
  return { transfers, receipt, internalTransfers: hasNative(session, filter) ? internalTransfers : 'complete' }
}

/** Only native money moves inside a transaction without a log. */
function hasNative({ chain }: ChainSession, { assets }: TransferFilter): boolean {
  return chain.assets.some(({ id, standard }) => standard === 'native' && assets.has(id))
}

/** Checks what was read against the header: all of it against the receipts root, and each log against the filter (W-7, W-8). */
function judge({ chain }: ChainSession, answer: unknown, outcomes: readonly Outcome[]): Outcome[] {
  const receipts = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.receipt] : []))
  try {
    const header = readHeader(answer)
    if (!header) return []
    if (factsOf(chain).hasReceiptsProof && receipts.length === outcomes.length) areProven(header, receipts)
    const bloom = fromHex(header.logsBloom)
    return outcomes.map((outcome) =>
      isWithinBloom(outcome, bloom) ? outcome : refused('Its logs are not in the header'),
    )
  } catch (error) {
    return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? refused(messageOf(error)) : outcome))
  }
}

/** Transactions without a sender are outside of the header's filter (POLYGON's state sync). */
function isWithinBloom(outcome: Outcome, bloom: Uint8Array): boolean {
  if (outcome.status === 'rejected') return true
  const { raw, logs } = outcome.value.receipt
  return NO_SENDER.test(String(raw['from'])) || isWithin(bloomOf(logs), bloom)
}

function refused(reason: string): PromiseRejectedResult {
  return { status: 'rejected', reason: new RetryableRpcError('inconsistent', reason) }
}

/** Whether the raw answers about a transaction contain a wanted address anywhere; without answers it is unknown. */
async function namesOurs(session: ChainSession, txId: string, filter: TransferFilter): Promise<boolean> {
  const calls = ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].map((method) => jsonCall(method, txId))
  const answers = await callAll(session, calls).catch(() => [])
  const words = JSON.stringify(answers).matchAll(ADDRESS_WORD)
  return [...words].some(([, digits = '']) => filter.matches(fromHex(`0x${digits}`)))
}

function isAboutNode({ signal }: ChainSession, error: unknown): boolean {
  return signal.aborted || (error instanceof RetryableRpcError && NODE_TROUBLE.has(error.kind))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
